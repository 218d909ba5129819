import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import type { Action } from "../../src/protocol/response.ts";
import { findByWork } from "../../src/transaction/journal/find-work.ts";
import { redo, undo } from "../../src/transaction/undo/undo.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { applyActions, bunCheck, workspaceAt } from "./scene.ts";

const { signal } = new AbortController();
const create = (path: string): Action => ({ kind: "CREATE_FILE", path, content: path });

describe("findByWork()", () => {
  test("finds what a work committed, an undo and a redo as well, whatever came after it", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    const request = { workspace, clock: systemClock, log: silentLog, signal };
    const applied = await applyActions(workspace, [create("a")], { work: "message:1" });
    const undone = await undo({ ...request, work: "press:2" });
    const redone = await redo({ ...request, work: "press:3" });
    await applyActions(workspace, [create("b")]);
    const works = [
      ["message:1", applied, "apply"],
      ["press:2", undone, "undo"],
      ["press:3", redone, "redo"],
    ] as const;
    for (const [work, { txId = "" }, kind] of works) {
      const header = { work, kind, changes: [{ path: "a" }] };
      expect(findByWork(workspace, work)).toMatchObject({ kind: "committed", txId, header });
    }
    expect(findByWork(workspace, "message:4")).toEqual({ kind: "none" });
    expect(findByWork(workspaceAt(`${dir.path}/none`), "message:1")).toEqual({ kind: "none" });
  });

  test("says how the newest roll-back ended, and what was committed before anything else", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    const failing = { work: "w", checks: [bunCheck("process.exit(3)")] };
    await applyActions(workspace, [create("a")], failing);
    expect(findByWork(workspace, "w")).toMatchObject({
      kind: "rolled_back",
      code: "AUTO_CHECK_FAILED_ROLLED_BACK",
      message: 'Check "test" failed with exit code 3',
    });
    const { txId = "" } = await applyActions(workspace, [create("a")], { work: "w" });
    await applyActions(workspace, [create("b")], failing);
    expect(findByWork(workspace, "w")).toMatchObject({ kind: "committed", txId });
  });

  test("knows one that has not ended as unfinished", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    const seen: string[] = [];
    const onStep = () => void seen.push(findByWork(workspace, "w").kind);
    await applyActions(workspace, [create("a")], { work: "w", onStep });
    expect([seen[0], seen.at(-2), seen.at(-1)]).toEqual(["none", "unfinished", "committed"]);
  });
});
