import { newId } from "../../core/ids.ts";
import {
  buildUndoStacks,
  type HistoryEntry,
  readHistory,
  rowOfWork,
  workOfPart,
} from "../../transaction/journal/journal.ts";
import { type UndoRequest, undo } from "../../transaction/undo/undo.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { toUndoOutcome } from "../outcome-view.ts";

/**
 * Takes back all parts of the row that the newest change is of, or the one with the transaction
 * `only`: the newest first, each by itself. The first that does not go back ends it, and those before
 * it stay undone. A change that is no part of a row is taken back as by any undo.
 */
export async function undoRow(request: UndoRequest): Promise<OutcomeView> {
  const { workspace, work = newId("row") } = request;
  const [first, ...others] = listRow(workspace, request.only);
  if (first === undefined || others.length === 0) {
    return toUndoOutcome(workspace, await undo({ ...request, ...(first && { only: first }) }));
  }
  const all = others.length + 1;
  const takeBack = async (only: string, number: number) =>
    toUndoOutcome(workspace, await undo({ ...request, only, work: workOfPart(work, number, all) }));
  const ended = [await takeBack(first, 1)];
  let last = ended[0];
  for (const txId of others) {
    if (last?.ok !== true) break;
    last = await takeBack(txId, ended.length + 1);
    ended.push(last);
  }
  return join(ended, all);
}

function join(ended: readonly OutcomeView[], all: number): OutcomeView {
  const last = ended.at(-1);
  if (!last) throw new Error("an undo of no part");
  const changes = ended.flatMap((each) => each.changes);
  const notes = ended.flatMap((each) => each.notes ?? []);
  const touched = ended.some((each) => each.touched === true);
  const outcome = { ...last, changes, touched, ...(notes.length > 0 && { notes }) };
  if (last.error === undefined) return outcome;
  return { ...outcome, error: `${last.error} (undo of part ${ended.length} of ${all})` };
}

/** The transactions of the row on top of what can be undone, the newest first. */
function listRow(workspace: Workspace, only: string | undefined): readonly string[] {
  const history = readHistory(workspace);
  const newest = buildUndoStacks(history).undo.toReversed();
  const target = only === undefined ? newest[0] : history.find(({ txId }) => txId === only);
  const row = target && rowOf(target, history);
  if (row === undefined) return only === undefined ? [] : [only];
  const end = newest.findIndex((entry) => rowOf(entry, history) !== row);
  const parts = newest.slice(0, end === -1 ? newest.length : end);
  return parts.length > 0 || only === undefined ? parts.map(({ txId }) => txId) : [only];
}

/** What was redone is of the row that made it. */
function rowOf(entry: HistoryEntry, history: readonly HistoryEntry[]): string | undefined {
  const { work, reverses } = entry;
  const origin = reverses && history.find(({ txId }) => txId === reverses);
  if (origin) return rowOf(origin, history);
  return work === undefined ? undefined : rowOfWork(work);
}
