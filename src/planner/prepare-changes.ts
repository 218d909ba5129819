import type { ErrorCode } from "../core/error-codes.ts";
import { newId } from "../core/ids.ts";
import type { Problem } from "../protocol/problem.ts";
import type { ProtocolVersion } from "../protocol/version.ts";
import type { StoredPlan } from "../store/plans.ts";
import type { ChangeSet } from "../transaction/change.ts";
import { readProfile } from "../workspace/profile.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { createCallRecord, type Rejection } from "./answer.ts";
import { askForActions } from "./ask-for-actions.ts";
import { type Ground, judgeActions } from "./judge.ts";
import type { PlannerDeps } from "./plan.ts";

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
  const ground: Ground = {
    workspace,
    version: plan.protocolVersion,
    normalizeEol: deps.normalizeEol,
    seen: plan.files,
    whole: plan.wholeFiles,
    maxActions,
  };
  const prepared = judgeStored(deps, plan, ground) ?? (await ask(deps, plan, ground, signal));
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
  const { actions, summary, attempts, wholeFiles, traceId } = stored;
  const version = attempts.at(-1) ?? ground.version;
  const whole = [...ground.whole, ...wholeFiles];
  const judged = judgeActions(actions, { ...ground, version, whole });
  return judged.ok
    ? { ok: true, changeSet: judged.value, summary, attempts, traceId }
    : fail(judged, { attempts, traceId });
}

async function ask(
  deps: PlannerDeps,
  plan: StoredPlan,
  ground: Ground,
  signal: AbortSignal,
): Promise<Prepared> {
  const traceId = newId("trace");
  const startedAt = deps.clock.now();
  const record = createCallRecord(ground.version);
  const verdict = await askForActions(deps, plan, ground, record, signal);
  const answer = verdict.ok ? { ok: true as const, value: verdict.value.response } : verdict;
  const { workspace } = ground;
  const { contextStats } = plan;
  const call = { traceId, mode: "apply", startedAt, record } as const;
  const facts = { ...call, contextStats, shown: ground };
  deps.trace(workspace, { ...facts, verdict: answer });
  const { attempts } = record;
  if (!verdict.ok) return fail(verdict, { attempts, traceId });

  const { response, changeSet } = verdict.value;
  if (response.memory_patch) deps.remember?.(workspace, response.memory_patch);
  const summary = response.summary?.trim() || plan.summary;
  const isFirst = deps.plans.addChangeSet({
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
  const first = isFirst ? undefined : judgeStored(deps, plan, ground);
  return first ?? { ok: true, changeSet, summary, attempts, traceId };
}

function fail({ code, message, problems = [] }: Rejection, origin: Origin): PrepareFailure {
  return { ok: false, code, message, problems, ...origin };
}
