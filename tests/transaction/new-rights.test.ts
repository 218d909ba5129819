import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import type { Action } from "../../src/protocol/response.ts";
import { isAfter } from "../../src/transaction/run/run.ts";
import { openTree } from "../../src/transaction/tree.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { giveList, handDown, listOf, readList } from "../support/access-list.ts";
import { needs } from "../support/needs.ts";
import { IS_ROOT } from "../support/root.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { applyActions, changeSetOf, workspaceAt } from "./scene.ts";

const TEAM = 3000;
const create = (path: string): Action => ({ kind: "CREATE_FILE", path, content: "new\n" });

function open() {
  const dir = tempDir();
  writeTree(dir.path, { "a.txt": "one\n", "team/b.txt": "two\n" });
  return {
    root: dir.path,
    workspace: workspaceAt(dir.path),
    at: (path: string) => join(dir.path, path),
    isOf(path: string) {
      const { mode, gid } = lstatSync(join(dir.path, path));
      return [(mode & 0o7777).toString(8), gid];
    },
    [Symbol.dispose]: dir[Symbol.dispose],
  };
}

async function withUmask(mask: number, work: () => Promise<unknown>): Promise<void> {
  const before = process.umask(mask);
  try {
    await work();
  } finally {
    process.umask(before);
  }
}

const hasLists = needs("access lists (ACLs) of files", canHave());

function canHave(): boolean {
  using scene = open();
  return giveList(scene.at("a.txt"), listOf(1234, 4));
}

describe("What is new in a folder", () => {
  test("has no right that the umask takes, and is what was meant to be made", async () => {
    using scene = open();
    const actions = [create("src/new.txt")];
    const { changes } = changeSetOf(scene.workspace, actions);
    await withUmask(0o027, () => applyActions(scene.workspace, actions));
    expect([scene.isOf("src")[0], scene.isOf("src/new.txt")[0]]).toEqual(["750", "640"]);
    using tree = openTree(scene.root);
    expect(changes.map((change) => isAfter(tree.look(change.path), change))).toEqual([true, true]);
    chmodSync(scene.at("src/new.txt"), 0o755);
    expect(changes.map((change) => isAfter(tree.look(change.path), change))).toEqual([true, false]);
  });

  test("is no file by a new name, and none that comes back: those have their modes", async () => {
    using scene = open();
    chmodSync(scene.at("a.txt"), 0o664);
    const rename: Action[] = [
      { kind: "CREATE_FILE", path: "c.txt", content: "one\n" },
      { kind: "DELETE_FILE", path: "a.txt" },
      { kind: "DELETE_FILE", path: "team/b.txt" },
      { kind: "DELETE_DIR", path: "team" },
    ];
    await withUmask(0o077, () => applyActions(scene.workspace, rename));
    expect(scene.isOf("c.txt")[0]).toBe("664");
    const { signal } = new AbortController();
    const { workspace } = scene;
    await withUmask(0o077, () => undo({ workspace, clock: systemClock, log: silentLog, signal }));
    expect(["a.txt", "team", "team/b.txt"].map((path) => scene.isOf(path)[0])).toEqual([
      "664",
      "755",
      "644",
    ]);
  });

  test.if(IS_ROOT)(
    "is of the group that the folder hands down, and so are folders in it",
    async () => {
      using scene = open();
      chownSync(scene.at("team"), 0, TEAM);
      chmodSync(scene.at("team"), 0o2775);
      const actions = [create("team/new.txt"), create("team/in/new.txt"), create("other/new.txt")];
      expect(await applyActions(scene.workspace, actions)).toMatchObject({ ok: true });
      expect(scene.isOf("team/new.txt")).toEqual(["644", TEAM]);
      expect(scene.isOf("team/in")).toEqual(["2755", TEAM]);
      expect(scene.isOf("team/in/new.txt")).toEqual(["644", TEAM]);
      expect(scene.isOf("other/new.txt")).toEqual(["644", 0]);
    },
  );

  test.if(hasLists)(
    "has the list that the folder hands down, and then the umask has no say",
    async () => {
      using scene = open();
      handDown(scene.at("team"), listOf(1234, 4, 7));
      await withUmask(0o077, () =>
        applyActions(scene.workspace, [create("team/new.txt"), create("team/in/new.txt")]),
      );
      const [there, direct] = [scene.at("team/peer.txt"), scene.at("team/new.txt")];
      writeTree(scene.root, { "team/peer.txt": "by the system\n" });
      chmodSync(there, 0o640);
      // Nobody beside the user of the list can do anything with it.
      expect([scene.isOf("team/new.txt")[0], scene.isOf("team/in/new.txt")[0]]).toEqual([
        "640",
        "640",
      ]);
      expect(readList(direct)).toEqual(readList(there));
      expect(readList(scene.at("team/in/new.txt"))).toEqual(readList(there));
    },
  );

  test.if(hasLists)("has no list of the folder that it waited in", async () => {
    using scene = open();
    mkdirSync(scene.at(".papa-yu/tx"), { recursive: true });
    handDown(scene.at(".papa-yu/tx"), listOf(1234, 6, 7));
    await applyActions(scene.workspace, [create("new.txt"), create("team/new.txt")]);
    expect(["new.txt", "team/new.txt"].map((path) => readList(scene.at(path)))).toEqual([
      undefined,
      undefined,
    ]);
    expect(scene.isOf("new.txt")[0]).toBe("644");
  });
});
