import { newId } from "../../core/ids.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { seriesOnTop, workOfPart } from "../../transaction/journal/journal.ts";
import { viewChanges } from "../../transaction/preview.ts";
import { isAfter, isBefore, lookThrough } from "../../transaction/run/run.ts";
import type { TransactionResult } from "../../transaction/transaction.ts";
import { type Found, openTree } from "../../transaction/tree.ts";
import type { PartOutcome } from "../../transaction/views.ts";
import { isSameAsSeen, readFingerprint } from "../../workspace/fingerprint.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { keepAdded } from "../correct/correct.ts";
import { madeIn, reject } from "../outcome-view.ts";
import { approvalIdOf, changeSetsOf } from "../prepare/prepare.ts";
import { isAsChecked, type Making, makeChecked, toOutcome } from "./commit.ts";
import type { ApplyOutcome } from "./options.ts";

/**
 * Makes the change sets of a series one after another, each in a transaction of its own. The first that
 * does not end well stops the series: those before it stay, and the outcome says which they are.
 * Undefined, and nothing is written, where the folder is not what the series was checked on.
 */
export async function commitSeries(making: Making): Promise<ApplyOutcome | undefined> {
  const { candidate, verified, options } = making;
  const { plan, workspace, prepared } = candidate;
  const whole = (verified ?? candidate).changeSet;
  const changeSets = changeSetsOf(prepared, whole);
  const done = prepared.series?.made.length ?? 0;
  const all = done + changeSets.length;
  const work = options.work ?? newId("row");
  keepAdded(making.deps.verifications, candidate, verified);
  const watch = watchRest(making, changeSets);
  const ended: TransactionResult[] = [];
  for (const [index, changeSet] of changeSets.entries()) {
    const number = done + index + 1;
    const result = await makeChecked(making, changeSet, {
      suffix: ` (${number}/${all})`,
      work: workOfPart(work, number, all),
      series: plan.planId,
      isFolderRight: () => watch.isRight(index),
    });
    if (!result && index === 0) return undefined;
    ended.push(result ?? MOVED);
    if (!result?.ok) break;
  }
  const last = ended.at(-1) ?? MOVED;
  const parts = changeSets.map((changeSet, index): PartOutcome => {
    const { status, txId } = ended[index] ?? {};
    return {
      changeSetId: changeSet.id,
      changes: changeSet.changes.length,
      status: status ?? "not begun",
      ...(txId !== undefined && { txId }),
    };
  });
  const made = ended.filter(({ ok }) => ok).length;
  const outcome = await toOutcome(making, whole, last);
  const newest = parts.findLast(({ status }) => status === "committed")?.txId;
  const undoable = newest === undefined ? 0 : seriesOnTop(workspace, newest).length;
  const notes = ended.flatMap((each) => (each.ok ? (each.notes ?? []) : []));
  const row = { done, parts, undoable };
  const told = notes.length > 0 && { notes };
  const common = { changeSetId: approvalIdOf(prepared, whole), row, ...told };
  if (last.ok) return { ...outcome, ...common };
  const changes = changeSets.slice(0, made).flatMap((each) => viewChanges(each, madeIn(verified)));
  const error = describeStop(last.message, done + made + 1, all);
  const touched = outcome.touched === true || made > 0;
  const rest = last === MOVED ? reject(workspace, last.code, error) : outcome;
  return { ...rest, ...common, changes, touched, error };
}

/** What is said of the files is of those of the part that did not end well, and of no others. */
function describeStop(message: string, number: number, all: number): string {
  const before = number - 1;
  const stay = before === 1 ? "the part before it stays" : `the ${before} parts before it stay`;
  return `Part ${number} of ${all}: ${message}${before === 0 ? "" : `; ${stay} as applied`}`;
}

/** Somebody changed a file between two parts. */
const MOVED = {
  ok: false,
  status: "rejected",
  code: "ERR_CHANGE_SET_STALE",
  message: "Cannot go on: files changed between two parts; look at the rest again",
} as const satisfies TransactionResult;

/**
 * Whether the folder is what each part was checked on: before the first as before any change set,
 * before the others it has to be that with the parts before, and with nothing else. What no part
 * touches is compared by a fingerprint, and what one does by its content.
 */
function watchRest(making: Making, changeSets: readonly ChangeSet[]) {
  const { candidate, options } = making;
  const { workspace } = candidate;
  const own = new Set(changeSets.flatMap(({ changes }) => changes.map(({ path }) => path)));
  const readRest = () =>
    readFingerprint(workspace.root, options.signal, (path) => !own.has(path), true);
  let rest = "";
  return {
    async isRight(index: number): Promise<boolean> {
      if (index > 0) {
        return isSameAsSeen(await readRest(), rest) && isBetween(workspace, changeSets, index);
      }
      rest = await readRest(); // first, so that the look at the whole covers it
      return isAsChecked(making);
    },
  };
}

/** Whether the files of a series are as the parts before `index` left them, and the others have to be. */
function isBetween({ root }: Workspace, changeSets: readonly ChangeSet[], index: number): boolean {
  const expected = new Map<string, (found: Found) => boolean>();
  for (const { changes } of changeSets.slice(index).toReversed()) {
    for (const change of changes) expected.set(change.path, (found) => isBefore(found, change));
  }
  for (const { changes } of changeSets.slice(0, index)) {
    for (const change of changes) expected.set(change.path, (found) => isAfter(found, change));
  }
  using tree = openTree(root);
  return [...expected].every(([path, isAs]) => isAs(lookThrough(tree, path)));
}
