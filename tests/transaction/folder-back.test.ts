import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import type { Action } from "../../src/protocol/response.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { IS_ROOT } from "../support/root.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { applyActions, bunCheck, changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const DELETE: readonly Action[] = [
  { kind: "DELETE_FILE", path: "team/in/a.txt" },
  { kind: "DELETE_DIR", path: "team/in" },
  { kind: "DELETE_DIR", path: "team" },
];
const FAILS = { checks: [bunCheck("process.exit(1)")] };

/** Two folders with more than rights. */
function open() {
  const dir = tempDir();
  writeTree(dir.path, { "team/in/a.txt": "a\n", "keep.txt": "k\n" });
  const at = (path: string) => join(dir.path, path);
  chmodSync(at("team"), 0o3775);
  chmodSync(at("team/in"), 0o1750);
  const look = (path: string) => {
    const { mode, uid, gid, ino } = lstatSync(at(path));
    return { mode: (mode & 0o7777).toString(8), uid, gid, ino };
  };
  const workspace = workspaceAt(dir.path);
  return { at, look, workspace, [Symbol.dispose]: dir[Symbol.dispose] };
}

describe("A folder that goes", () => {
  test("comes back as itself with a roll-back: setgid, sticky and all", async () => {
    using scene = open();
    const before = ["team", "team/in"].map(scene.look);
    const result = await applyActions(scene.workspace, DELETE, FAILS);
    expect(result).toMatchObject({ status: "rolled_back" });
    expect(["team", "team/in"].map(scene.look)).toEqual(before);
  });

  test.if(IS_ROOT)("comes back with its owner and its group", async () => {
    using scene = open();
    chownSync(scene.at("team"), 2000, 3000);
    chmodSync(scene.at("team"), 0o2770);
    await applyActions(scene.workspace, DELETE, FAILS);
    expect(scene.look("team")).toMatchObject({ mode: "2770", uid: 2000, gid: 3000 });
  });

  test("leaves nothing in the stage once it is gone for good", async () => {
    using scene = open();
    const result = await applyActions(scene.workspace, DELETE);
    expect(result).toMatchObject({ ok: true });
    const txId = result.ok ? result.txId : "";
    expect(readdirSync(scene.at(`.papa-yu/tx/${txId}`))).toEqual(["journal.jsonl"]);
    expect(existsSync(scene.at("team"))).toBe(false);
  });

  /** A person is in the folder: it is theirs by whatever name, as an open descriptor has it. */
  const writeInside = (folder: string) => {
    const fd = openSync(folder, "r");
    return () => {
      writeFileSync(`/proc/self/fd/${fd}/mine`, "mine\n");
      closeSync(fd);
    };
  };

  test.if(process.platform === "linux")(
    "comes back with what somebody in it wrote after it went",
    async () => {
      using scene = open();
      const write = writeInside(scene.at("team/in"));
      const onStep = (step: string) => {
        if (step === "synced") write();
      };
      const result = await applyActions(scene.workspace, DELETE, { onStep });
      expect(result).toMatchObject({ status: "rolled_back", code: "ERR_CHANGE_SET_STALE" });
      expect(readdirSync(scene.at("team/in")).toSorted()).toEqual(["a.txt", "mine"]);
    },
  );

  test.if(process.platform === "linux")(
    "is kept with what somebody wrote in it, where another folder has its place",
    async () => {
      using scene = open();
      const write = writeInside(scene.at("team/in"));
      const onStep = (step: string) => {
        if (step !== "synced") return;
        write();
        mkdirSync(scene.at("team/in"), { recursive: true });
      };
      const result = await applyActions(scene.workspace, DELETE, { onStep });
      expect(result).toMatchObject({ ok: false, status: "conflict" });
      const [, place = ""] =
        /saved meanwhile is in (\S+?)\)/u.exec(result.ok ? "" : result.message) ?? [];
      expect(readdirSync(scene.at(place))).toEqual(["mine"]);
      // The next change empties what is left of this one, but not that.
      const action: Action = { kind: "CREATE_FILE", path: "n.txt", content: "n\n" };
      expect(await applyActions(scene.workspace, [action])).toMatchObject({ ok: true });
      expect(readdirSync(scene.at(place))).toEqual(["mine"]);
    },
  );

  test("stays, with what somebody put into it meanwhile", async () => {
    using scene = open();
    const changeSet = changeSetOf(scene.workspace, DELETE);
    const before = ["team", "team/in"].map(scene.look);
    const onStep = (step: string) => {
      if (step === "delete team/in/a.txt") writeFileSync(scene.at("team/in/mine"), "mine\n");
    };
    const result = await runTransaction(requestFor(scene.workspace, changeSet, { onStep }));
    expect(result).toMatchObject({ ok: false, code: "ERR_CHANGE_SET_STALE" });
    expect(readdirSync(scene.at("team/in")).toSorted()).toEqual(["a.txt", "mine"]);
    expect(["team", "team/in"].map(scene.look)).toEqual(before);
  });

  test("is made anew where a check removed the stage, with its mode", async () => {
    using scene = open();
    const clean = `require("fs").rmSync(".papa-yu/tx", { recursive: true }); process.exit(1)`;
    const result = await applyActions(scene.workspace, DELETE, { checks: [bunCheck(clean)] });
    expect(result.ok).toBe(false);
    expect(scene.look("team").mode.slice(-3)).toBe("775");
    expect(scene.look("team/in").mode.slice(-3)).toBe("750");
  });

  test("comes back with its mode where a check gave it another, and no right at all", async () => {
    for (const mode of ["600", "000"]) {
      using scene = open();
      const checks = [
        { name: "test", argv: ["sh", "-c", `chmod ${mode} .papa-yu/tx/*/stage-*; exit 1`] },
      ];
      const result = await applyActions(scene.workspace, DELETE, { checks });
      expect(result).toMatchObject({ status: "rolled_back" });
      expect(scene.look("team").mode.slice(-3)).toBe("775");
      expect(scene.look("team/in").mode.slice(-3)).toBe("750");
    }
  });

  test("is made anew by an undo, and what it lacks then is said before and after", async () => {
    using scene = open();
    const changeSet = changeSetOf(scene.workspace, DELETE);
    expect(wordNotes(changeSet.notes, NOTES_EN)).toEqual([
      "team/in: has its sticky bit; what brings it back brings it back without",
      "team: has its set-group-id and sticky bit; what brings it back brings it back without",
    ]);
    expect(await runTransaction(requestFor(scene.workspace, changeSet))).toMatchObject({
      ok: true,
    });
    expect(readHistory(scene.workspace).at(-1)?.changes).toEqual(changeSet.changes);
    const { signal } = new AbortController();
    const { workspace } = scene;
    const back = await undo({ workspace, clock: systemClock, log: silentLog, signal });
    expect("changeSet" in back && wordNotes(back.changeSet.notes, NOTES_EN)).toEqual([
      "team: is back without its set-group-id and sticky bit, which papa-yu gives to nothing; chmod g+s,+t puts it back",
      "team/in: is back without its sticky bit, which papa-yu gives to nothing; chmod +t puts it back",
    ]);
    expect([scene.look("team").mode, scene.look("team/in").mode]).toEqual(["775", "750"]);
  });

  test("lacks no bit that its own folder hands down, and so nothing is said", async () => {
    using scene = open();
    mkdirSync(scene.at("team/in/new"));
    chmodSync(scene.at("team/in"), 0o2755);
    chmodSync(scene.at("team/in/new"), 0o2755);
    const { notes } = changeSetOf(scene.workspace, [{ kind: "DELETE_DIR", path: "team/in/new" }]);
    expect(notes).toEqual([]);
  });
});
