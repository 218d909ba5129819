import { expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import {
  type HistoryEntry,
  listUndoable,
  nextToTakeBack,
  readHistory,
  readNewest,
  readOlder,
  readOne,
  seriesOnTop,
} from "../../src/transaction/journal/history.ts";
import { redo, undo } from "../../src/transaction/undo/undo.ts";
import { createDice } from "../support/dice.ts";
import { silentLog } from "../support/silent-log.ts";
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

test("seriesOnTop() has the parts of the goal on top, or the series of the one that is named, or that alone", async () => {
  using dir = tempDir();
  const workspace = workspaceAt(dir.path);
  const { signal } = new AbortController();
  const request = { workspace, clock: systemClock, log: silentLog, signal };
  const on = (only?: string) => seriesOnTop(workspace, only).map(({ txId }) => txId);
  expect(on()).toEqual([]);
  const ids: string[] = [];
  for (const work of [undefined, "w#1/2", "w#2/2"]) {
    const create = { kind: "CREATE_FILE", path: `f${ids.length}`, content: "" } as const;
    const result = await applyActions(workspace, [create], work === undefined ? {} : { work });
    ids.push(result.ok ? result.txId : "");
  }
  const [alone = "", first = "", second = ""] = ids;
  const series = [second, first];
  expect([on(), on(first), on(second)]).toEqual([series, series, series]);
  expect([on(alone), on("tx_none")]).toEqual([[alone], []]);
  await undo(request);
  expect([on(), on(second), on(alone)]).toEqual([[first], [first], [alone]]);
  const again = await redo(request);
  expect(on()).toEqual([again.ok ? again.txId : "", first]);
});

test("seriesOnTop() has what has a series in common, whichever work it is of, and redone parts of it", async () => {
  using dir = tempDir();
  const workspace = workspaceAt(dir.path);
  const { signal } = new AbortController();
  const request = { workspace, clock: systemClock, log: silentLog, signal };
  const on = (only?: string) => seriesOnTop(workspace, only).map(({ txId }) => txId);
  const ids: string[] = [];
  for (const [work, series] of [
    ["v#1/1", "r"],
    ["w#1/2", "s"],
    ["x#1/2", "s"],
  ] as const) {
    const create = { kind: "CREATE_FILE", path: `f${ids.length}`, content: "" } as const;
    const result = await applyActions(workspace, [create], { work, series });
    ids.push(result.txId ?? "");
  }
  const [alone = "", first = "", second = ""] = ids;
  expect([on(), on(alone)]).toEqual([[second, first], [alone]]);
  await undo(request);
  await undo(request);
  const again = await redo(request);
  expect(on()).toEqual([again.txId ?? ""]);
  expect(on(first)).toEqual([again.txId ?? ""]);
  expect(on(alone)).toEqual([alone]);
});

test("readOne() and readOlder() give what was asked for and nothing beside it", async () => {
  using dir = tempDir();
  const workspace = workspaceAt(dir.path);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    const create = { kind: "CREATE_FILE", path: `f${n}`, content: "" } as const;
    ids.push((await applyActions(workspace, [create])).txId ?? "");
  }
  const [first = "", second = "", third = ""] = ids;
  const history = readHistory(workspace);
  expect(ids.map((id) => readOne(workspace, id))).toEqual([...history]);
  for (const id of ["tx_", "", `${second}x`, second.slice(0, -1), "tx_zz"]) {
    expect(readOne(workspace, id)).toBeUndefined();
  }
  const older = (before: string | undefined, most: number) =>
    readOlder(workspace, before, most).map(({ txId }) => txId);
  expect(older(undefined, 2)).toEqual([third, second]);
  expect(older(third, 9)).toEqual([second, first]);
  expect(older(second, 1)).toEqual([first]);
  expect(older(first, 1)).toEqual([]);
});
