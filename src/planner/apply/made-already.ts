import { setTimeout as sleep } from "node:timers/promises";
import type { PlanStore, StoredPlan } from "../../store/plans/plans.ts";
import type { Change } from "../../transaction/change.ts";
import { contentIdOf } from "../../transaction/change-set.ts";
import { type HistoryEntry, readNewest } from "../../transaction/journal/journal.ts";
import { isAfter, lookThrough } from "../../transaction/run/run.ts";
import { openTree } from "../../transaction/tree.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { isOutdated, withPlanAgain } from "../outcome-view.ts";
import { committedIn } from "../prepare/prepare.ts";

const LOOK_MS = 250;
/** Parts are checked before the first is made: what takes longer has stopped. */
const MOST_LOOKS = 240;
/** More than the parts of a goal, and what others did meanwhile. */
const MOST_BEHIND = 100;

/**
 * An outcome of a plan whose files are others by now: where the plan is made already, by another
 * terminal say, it says that; else it says what is to be planned anew. What somebody makes of it at
 * the moment is waited for.
 */
export async function explainOutdated<T extends OutcomeView>(
  { plans }: { readonly plans: PlanStore },
  { plan, workspace }: { readonly plan: StoredPlan; readonly workspace: Workspace },
  outcome: T,
  signal: AbortSignal,
): Promise<T> {
  if (!isOutdated(outcome)) return outcome;
  await untilNobodyMakes(workspace, toOwn(plans, plan), signal);
  const count = countMade(plans, workspace, plan);
  if (count === undefined) return withPlanAgain(plan, outcome);
  const what = count === 1 ? "this plan is" : `all ${count} parts of this plan are`;
  const error = `Cannot apply: ${what} made already; papayu undo takes it back`;
  return { ...outcome, changes: [], made: count, errorCode: "ERR_CHANGE_SET_STALE", error };
}

/** Of how many change sets a plan is, where all of them are in the folder, and nobody's edits on them. */
function countMade(
  plans: PlanStore,
  workspace: Workspace,
  { planId, parts = [{ planId, paths: [] }] }: StoredPlan,
): number | undefined {
  const committed = committedIn(workspace);
  const left = new Map<string, Change>();
  for (const { planId: each } of parts) {
    const stored = plans.loadChangeSet(each);
    const made = stored && committed.get(stored.contentId);
    if (!made) return undefined;
    for (const change of made.changes) left.set(change.path, change);
  }
  using tree = openTree(workspace.root);
  const isLeft = [...left].every(([path, change]) => isAfter(lookThrough(tree, path), change));
  return isLeft ? parts.length : undefined;
}

/** What tells the transactions of a plan: those of its series, or the one of its change set. */
function toOwn(plans: PlanStore, { planId, parts }: StoredPlan): (entry: HistoryEntry) => boolean {
  if (parts) return ({ row }) => row === planId;
  const contentId = plans.loadChangeSet(planId)?.contentId;
  return ({ changes }) => contentIdOf(changes) === contentId;
}

async function untilNobodyMakes(
  workspace: Workspace,
  isOwn: (entry: HistoryEntry) => boolean,
  signal: AbortSignal,
): Promise<void> {
  let before = "";
  for (let looks = 0; looks < MOST_LOOKS && !signal.aborted; looks++) {
    const own = readNewest(workspace, MOST_BEHIND).filter(isOwn);
    const now = own.map(({ txId, status }) => `${txId} ${status}`).join("\n");
    if (now === before && !own.some(({ status }) => status === "open")) return;
    before = now;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}
