import { newId } from "../../core/ids.ts";
import type { ProtocolVersion } from "../../protocol/version.ts";
import type { StoredPlan } from "../../store/plans/plans.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { contentIdOf } from "../../transaction/change-set.ts";
import { mostActionsIn } from "../../workspace/profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { createCallRecord } from "../answer.ts";
import { type ApplyContext, evaluateActions } from "../evaluate/evaluate.ts";
import { type PlanRecords, rememberFor } from "../plan.ts";
import { applyMessages, renderGoal } from "../prompts/prompts.ts";
import { askForActions } from "./ask-for-actions.ts";
import { type ChangeDeps, fail, type Prepared, type PrepareFailure } from "./prepared.ts";

/**
 * Turns a plan into its change set: the first time by asking the author for actions, later
 * from the stored actions against the files as they are now, so that files which changed give
 * another id and void what was approved; `on` is a change set of which they are taken to be the
 * result. Nothing is written to the workspace.
 */
export async function prepareOne(
  deps: ChangeDeps,
  plan: StoredPlan,
  workspace: Workspace,
  signal: AbortSignal,
  { on, headId = plan.planId }: PartOf = {},
): Promise<Prepared> {
  const opened = await openApplyContext(deps, plan, workspace);
  const context = on ? { ...opened, on } : opened;
  const stored = evaluateStored(deps.records, plan, context);
  if (stored) return stored;
  return isByPerson(plan) ? lost(plan) : ask(deps, plan, { ...context, headId }, signal);
}

/** Of a part of a plan: what those before it leave, and the plan itself. */
export interface PartOf {
  readonly on?: ChangeSet | undefined;
  /** What is to be remembered belongs to that. */
  readonly headId?: string;
}

/** Whether a person brought the changes: no author has a part in it, to correct it neither. */
export function isByPerson({ messages }: Pick<StoredPlan, "messages">): boolean {
  return messages.length === 0;
}

function lost({ planId, goal }: StoredPlan): PrepareFailure {
  const message = `Cannot find the changes of the plan "${planId}" (${goal}); give the patch again`;
  return { ok: false, code: "ERR_PLAN_UNKNOWN", message, problems: [], traceId: "", attempts: [] };
}

/** What the actions of a plan are evaluated against, before anything is known of them. */
export async function openApplyContext(
  { normalizeEol }: Pick<ChangeDeps, "normalizeEol">,
  { protocolVersion: version, files: seen, wholeFiles: whole }: StoredPlan,
  workspace: Workspace,
): Promise<ApplyContext> {
  const maxActions = await mostActionsIn(workspace);
  return { workspace, version, normalizeEol, seen, whole, maxActions };
}

function evaluateStored(
  { plans }: PlanRecords,
  plan: StoredPlan,
  context: ApplyContext,
): Prepared | undefined {
  const stored = plans.loadChangeSet(plan.planId);
  if (!stored) return undefined;
  const { actions, summary, attempts, wholeFiles, traceId } = stored;
  const version = attempts.at(-1) ?? context.version;
  const whole = [...context.whole, ...wholeFiles];
  const evaluated = evaluateActions(actions, { ...context, version, whole });
  return evaluated.ok
    ? { ok: true, changeSet: evaluated.value, summary, attempts, traceId }
    : fail(evaluated, { attempts, traceId });
}

async function ask(
  { answers, records }: ChangeDeps,
  plan: StoredPlan,
  { headId, ...context }: ApplyContext & { readonly headId: string },
  signal: AbortSignal,
): Promise<Prepared> {
  const traceId = newId("trace");
  const startedAt = records.clock.now();
  const record = createCallRecord(context.version, records.clock.now);
  const wanted = {
    goal: renderGoal(plan.goal, plan.notes),
    toMessages: (version: ProtocolVersion, note?: string) => applyMessages(plan, version, note),
  };
  const verdict = await askForActions(answers, wanted, context, record, signal);
  const answer = verdict.ok ? { ok: true as const, value: verdict.value.response } : verdict;
  const { workspace, seen, whole } = context;
  const { contextStats } = plan;
  const call = { traceId, startedAt, record, verdict: answer, contextStats };
  records.trace(workspace, { ...call, shown: { mode: "apply", seen, whole } });
  const { attempts } = record;
  if (!verdict.ok) return fail(verdict, { attempts, traceId });

  const { response, changeSet } = verdict.value;
  if (response.memory_patch) rememberFor(records, workspace, headId, response.memory_patch);
  const summary = response.summary?.trim() || plan.summary;
  const isFirst = records.plans.addChangeSet({
    planId: plan.planId,
    contentId: contentIdOf(changeSet.changes),
    summary,
    actions: response.actions,
    attempts,
    wholeFiles: verdict.value.wholeFiles,
    traceId,
    createdAt: startedAt,
  });
  // Asked twice at the same time: the first answer is the one that somebody may have approved.
  const first = isFirst ? undefined : evaluateStored(records, plan, context);
  return first ?? { ok: true, changeSet, summary, attempts, traceId };
}
