import { AppError } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import type { Problem } from "../protocol/problem.ts";
import type { StoredPlan } from "../store/plans.ts";
import type { ChangeSet } from "../transaction/change.ts";
import { renderDiff, viewChanges } from "../transaction/preview.ts";
import { runTransaction } from "../transaction/run.ts";
import { redo, type UndoResult, undo } from "../transaction/undo.ts";
import type { OutcomeView, PreviewView } from "../transaction/views.ts";
import { resolveChecks } from "../workspace/checks.ts";
import type { CheckCommand, Workspace } from "../workspace/workspace.ts";
import { makePlan, type PlannerDeps, type PlanOutcome } from "./plan.ts";
import { type Prepared, prepareChanges } from "./prepare-changes.ts";

/** How much papa-yu may do by itself. */
export type Autonomy = "readonly" | "supervised" | "full";

/** A preview, or the faults that block it. */
export type PreviewOutcome =
  | { readonly ok: true; readonly preview: PreviewView; readonly traceId: string }
  | {
      readonly ok: false;
      readonly planId: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly blocked: readonly Problem[];
      readonly traceId?: string;
    };

/** An outcome with what the protocol report wants to know. */
export interface ApplyOutcome extends OutcomeView {
  readonly changeSetId?: string;
  readonly traceId?: string;
  /** Set when the apply waits for a person: ask, then call again with `approved`. */
  readonly preview?: PreviewView;
}

/** The use cases on a workspace, the same for every channel, command and routine. */
export interface Operations {
  plan(workspace: Workspace, goal: string, signal: AbortSignal): Promise<PlanOutcome>;
  preview(planId: string, signal: AbortSignal): Promise<PreviewOutcome>;
  /**
   * Applies exactly the change set with the id `approved`. Without one it applies only under
   * full autonomy and otherwise answers CONFIRM_REQUIRED with the preview to ask about.
   */
  apply(planId: string, options: ApplyOptions): Promise<ApplyOutcome>;
  undo(workspace: Workspace, signal: AbortSignal): Promise<OutcomeView>;
  redo(workspace: Workspace, signal: AbortSignal): Promise<OutcomeView>;
}

/** Options of {@link Operations.apply}. */
export interface ApplyOptions {
  /** The change set id a person said yes to. */
  readonly approved?: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

/** What {@link createOperations} needs beside the planner's own parts. */
export interface OperationsDeps extends PlannerDeps {
  readonly autonomy: Autonomy;
  /** The rules that hold in the folder of a stored plan. */
  readonly workspaceAt: (root: string) => Workspace;
}

/** Binds the use cases to their parts. */
export function createOperations(deps: OperationsDeps): Operations {
  return {
    plan: (workspace, goal, signal) => makePlan(deps, workspace, goal, signal),

    async preview(planId, signal) {
      const { prepared, preview } = await prepare(deps, planId, signal);
      if (preview && prepared.ok) return { ok: true, preview, traceId: prepared.stored.traceId };
      return blocked(planId, prepared);
    },

    async apply(planId, options) {
      const prepared = await prepare(deps, planId, options.signal);
      const refused = refuse(deps.autonomy, prepared, options.approved);
      return refused ?? commit(deps, prepared, options);
    },

    async undo(workspace, signal) {
      if (deps.autonomy === "readonly") return denied(workspace, "undo");
      return toUndoOutcome(workspace, await undo({ ...deps, workspace, signal }));
    },

    async redo(workspace, signal) {
      if (deps.autonomy === "readonly") return denied(workspace, "redo");
      return toUndoOutcome(workspace, await redo({ ...deps, workspace, signal }));
    },
  };
}

/** A plan with its change set computed on the files as they are now, ready to show or to run. */
interface Ready {
  readonly workspace: Workspace;
  readonly plan: StoredPlan;
  readonly prepared: Prepared;
  readonly checks: readonly CheckCommand[];
  /** Present when the change set could be computed. */
  readonly preview?: PreviewView;
}

async function prepare(deps: OperationsDeps, planId: string, signal: AbortSignal): Promise<Ready> {
  const plan = deps.plans.loadPlan(planId);
  if (!plan) {
    const message = `Cannot find the plan "${planId}"; papayu plan makes a new one`;
    throw new AppError("ERR_PLAN_UNKNOWN", message);
  }
  const workspace = deps.workspaceAt(plan.workspaceRoot);
  const [prepared, checks] = await Promise.all([
    prepareChanges(deps, plan, workspace, signal),
    resolveChecks(workspace),
  ]);
  const ready = { workspace, plan, prepared, checks };
  if (!prepared.ok) return ready;
  const { changeSet, stored } = prepared;
  return { ...ready, preview: toPreview(plan, stored.summary, changeSet, checks) };
}

function toPreview(
  plan: StoredPlan,
  summary: string,
  changeSet: ChangeSet,
  checks: readonly CheckCommand[],
): PreviewView {
  return {
    planId: plan.planId,
    changeSetId: changeSet.id,
    workspace: plan.workspaceName,
    summary,
    changes: viewChanges(changeSet),
    diff: renderDiff(changeSet),
    notes: changeSet.notes,
    checks: checks.map(({ argv }) => argv.join(" ")),
  };
}

function blocked(planId: string, prepared: Prepared): PreviewOutcome {
  if (prepared.ok) throw new Error("a prepared change set has a preview");
  const { code, message, problems, traceId } = prepared;
  return { ok: false, planId, code, message, blocked: problems, traceId };
}

/** Everything that ends an apply before anything is written. */
function refuse(
  autonomy: Autonomy,
  { workspace, prepared, preview }: Ready,
  approved: string | undefined,
): ApplyOutcome | undefined {
  const rejected = { ok: false, status: "rejected", workspace: workspace.name } as const;
  if (!prepared.ok || !preview) {
    if (prepared.ok) throw new Error("a prepared change set has a preview");
    const { code, message, traceId } = prepared;
    return { ...rejected, changes: [], errorCode: code, error: message, traceId };
  }
  const { changeSet, stored } = prepared;
  const { changes } = preview;
  const common = { changes, changeSetId: changeSet.id, traceId: stored.traceId };
  if (changes.length === 0) {
    return { ok: true, status: "no_changes", workspace: workspace.name, ...common };
  }
  if (autonomy === "readonly") {
    return { ...denied(workspace, "apply"), ...common };
  }
  if (approved === undefined && autonomy !== "full") {
    const error = "Cannot apply without approval; ask a person or pass --yes";
    return { ...rejected, ...common, errorCode: "CONFIRM_REQUIRED", error, preview };
  }
  if (approved !== undefined && approved !== changeSet.id) {
    const error = "Cannot apply: files changed since the change set was shown; look at it again";
    return { ...rejected, ...common, errorCode: "ERR_CHANGE_SET_STALE", error };
  }
  return undefined;
}

async function commit(
  deps: OperationsDeps,
  { workspace, plan, prepared, checks, preview }: Ready,
  { signal, onProgress }: ApplyOptions,
): Promise<ApplyOutcome> {
  if (!prepared.ok || !preview) throw new Error("refuse() lets only prepared change sets through");
  const { changeSet, stored } = prepared;
  const result = await runTransaction({
    workspace,
    changeSet,
    kind: "apply",
    summary: plan.goal,
    checks,
    checkTimeoutMs: workspace.checkTimeoutMs,
    clock: deps.clock,
    log: deps.log,
    signal,
    ...(onProgress && { onProgress }),
  });
  return {
    workspace: workspace.name,
    changes: preview.changes,
    changeSetId: changeSet.id,
    traceId: stored.traceId,
    ok: result.ok,
    status: result.status,
    ...(result.txId !== undefined && { txId: result.txId }),
    ...(result.check && { check: result.check }),
    ...(!result.ok && { errorCode: result.code, error: result.message }),
  };
}

function denied(workspace: Workspace, what: string): OutcomeView {
  return {
    ok: false,
    status: "rejected",
    workspace: workspace.name,
    changes: [],
    errorCode: "denied",
    error: `Cannot ${what}: security.autonomy is readonly; set it to supervised to allow it`,
  };
}

function toUndoOutcome(workspace: Workspace, result: UndoResult): OutcomeView {
  return {
    ok: result.ok,
    status: result.status,
    workspace: workspace.name,
    changes: "changeSet" in result ? viewChanges(result.changeSet) : [],
    ...(result.txId !== undefined && { txId: result.txId }),
    ...(!result.ok && { errorCode: result.code, error: result.message }),
  };
}
