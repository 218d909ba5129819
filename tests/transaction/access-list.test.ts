import { describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { openAccessLists } from "../../src/system/rights/rights.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { slotOf, transactionPath } from "../../src/transaction/stage/stage.ts";
import { revertChange } from "../../src/transaction/swap/revert-change.ts";
import { makeChange } from "../../src/transaction/swap/swap-change.ts";
import { openTree, type Tree } from "../../src/transaction/tree.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { giveList, handDown, listOf, readList } from "../support/access-list.ts";
import { needs } from "../support/needs.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { applyActions, bunCheck, changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const TEXT = "user = me\nsecret = 1234\nhost = example\n";
const UPDATE: Action = {
  kind: "REPLACE_RANGE",
  path: "conf.txt",
  base_sha256: sha256(TEXT),
  start_line: 1,
  end_line: 1,
  content: "user = you",
};
const DELETE: Action = { kind: "DELETE_FILE", path: "conf.txt" };

/** A file that its group may not read, and one user by name may. */
const LIST = listOf(1234, 0);

function open(list = LIST) {
  const dir = tempDir();
  writeTree(dir.path, { "conf.txt": TEXT });
  const path = join(dir.path, "conf.txt");
  chmodSync(path, 0o600);
  const hasList = giveList(path, list);
  chmodSync(path, 0o660);
  return {
    root: dir.path,
    path,
    hasList,
    workspace: workspaceAt(dir.path),
    modeOf: (name: string) => lstatSync(join(dir.path, name)).mode & 0o7777,
    [Symbol.dispose]: dir[Symbol.dispose],
  };
}

const hasLists = needs("access lists (ACLs) of files", canHave());

function canHave(): boolean {
  using scene = open();
  return scene.hasList;
}

describe("A file with an access list", () => {
  test.if(hasLists)("keeps it in an update, and its mode", async () => {
    using scene = open();
    const changeSet = changeSetOf(scene.workspace, [UPDATE]);
    expect(changeSet.notes).toEqual([]);
    expect(await runTransaction(requestFor(scene.workspace, changeSet))).toMatchObject({
      ok: true,
    });
    expect(readFileSync(scene.path, "utf8")).toStartWith("user = you\n");
    expect(readList(scene.path)).toEqual(LIST);
    expect(scene.modeOf("conf.txt")).toBe(0o660);
  });

  test.if(hasLists)("has it again after an undo of that, and after a roll-back", async () => {
    using scene = open();
    await applyActions(scene.workspace, [UPDATE], { checks: [bunCheck("process.exit(1)")] });
    expect([readFileSync(scene.path, "utf8"), readList(scene.path)]).toEqual([TEXT, LIST]);
    await applyActions(scene.workspace, [UPDATE]);
    expect(await undoIn(scene.workspace)).toMatchObject({ ok: true });
    expect([readFileSync(scene.path, "utf8"), readList(scene.path)]).toEqual([TEXT, LIST]);
  });

  test.if(hasLists)(
    "comes back without, as is said before and after, and opens to no group",
    async () => {
      using scene = open();
      const changeSet = changeSetOf(scene.workspace, [DELETE]);
      const note =
        "conf.txt: has an access list (ACL); by a new name, or brought back, it has none, and mode 600";
      expect(wordNotes(changeSet.notes, NOTES_EN)).toEqual([note]);
      expect(await runTransaction(requestFor(scene.workspace, changeSet))).toMatchObject({
        ok: true,
      });
      expect(readHistory(scene.workspace).at(-1)?.changes).toEqual(changeSet.changes);
      const back = await undoIn(scene.workspace);
      expect(back).toMatchObject({ ok: true });
      expect("changeSet" in back && wordNotes(back.changeSet.notes, NOTES_EN)).toEqual([
        "conf.txt: is back without its access list (ACL), with mode 600",
      ]);
      expect([scene.modeOf("conf.txt"), readList(scene.path)]).toEqual([0o600, undefined]);
    },
  );

  test.if(hasLists).each([
    [0, 0o600],
    [4, 0o640],
    [6, 0o660],
  ])("by a new name gives its group %d, as the list does", async (ofGroup, mode) => {
    using scene = open(listOf(1234, ofGroup));
    const create: Action = { kind: "CREATE_FILE", path: "settings.txt", content: TEXT };
    expect(await applyActions(scene.workspace, [create, DELETE])).toMatchObject({ ok: true });
    expect(scene.modeOf("settings.txt")).toBe(mode);
  });

  test.if(hasLists)(
    "without one gets none from the folder that its new content waits in",
    async () => {
      using scene = open();
      giveList(scene.path, undefined);
      chmodSync(scene.path, 0o640);
      mkdirSync(join(scene.root, ".papa-yu/tx"), { recursive: true });
      handDown(join(scene.root, ".papa-yu/tx"), listOf(1234, 0, 7));
      expect(await applyActions(scene.workspace, [UPDATE])).toMatchObject({ ok: true });
      expect([scene.modeOf("conf.txt"), readList(scene.path)]).toEqual([0o640, undefined]);
    },
  );

  test.if(hasLists)(
    "that the disk refuses its list is not changed, and goes back with no right more",
    () => {
      using scene = open();
      const [change] = changeSetOf(scene.workspace, [UPDATE]).changes;
      if (change?.kind !== "update") throw new Error("it is an update");
      mkdirSync(join(scene.root, transactionPath("tx_1")), { recursive: true });
      const slot = slotOf("tx_1", 0, change.path);
      writeTree(scene.root, { [slot.staged]: "user = you\n" });
      chmodSync(join(scene.root, slot.staged), 0o660);
      using tree = openTree(scene.root);
      const refusing: Tree = { ...tree, lists: { ...tree.lists, write: () => false } };
      expect(() => makeChange(refusing, change, slot)).toThrow(
        "refused the new file its access list",
      );
      expect([readFileSync(scene.path, "utf8"), readList(scene.path)]).toEqual([TEXT, LIST]);
      const now = { ...change, after: change.before, before: change.after };
      revertChange(
        refusing,
        now,
        (_, place) => place({ path: slot.staged, isItself: false }),
        slot,
      );
      expect([scene.modeOf("conf.txt"), readList(scene.path)]).toEqual([0o600, undefined]);
    },
  );
});

test.if(hasLists)(
  "openAccessLists() says of no file that it has none where nobody can tell",
  () => {
    using scene = open();
    using lists = openAccessLists();
    expect(lists.read(scene.path)).toEqual(LIST);
    expect(lists.read(scene.root)).toBeUndefined();
    expect(lists.read("/proc/self/status")).toBeUndefined(); // a disk that keeps none
    expect(() => lists.read(join(scene.path, "in-a-file"))).toThrow(
      "ENOTDIR: not a directory, getxattr",
    );
    expect(() => lists.read(join(scene.root, "gone"))).toThrow("ENOENT");
  },
);

function undoIn(workspace: ReturnType<typeof workspaceAt>) {
  const { signal } = new AbortController();
  return undo({ workspace, clock: systemClock, log: silentLog, signal });
}
