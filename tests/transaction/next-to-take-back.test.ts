import { expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import { silentLog } from "../../src/core/log.ts";
import {
  type HistoryEntry,
  listUndoable,
  nextToTakeBack,
  readHistory,
  readNewest,
  rowOnTop,
} from "../../src/transaction/journal/history.ts";
import { redo, undo } from "../../src/transaction/undo/undo.ts";
import { createDice } from "../support/dice.ts";
import { tempDir } from "../support/temp.ts";
import { applyActions, workspaceAt } from "./scene.ts";

/** Both stacks, from the oldest on: an apply clears redo, an undo moves to redo, a redo back. */
function stacksOf(history: readonly HistoryEntry[]) {
  const stacks = { undo: [] as string[], redo: [] as string[] };
  for (const { status, kind, changes, txId, reverses } of history) {
    if (status !== "committed" || (kind === "apply" && changes.length === 0)) continue;
    if (kind === "apply") stacks.redo = [];
    const [from, to] = kind === "undo" ? (["undo", "redo"] as const) : (["redo", "undo"] as const);
    if (kind !== "apply") stacks[from] = stacks[from].filter((each) => each !== reverses);
    stacks[to].push(txId);
  }
  return stacks;
}

test("what is next to take back, read from the end, is what all of the past says", async () => {
  using dir = tempDir();
  const workspace = workspaceAt(dir.path);
  const dice = createDice(11);
  const { signal } = new AbortController();
  const request = { workspace, clock: systemClock, log: silentLog, signal };
  for (let n = 0; n < 60; n++) {
    const turn = dice(5);
    if (turn < 2)
      await applyActions(workspace, [{ kind: "CREATE_FILE", path: `f${n}`, content: "" }]);
    else await (turn < 4 ? undo(request) : redo(request));
    const history = readHistory(workspace);
    const stacks = stacksOf(history);
    expect(nextToTakeBack(workspace, "undo")?.txId).toBe(stacks.undo.at(-1));
    expect(nextToTakeBack(workspace, "redo")?.txId).toBe(stacks.redo.at(-1));
    expect(listUndoable(workspace).map(({ txId }) => txId)).toEqual(stacks.undo.toReversed());
    expect(readNewest(workspace, 3)).toEqual(history.slice(-3));
  }
});

test("rowOnTop() has the parts of the goal on top, or the row of the one that is named, or that alone", async () => {
  using dir = tempDir();
  const workspace = workspaceAt(dir.path);
  const { signal } = new AbortController();
  const request = { workspace, clock: systemClock, log: silentLog, signal };
  const on = (only?: string) => rowOnTop(workspace, only).map(({ txId }) => txId);
  expect(on()).toEqual([]);
  const ids: string[] = [];
  for (const work of [undefined, "w#1/2", "w#2/2"]) {
    const create = { kind: "CREATE_FILE", path: `f${ids.length}`, content: "" } as const;
    const result = await applyActions(workspace, [create], work === undefined ? {} : { work });
    ids.push(result.ok ? result.txId : "");
  }
  const [alone = "", first = "", second = ""] = ids;
  const row = [second, first];
  expect([on(), on(first), on(second)]).toEqual([row, row, row]);
  expect([on(alone), on("tx_none")]).toEqual([[alone], []]);
  await undo(request);
  expect([on(), on(second), on(alone)]).toEqual([[first], [first], [alone]]);
  const again = await redo(request);
  expect(on()).toEqual([again.ok ? again.txId : "", first]);
});
