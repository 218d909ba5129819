import { AppError } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import type { Log } from "../core/log.ts";
import type { Problem } from "../protocol/problem.ts";
import type { Autonomy } from "../security/policy.ts";
import type { PlanStore, StoredPlan } from "../store/plans.ts";
import type { Sandbox } from "../system/sandbox/sandbox.ts";
import type { ChangeSet } from "../transaction/change.ts";
import { keepLastCheck } from "../transaction/last-check.ts";
import { renderDiff, viewChanges } from "../transaction/preview.ts";
import { runTransaction } from "../transaction/run/run.ts";
import { redo, undo } from "../transaction/undo/undo.ts";
import type { OutcomeView, PreviewView } from "../transaction/views.ts";
import { findObstacles, resolveChecks } from "../workspace/checks/checks.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { oneLine } from "./offline/offline.ts";
import {
  createResearchOperations,
  planOnline,
  type ResearchOperations,
  type ResearchOperationsDeps,
} from "./online/online.ts";
import {
  type FolderDeps,
  type FolderOf,
  findFolder,
  openFolder,
  recoverAndTell,
  recoverFirst,
} from "./open-folder.ts";
import { deny, reject, toFiles, toUndoOutcome } from "./outcome-view.ts";
import type { PlanOptions, PlanOutcome } from "./plan.ts";
import {
  type ChangeDeps,
  createPreparation,
  type Origin,
  type Prepared,
  type PreparedChanges,
} from "./prepare-changes.ts";

/** A preview, or the faults that block it. */
export type PreviewOutcome =
  | ({ readonly ok: true; readonly preview: PreviewView } & Origin)
  | ({
      readonly ok: false;
      readonly planId: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly blocked: readonly Problem[];
    } & Origin);

/** An outcome with what the protocol report wants to know. */
export interface ApplyOutcome extends OutcomeView {
  readonly changeSetId?: string;
  readonly origin?: Origin;
  /** Set when the apply waits for a person: ask, then call again with `approved`. */
  readonly preview?: PreviewView;
}

/** The use cases on a workspace, the same for every channel, command and routine. */
export interface Operations extends ResearchOperations {
  plan(workspace: Workspace, goal: string, options: PlanOptions): Promise<PlanOutcome>;
  /** Plans the goal of a plan again, in its folder, with a note on what the plan came to. */
  planAgain(
    planId: string,
    note: string,
    options: PlanOptions,
  ): Promise<{ readonly workspace: Workspace; readonly plan: PlanOutcome }>;
  /** What a plan is bound to, where the configuration has that no more; undefined: it has. */
  goneFolder(planId: string): Promise<FolderOf | undefined>;
  preview(planId: string, signal: AbortSignal): Promise<PreviewOutcome>;
  /**
   * Applies exactly the change set with the id `approved`. Without one it applies only under
   * full autonomy and otherwise answers CONFIRM_REQUIRED with the preview to ask about.
   */
  apply(planId: string, options: ApplyOptions): Promise<ApplyOutcome>;
  /** Undoes the newest change. */
  undo(workspace: Workspace, signal: AbortSignal, which?: TakeBackOptions): Promise<OutcomeView>;
  /** Redoes the newest undo. */
  redo(workspace: Workspace, signal: AbortSignal, which?: TakeBackOptions): Promise<OutcomeView>;
}

/** What {@link Operations.undo} and {@link Operations.redo} may be told. */
export interface TakeBackOptions {
  /** Nothing but this transaction, while it is the newest. */
  readonly only?: string;
  /** What it is done for, as the journal will say. */
  readonly work?: string;
}

/** Options of {@link Operations.apply}. */
export interface ApplyOptions {
  /** The change set id a person said yes to. */
  readonly approved?: string;
  /** Ask even under full autonomy: others' text may be behind it, or behind writing these files. */
  readonly mustAsk?: boolean | ((paths: readonly string[]) => boolean);
  /** What it is done for, as the journal will say. */
  readonly work?: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

/** What {@link createOperations} needs. */
export interface OperationsDeps extends ResearchOperationsDeps {
  readonly changes: ChangeDeps;
  readonly folders: FolderDeps;
  readonly transactions: TransactionDeps;
}

/** What a transaction is run with. */
export interface TransactionDeps {
  readonly autonomy: Autonomy;
  /** What checks run in. */
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly log: Log;
}

/** Binds the use cases to their parts. */
export function createOperations(deps: OperationsDeps): Operations {
  const { changes, folders, transactions } = deps;
  const { plans } = changes.records;
  const { autonomy, clock, log } = transactions;
  const prepare = createPreparation(changes);
  return {
    ...createResearchOperations(deps, (bound) => openFolder(folders, bound)),

    async plan(workspace, goal, options) {
      recoverFirst(folders, workspace);
      return planOnline(deps, workspace, goal, options);
    },

    async planAgain(planId, note, options) {
      const { plan, workspace } = openPlan(plans, folders, planId);
      const goal = `${plan.goal}\n\n${note}`;
      return { workspace, plan: await planOnline(deps, workspace, goal, options) };
    },

    async goneFolder(planId) {
      const plan = plans.loadPlan(planId);
      return plan && !findFolder(folders, plan) ? plan : undefined;
    },

    async preview(planId, signal) {
      const { plan, workspace } = openPlan(plans, folders, planId);
      const prepared = await prepare(plan, workspace, signal);
      const origin = toOrigin(prepared);
      if (prepared.ok) {
        return { ok: true, preview: await buildPreview(plan, workspace, prepared), ...origin };
      }
      const { code, message, problems: blocked } = prepared;
      return { ok: false, planId, code, message, blocked, ...origin };
    },

    async apply(planId, options) {
      const { plan, workspace } = openPlan(plans, folders, planId);
      if (autonomy === "readonly") return deny(workspace, "apply");
      const prepared = await prepare(plan, workspace, options.signal);
      return prepared.ok
        ? applyPrepared(transactions, plan, workspace, prepared, options)
        : { ...reject(workspace, prepared.code, prepared.message), origin: toOrigin(prepared) };
    },

    async undo(workspace, signal, which) {
      if (autonomy === "readonly") return deny(workspace, "undo");
      recoverAndTell(folders, workspace);
      return toUndoOutcome(workspace, await undo({ workspace, signal, clock, log, ...which }));
    },

    async redo(workspace, signal, which) {
      if (autonomy === "readonly") return deny(workspace, "redo");
      recoverAndTell(folders, workspace);
      return toUndoOutcome(workspace, await redo({ workspace, signal, clock, log, ...which }));
    },
  };
}

function toOrigin({ traceId, attempts }: Prepared): Origin {
  return { traceId, attempts };
}

/** A stored plan, and its folder. */
function openPlan(plans: PlanStore, folders: FolderDeps, planId: string) {
  const plan = plans.loadPlan(planId);
  if (!plan) {
    const message = `Cannot find the plan "${planId}"; papayu plan makes a new one`;
    throw new AppError("ERR_PLAN_UNKNOWN", message);
  }
  return { plan, workspace: openFolder(folders, plan) };
}

async function buildPreview(
  plan: StoredPlan,
  workspace: Workspace,
  { changeSet, summary }: PreparedChanges,
): Promise<PreviewView> {
  const checks = await resolveChecks(workspace);
  return {
    planId: plan.planId,
    changeSetId: changeSet.id,
    workspace: workspace.name,
    summary,
    changes: viewChanges(changeSet),
    diff: renderDiff(changeSet),
    notes: [...changeSet.notes, ...(await findObstacles(workspace, checks))],
    checks: checks.map(({ argv }) => argv.join(" ")),
  };
}

/** Runs a change set that is approved, or that needs no approval. */
async function applyPrepared(
  deps: TransactionDeps,
  plan: StoredPlan,
  workspace: Workspace,
  prepared: PreparedChanges,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const { changeSet } = prepared;
  const { approved, mustAsk } = options;
  const changes = viewChanges(changeSet);
  const origin = toOrigin(prepared);
  const common = { workspace: workspace.name, changes, changeSetId: changeSet.id, origin };
  if (changes.length === 0) {
    const reason = prepared.summary.replace(/^\s*NO_CHANGES:\s*/u, "");
    return { ok: true, status: "no_changes", reason, ...common };
  }
  const paths = changes.map(({ path }) => path);
  const isAsked = typeof mustAsk === "function" ? mustAsk(paths) : mustAsk === true;
  if (approved === undefined && (isAsked || deps.autonomy !== "full")) {
    const error = "Cannot apply without approval; ask a person or pass --yes";
    const preview = await buildPreview(plan, workspace, prepared);
    return { ...reject(workspace, "CONFIRM_REQUIRED", error), ...common, preview };
  }
  if (approved !== undefined && approved !== changeSet.id) {
    const error =
      "Cannot apply: files or settings changed since the change set was shown; look at it again";
    return { ...reject(workspace, "ERR_CHANGE_SET_STALE", error), ...common };
  }
  return { ...(await commit(deps, plan, workspace, changeSet, options)), ...common };
}

async function commit(
  { clock, log, sandbox }: TransactionDeps,
  { goal }: StoredPlan,
  workspace: Workspace,
  changeSet: ChangeSet,
  { signal, onProgress, work }: ApplyOptions,
): Promise<Omit<OutcomeView, "workspace" | "changes">> {
  const result = await runTransaction({
    workspace,
    changeSet,
    kind: "apply",
    summary: toHistoryLine(goal),
    checks: await resolveChecks(workspace),
    checkTimeoutMs: workspace.checkTimeoutMs,
    sandbox,
    clock,
    log,
    signal,
    ...(work !== undefined && { work }),
    ...(onProgress && { onProgress }),
  });
  const { check, txId } = result;
  if (check && txId !== undefined) keepLastCheck(workspace, check, { now: clock.now(), txId, log });
  return {
    ok: result.ok,
    status: result.status,
    ...(result.txId !== undefined && { txId: result.txId }),
    ...(result.check && { check: result.check }),
    ...(!result.ok && { errorCode: result.code, error: result.message }),
    ...toFiles(result),
  };
}

/** A history has one line for each transaction; a half character would not survive the disk. */
function toHistoryLine(goal: string): string {
  const [request = goal] = goal.split(/\n\s*\n/u, 1); // what follows is a note on an earlier plan
  return oneLine(request.toWellFormed())
    .slice(0, HISTORY_CHARS)
    .replace(/\p{Cs}$/u, "");
}

const HISTORY_CHARS = 80;
