import type { ErrorCode } from "../../core/error-codes.ts";
import { newId } from "../../core/ids.ts";
import { createOneAtATime } from "../../core/one-at-a-time.ts";
import type { Problem } from "../../protocol/problem.ts";
import type { ProtocolVersion } from "../../protocol/version.ts";
import type { StoredPlan } from "../../store/plans/plans.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { mostActionsIn } from "../../workspace/profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type AnswerDeps, createCallRecord, type Rejection } from "../answer.ts";
import type { ContextLimits } from "../context/context.ts";
import { type ApplyContext, evaluateActions } from "../evaluate/evaluate.ts";
import { type PlanRecords, rememberFor } from "../plan.ts";
import { applyMessages } from "../prompts/prompts.ts";
import { askForActions } from "./ask-for-actions.ts";

export { type Answered, askForActions } from "./ask-for-actions.ts";

/** What it takes to make changes of a plan. */
export interface ChangeDeps {
  readonly answers: AnswerDeps;
  readonly records: PlanRecords;
  /** `protocol.normalize_eol`. */
  readonly normalizeEol: "keep" | "lf";
  /** How much a model is shown. */
  readonly limits: ContextLimits;
}

/** The change set of a plan on the files as they are now, or why there is none. */
export type Prepared = PreparedChanges | PrepareFailure;

/** How the change set, or the failure, came about. */
export interface Origin {
  readonly traceId: string;
  /** Versions of the protocol in the order they were tried. */
  readonly attempts: readonly ProtocolVersion[];
}

/** A change set that may be shown and run. */
export interface PreparedChanges extends Origin {
  readonly ok: true;
  readonly changeSet: ChangeSet;
  /** What the author says of it. */
  readonly summary: string;
}

/** Why a plan has no change set. */
export interface PrepareFailure extends Origin {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  readonly problems: readonly Problem[];
}

/** Makes the change set of a plan, see {@link createPreparation}. */
export type Prepare = (
  plan: StoredPlan,
  workspace: Workspace,
  signal: AbortSignal,
) => Promise<Prepared>;

/**
 * Prepares changes one after another per plan: a button and a message that ask for the same change
 * set at the same time cost one request to the author, and the later one gets what is stored of it.
 */
export function createPreparation(deps: ChangeDeps): Prepare {
  const oneAtATime = createOneAtATime();
  return (plan, workspace, signal) =>
    oneAtATime(plan.planId, signal, () => prepareChanges(deps, plan, workspace, signal));
}

/**
 * Turns a plan into its change set: the first time by asking the author for actions, later
 * from the stored actions against the files as they are now, so that files which changed give
 * another id and void what was approved. Nothing is written to the workspace.
 */
async function prepareChanges(
  deps: ChangeDeps,
  plan: StoredPlan,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Prepared> {
  const context = await openApplyContext(deps, plan, workspace);
  const prepared =
    evaluateStored(deps.records, plan, context) ??
    (isByPerson(plan) ? lost(plan) : await ask(deps, plan, context, signal));
  if (prepared.ok) {
    const { id, changes } = prepared.changeSet;
    const fields = { plan_id: plan.planId, change_set_id: id, changes: changes.length };
    deps.answers.log("PREVIEW_READY", fields);
  }
  return prepared;
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
  context: ApplyContext,
  signal: AbortSignal,
): Promise<Prepared> {
  const traceId = newId("trace");
  const startedAt = records.clock.now();
  const record = createCallRecord(context.version);
  const wanted = {
    goal: plan.goal,
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
  if (response.memory_patch) rememberFor(records, workspace, plan.planId, response.memory_patch);
  const summary = response.summary?.trim() || plan.summary;
  const isFirst = records.plans.addChangeSet({
    planId: plan.planId,
    changeSetId: changeSet.id,
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

function fail({ code, message, problems = [] }: Rejection, origin: Origin): PrepareFailure {
  return { ok: false, code, message, problems, ...origin };
}
