import type { ErrorCode } from "../core/error-codes.ts";
import { newId } from "../core/ids.ts";
import type { Problem } from "../protocol/problem.ts";
import type { StoredChangeSet, StoredPlan } from "../store/plans.ts";
import type { ChangeSet } from "../transaction/change.ts";
import { computeChangeSet } from "../transaction/compute.ts";
import { readProfile } from "../workspace/profile.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { answerWithRepair, createCallRecord } from "./answer.ts";
import { judgeApply } from "./judge.ts";
import type { PlannerDeps } from "./plan.ts";
import { applyMessages } from "./prompts.ts";

/** The change set of a plan, or why there is none. */
export type Prepared =
  | {
      readonly ok: true;
      readonly stored: StoredChangeSet;
      readonly changeSet: ChangeSet;
    }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      readonly problems: readonly Problem[];
      readonly traceId: string;
    };

/**
 * Turns a plan into its change set: the first time by asking the author for actions, later
 * from the stored actions against the files as they are now. Nothing is written to the workspace.
 */
export async function prepareChanges(
  deps: PlannerDeps,
  plan: StoredPlan,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Prepared> {
  const stored = deps.plans.loadChangeSet(plan.planId);
  return stored ? recompute(deps, stored, workspace) : askForActions(deps, plan, workspace, signal);
}

/** Same actions on changed files give another id, so that approvals of the old one are void. */
function recompute(deps: PlannerDeps, stored: StoredChangeSet, workspace: Workspace): Prepared {
  const computed = computeChangeSet(workspace, stored.actions);
  if (!computed.ok) {
    const { problems } = computed;
    const message = problems.map((problem) => problem.message).join("; ");
    const code = problems[0]?.code ?? "ERR_CHANGE_SET_STALE";
    return { ok: false, code, message, problems, traceId: stored.traceId };
  }
  const { changeSet } = computed;
  const current = { ...stored, changeSetId: changeSet.id };
  if (current.changeSetId !== stored.changeSetId) deps.plans.saveChangeSet(current);
  return { ok: true, stored: current, changeSet };
}

async function askForActions(
  deps: PlannerDeps,
  plan: StoredPlan,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Prepared> {
  const traceId = newId("trace");
  const startedAt = deps.clock.now();
  const record = createCallRecord();
  const messages = applyMessages(plan.messages, plan.summary);
  const request = { mode: "apply", goal: plan.goal, workspace, messages, signal } as const;
  const maxActions = workspace.maxActions || (await readProfile(workspace.root)).maxActions;
  const judge = (text: string) => judgeApply(text, workspace, plan.files, maxActions);
  const verdict = await answerWithRepair(deps.author, request, judge, record, deps.log);
  deps.trace(workspace, {
    traceId,
    mode: "apply",
    startedAt,
    record,
    verdict: verdict.ok ? { ok: true, value: verdict.value.response } : verdict,
  });
  if (!verdict.ok) {
    const { code, message } = verdict;
    return { ok: false, code, message, problems: verdict.problems ?? [], traceId };
  }

  const { response, changeSet } = verdict.value;
  const stored: StoredChangeSet = {
    planId: plan.planId,
    changeSetId: changeSet.id,
    summary: response.summary?.trim() ?? plan.summary,
    actions: response.actions,
    traceId,
    createdAt: startedAt,
  };
  deps.plans.saveChangeSet(stored);
  deps.log("PREVIEW_READY", { plan_id: plan.planId, changes: changeSet.changes.length });
  return { ok: true, stored, changeSet };
}
