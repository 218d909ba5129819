import { newId } from "../../core/ids.ts";
import { seriesOnTop, workOfPart } from "../../transaction/journal/journal.ts";
import { type UndoRequest, undo } from "../../transaction/undo/undo.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import { toUndoOutcome } from "../outcome-view.ts";

/**
 * Takes back all parts of the series that the newest change is of, or the one with the transaction
 * `only`, also those that were made before the series stopped and went on: the newest first, each by itself. The first that does not go back ends it, and those before
 * it stay undone. A change that is no part of a series is taken back as by any undo.
 */
export async function undoSeries(request: UndoRequest): Promise<OutcomeView> {
  const { workspace, work = newId("row") } = request;
  const [first, ...others] = seriesOnTop(workspace, request.only).map(({ txId }) => txId);
  if (first === undefined || others.length === 0) {
    return toUndoOutcome(
      workspace,
      await undo({ ...request, ...(first !== undefined && { only: first }) }),
    );
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
