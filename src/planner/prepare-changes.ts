import type { ErrorCode } from "../core/error-codes.ts";
import { newId } from "../core/ids.ts";
import type { Problem } from "../protocol/problem.ts";
import type { StoredPlan } from "../store/plans.ts";
import type { ChangeSet } from "../transaction/change.ts";
import { readProfile } from "../workspace/profile.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { answerWithRepair, createCallRecord, type Rejection } from "./answer.ts";
import { type Ground, judgeActions, judgeApply } from "./judge.ts";
import type { PlannerDeps } from "./plan.ts";
import { applyMessages } from "./prompts.ts";

/** The change set of a plan on the files as they are now, or why there is none. */
export type Prepared = PreparedChanges | PrepareFailure;

/** A change set that may be shown and run. */
export interface PreparedChanges {
  readonly ok: true;
  readonly changeSet: ChangeSet;
  /** What the author says of it. */
  readonly summary: string;
  readonly traceId: string;
}

/** Why a plan has no change set. */
export interface PrepareFailure {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  readonly problems: readonly Problem[];
  readonly traceId: string;
}

/**
 * Turns a plan into its change set: the first time by asking the author for actions, later
 * from the stored actions against the files as they are now, so that files which changed give
 * another id and void what was approved. Nothing is written to the workspace.
 */
export async function prepareChanges(
  deps: PlannerDeps,
  plan: StoredPlan,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Prepared> {
  const maxActions = workspace.maxActions || (await readProfile(workspace.root)).maxActions;
  const ground = { workspace, seen: plan.files, maxActions };
  const prepared =
    judgeStored(deps, plan, ground) ?? (await askForActions(deps, plan, ground, signal));
  if (prepared.ok) {
    const { id, changes } = prepared.changeSet;
    const fields = { plan_id: plan.planId, change_set_id: id, changes: changes.length };
    deps.log("PREVIEW_READY", fields);
  }
  return prepared;
}

function judgeStored(deps: PlannerDeps, plan: StoredPlan, ground: Ground): Prepared | undefined {
  const stored = deps.plans.loadChangeSet(plan.planId);
  if (!stored) return undefined;
  const { actions, summary, traceId } = stored;
  const judged = judgeActions(actions, ground);
  return judged.ok
    ? { ok: true, changeSet: judged.value, summary, traceId }
    : fail(judged, traceId);
}

async function askForActions(
  deps: PlannerDeps,
  plan: StoredPlan,
  ground: Ground,
  signal: AbortSignal,
): Promise<Prepared> {
  const traceId = newId("trace");
  const startedAt = deps.clock.now();
  const record = createCallRecord();
  const { workspace } = ground;
  const messages = applyMessages(plan.messages, plan.summary);
  const request = { mode: "apply", goal: plan.goal, workspace, messages, signal } as const;
  const judge = (text: string) => judgeApply(text, ground);
  const verdict = await answerWithRepair(deps.author, request, judge, record, deps.log);
  const answer = verdict.ok ? { ok: true as const, value: verdict.value.response } : verdict;
  deps.trace(workspace, { traceId, mode: "apply", startedAt, record, verdict: answer });
  if (!verdict.ok) return fail(verdict, traceId);

  const { response, changeSet } = verdict.value;
  const summary = response.summary?.trim() || plan.summary;
  const isFirst = deps.plans.addChangeSet({
    planId: plan.planId,
    changeSetId: changeSet.id,
    summary,
    actions: response.actions,
    traceId,
    createdAt: startedAt,
  });
  // Asked twice at the same time: the first answer is the one that somebody may have approved.
  const first = isFirst ? undefined : judgeStored(deps, plan, ground);
  return first ?? { ok: true, changeSet, summary, traceId };
}

function fail({ code, message, problems = [] }: Rejection, traceId: string): PrepareFailure {
  return { ok: false, code, message, problems, traceId };
}
