import type { ErrorCode } from "../core/error-codes.ts";
import { createOneAtATime } from "../core/one-at-a-time.ts";
import type { Problem } from "../protocol/problem.ts";
import type { CheckStep } from "../transaction/change.ts";
import { keepShown } from "../transaction/last-check.ts";
import { redo, undo } from "../transaction/undo/undo.ts";
import type { OutcomeView, PlannedCheck, PreviewView, Step } from "../transaction/views.ts";
import { resolveChecks } from "../workspace/checks/checks.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  type ApplyOptions,
  type ApplyOutcome,
  applyPrepared,
  explainOutdated,
  previewPrepared,
  type TakeBackOptions,
  type TransactionDeps,
  toOrigin,
  undoSeries,
} from "./apply/apply.ts";
import type { Shown, ShownAgain } from "./apply/shown-again.ts";
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
  openPlan,
  recoverAndTell,
  recoverFirst,
} from "./open-folder.ts";
import { deny, readonlyRefusal, reject, toUndoOutcome, withPlanAgain } from "./outcome-view.ts";
import type { PlanOptions, PlanOutcome } from "./plan.ts";
import type { NamedPatch, PatchPlan } from "./prepare/plan-patch.ts";
import { createPreparation, type Origin } from "./prepare/prepare.ts";
import { createRevisions, type Revisions } from "./revise/revise.ts";
import {
  type Another,
  type AnotherDeps,
  type AnotherOptions,
  offerTries,
  type Tries,
  type TryOptions,
  tryAnother,
  tryWays,
  type Way,
  waysTo,
} from "./tries/tries.ts";
import type { UndoCheck } from "./verify/check-undo.ts";
import {
  checkFolder,
  describeChecks,
  type FolderCheck,
  noteApproved,
  noteSeen,
  type Wanted,
} from "./verify/verify.ts";

export type { ApplyOptions, ApplyOutcome, TransactionDeps } from "./apply/apply.ts";
export type { ShownAgain } from "./apply/shown-again.ts";
export type { LeftChange } from "./revise/revise.ts";
export type { Another } from "./tries/tries.ts";
export type { Wanted } from "./verify/verify.ts";

/** A preview, or the faults that block it. */
export type PreviewOutcome =
  | ({ readonly ok: true; readonly preview: PreviewView } & Origin)
  | ({
      readonly ok: false;
      readonly planId: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly blocked: readonly Problem[];
      /** The same as what an apply would come to. */
      readonly rejected: OutcomeView;
    } & Origin);

/** The use cases on a workspace, the same for every channel, command and routine. */
export interface Operations extends ResearchOperations, Revisions {
  plan(workspace: Workspace, goal: string, options: PlanOptions): Promise<PlanOutcome>;
  /** Stores what a patch of a person comes to as a plan; no author has a part in it. */
  planPatch(workspace: Workspace, patch: NamedPatch): Promise<PatchPlan>;
  /**
   * Plans a goal in `count` ways, 1 to 4: by other models, or with one by temperature. Each becomes a
   * change set that is checked and corrected as by a preview; the smallest that passes comes first.
   * Built-in rules have one way.
   */
  tryWays(workspace: Workspace, goal: string, count: number, options: TryOptions): Promise<Tries>;
  /**
   * Plans the goal of a plan once more, in a way in which it was not planned yet: by another model, or
   * at another temperature with what was planned before. A goal has 4 ways at most, failed and
   * cancelled ones too. All of them are compared as by `tryWays`.
   */
  tryAnother(planId: string, options: AnotherOptions): Promise<Another>;
  /** The plans for the goal of a plan, itself among them; none where it is not known by whom it was made. */
  waysOf(planId: string): Promise<readonly string[]>;
  /** The binding of a plan whose folder the configuration no longer has; undefined: it has it. */
  goneFolder(planId: string): Promise<FolderOf | undefined>;
  /**
   * Shows the change set of a plan, its checks run in a view of the folder where there is one. What
   * a person wants for it beyond the configuration holds for it from then on.
   */
  preview(
    planId: string,
    signal: AbortSignal,
    onProgress?: (step: Step) => void,
    wanted?: Wanted,
  ): Promise<PreviewOutcome>;
  /**
   * What was shown for approval by this id, for who reads it once more: no author is asked, nothing
   * runs or is stored. Undefined: the plan, its folder or the files are others by now.
   */
  showAgain(
    planId: string,
    changeSetId: string,
    signal: AbortSignal,
  ): Promise<ShownAgain | undefined>;
  /**
   * Applies exactly the change set with the id `approved`. Without one it applies only under
   * full autonomy and otherwise answers CONFIRM_REQUIRED with the preview to ask about. Where the
   * checks ran in a view and failed, nothing is written.
   */
  apply(planId: string, options: ApplyOptions): Promise<ApplyOutcome>;
  /** What was shown with a plan to check its folder with has been seen: it may run from now on. */
  seeChecks(planId: string): Promise<void>;
  /**
   * The checks of a folder, with what is known of them. `isShown`: its owner reads the answer, and
   * has seen them then.
   */
  listChecks(workspace: Workspace, isShown: boolean): Promise<readonly PlannedCheck[]>;
  /** Runs the checks of a folder as it is, in a view of it: whoever asks for that may. */
  check(
    workspace: Workspace,
    signal: AbortSignal,
    onProgress?: (step: CheckStep) => void,
  ): Promise<FolderCheck>;
  /** Runs the checks on what an undo of the newest change would give, in a view of the folder. */
  checkUndo(
    workspace: Workspace,
    signal: AbortSignal,
    onProgress?: (step: CheckStep) => void,
  ): Promise<UndoCheck>;
  /** Undoes the newest change. */
  undo(workspace: Workspace, signal: AbortSignal, which?: TakeBackOptions): Promise<OutcomeView>;
  /** Redoes the newest undo. */
  redo(workspace: Workspace, signal: AbortSignal, which?: TakeBackOptions): Promise<OutcomeView>;
}

/** What {@link createOperations} needs. */
export interface OperationsDeps
  extends Way,
    Pick<ResearchOperationsDeps, "online">,
    Pick<AnotherDeps, "ways" | "paying"> {
  readonly folders: FolderDeps;
  readonly transactions: TransactionDeps;
  /** `agent.max_fix_rounds`. */
  readonly maxFixRounds: number;
}

/** Binds the use cases to their parts. */
export function createOperations(deps: OperationsDeps): Operations {
  const { changes, folders, transactions, maxFixRounds } = deps;
  const { plans } = changes.records;
  const { autonomy, clock, log } = transactions;
  const prepare = createPreparation(changes);
  const oneAtATime = createOneAtATime();
  const correcting = { transactions, changes, maxFixRounds, oneAtATime };
  const trying = { ...deps, oneAtATime };
  const showBound = async (shown: Shown, signal: AbortSignal) => {
    const { showAgain } = await import("./apply/shown-again.ts"); // for pages alone
    return showAgain(correcting, shown, signal);
  };
  return {
    ...createResearchOperations(deps, (bound) => openFolder(folders, bound)),
    ...createRevisions({
      changes,
      open: (planId) => openPlan(plans, folders, planId),
      plan: ({ plan, workspace }, options) => planOnline(deps, workspace, plan.goal, options),
      showAgain: (bound, changeSetId, signal) => showBound({ ...bound, changeSetId }, signal),
    }),

    async plan(workspace, goal, options) {
      recoverFirst(folders, workspace);
      return planOnline(deps, workspace, goal, options);
    },

    async planPatch(workspace, patch) {
      recoverFirst(folders, workspace);
      const { planPatch } = await import("./prepare/plan-patch.ts"); // few bring one
      return planPatch(changes, workspace, patch);
    },

    async tryWays(workspace, goal, count, options) {
      recoverFirst(folders, workspace);
      return tryWays({ ...trying, ways: deps.ways(count) }, workspace, goal, options);
    },

    async tryAnother(planId, options) {
      return tryAnother(trying, openPlan(plans, folders, planId), options);
    },

    async waysOf(planId) {
      const plan = plans.loadPlan(planId);
      return plan ? waysTo(trying, plan).flatMap((way) => way.planId ?? []) : [];
    },

    async goneFolder(planId) {
      const plan = plans.loadPlan(planId);
      return plan && !findFolder(folders, plan) ? plan : undefined;
    },

    async preview(planId, signal, onProgress, wanted) {
      const { plan, workspace } = openPlan(plans, folders, planId);
      const prepared = await prepare(plan, workspace, signal, onProgress);
      const origin = toOrigin(prepared);
      if (prepared.ok) {
        const waiting = { signal, ...(onProgress && { onProgress }), ...(wanted && { wanted }) };
        const ready = { plan, workspace, prepared };
        const preview = await previewPrepared(correcting, ready, waiting);
        keepShown(transactions, workspace, preview.checked);
        return { ok: true, preview: offerTries(trying, plan, preview), ...origin };
      }
      const { code, message, problems: blocked } = prepared;
      const rejected = withPlanAgain(plan, reject(workspace, code, message));
      return { ok: false, planId, code, message, blocked, rejected, ...origin };
    },

    async showAgain(planId, changeSetId, signal) {
      const plan = plans.loadPlan(planId);
      const workspace = plan && findFolder(folders, plan);
      if (!plan || !workspace) return undefined;
      const shown = await showBound({ plan, workspace, changeSetId }, signal);
      return shown && { ...shown, preview: offerTries(trying, plan, shown.preview) };
    },

    async apply(planId, options) {
      const { plan, workspace } = openPlan(plans, folders, planId);
      if (autonomy === "readonly") return deny(workspace, "apply");
      const { signal } = options;
      const prepared = await prepare(plan, workspace, signal, options.onProgress);
      const outcome: ApplyOutcome = prepared.ok
        ? await applyPrepared(correcting, { plan, workspace, prepared }, options)
        : { ...reject(workspace, prepared.code, prepared.message), origin: toOrigin(prepared) };
      const told = await explainOutdated({ plans }, { plan, workspace }, outcome, signal);
      const { preview } = told;
      return preview ? { ...told, preview: offerTries(trying, plan, preview) } : told;
    },

    async seeChecks(planId) {
      const { plan, workspace } = openPlan(plans, folders, planId);
      noteApproved(transactions.verifications.known, workspace, plan.planId);
    },

    async listChecks(workspace, isShown) {
      const { known } = transactions.verifications;
      const checks = await resolveChecks(workspace);
      if (isShown) noteSeen(known, workspace, checks);
      return describeChecks(known, workspace, checks);
    },

    async check(workspace, signal, onProgress) {
      if (autonomy === "readonly") throw readonlyRefusal("check");
      recoverFirst(folders, workspace);
      return checkFolder(transactions, { workspace, signal, ...(onProgress && { onProgress }) });
    },

    async checkUndo(workspace, signal, onProgress) {
      if (autonomy === "readonly") throw readonlyRefusal("undo");
      recoverFirst(folders, workspace);
      const { checkUndo } = await import("./verify/check-undo.ts");
      return checkUndo(transactions, { workspace, signal, ...(onProgress && { onProgress }) });
    },

    async undo(workspace, signal, { checked, isSeries = false, ...which } = {}) {
      if (autonomy === "readonly") return deny(workspace, "undo");
      recoverAndTell(folders, workspace);
      const exact = checked && {
        only: checked.txId,
        exactly: checked.changeSet.id,
        isAsChecked: async () => {
          const { isUndoCurrent } = await import("./verify/check-undo.ts");
          return isUndoCurrent(workspace, checked, signal);
        },
      };
      const request = { workspace, signal, clock, log, ...which, ...exact };
      return isSeries ? undoSeries(request) : toUndoOutcome(workspace, await undo(request));
    },

    async redo(workspace, signal, which) {
      if (autonomy === "readonly") return deny(workspace, "redo");
      recoverAndTell(folders, workspace);
      return toUndoOutcome(workspace, await redo({ workspace, signal, clock, log, ...which }));
    },
  };
}
