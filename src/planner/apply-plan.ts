import { AppError, errorMessage } from "../core/app-error.ts";
import { isInterrupted } from "../core/interruption.ts";
import { whyNothing } from "../protocol/why-nothing.ts";
import type { CheckResult } from "../transaction/change.ts";
import { keepLastCheck } from "../transaction/last-check.ts";
import { viewChanges } from "../transaction/preview.ts";
import { runTransaction } from "../transaction/run/run.ts";
import { keepCommitted } from "../transaction/view/view.ts";
import type { OutcomeView, PreviewView } from "../transaction/views.ts";
import { isSameAsSeen } from "../workspace/fingerprint.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  type Candidate,
  type CorrectDeps,
  isUnseen,
  loadCandidate,
  loadKnown,
  type Ready,
  readStateFor,
  type TransactionDeps,
  type Verified,
  verifyCandidate,
  type Waiting,
} from "./correct/correct.ts";
import {
  buildPreview,
  isUnmade,
  keepFailed,
  madeIn,
  refuseFailed,
  refuseStale,
  reject,
  toBeyond,
  toChecked,
  toFiles,
  toHistoryLine,
  whyAsked,
} from "./outcome-view.ts";
import type { Origin, Prepared } from "./prepare/prepare.ts";
import {
  checksOf,
  isExcused,
  type KeepAsked,
  noteApproved,
  noteTimes,
  skippedIn,
  untilStill,
} from "./verify/verify.ts";

export type { TransactionDeps } from "./correct/correct.ts";

/** An outcome with the facts that the protocol report needs. */
export interface ApplyOutcome extends OutcomeView {
  readonly changeSetId?: string;
  readonly origin?: Origin;
  /** Set when the apply waits for a person: ask, then call again with `approved`. */
  readonly preview?: PreviewView;
}

/** Options of an apply. */
export interface ApplyOptions {
  /** The change set id a person said yes to. */
  readonly approved?: string;
  /** Ask even under full autonomy: others' text may be behind it, or behind writing these files. */
  readonly mustAsk?: boolean | ((paths: readonly string[]) => boolean);
  /** Nobody sees it run: what the workspace says of checks that failed before decides. */
  readonly isRoutine?: boolean;
  /** The id of the work it belongs to, as the journal records it. */
  readonly work?: string;
  /** Files that its commands changed and that are to be part of it. */
  readonly keep?: KeepAsked;
  readonly signal: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

/** How a change set came about. */
export function toOrigin({ traceId, attempts }: Prepared): Origin {
  return { traceId, attempts };
}

/** The change set of a plan to be looked at, checked and corrected where that may be before a yes. */
export async function previewPrepared(
  deps: CorrectDeps,
  ready: Ready,
  waiting: Waiting,
): Promise<PreviewView> {
  const { candidate, verified } = await verifyCandidate(deps, ready, waiting, {
    isOpen: true,
    isAgain: false,
  });
  return buildPreview(deps.transactions, candidate, verified);
}

/** Runs a change set that is approved, or that needs no approval. */
export async function applyPrepared(
  deps: CorrectDeps,
  ready: Ready,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const { prepared, workspace } = ready;
  const origin = toOrigin(prepared);
  if (prepared.changeSet.changes.length === 0) {
    const reason = whyNothing(prepared.summary) ?? prepared.summary;
    const nothing = { workspace: workspace.name, changes: [], reason, origin };
    return { ok: true, status: "no_changes", changeSetId: prepared.changeSet.id, ...nothing };
  }
  try {
    const outcome = await (options.approved === undefined
      ? untilStill((isFirst) => applyUnasked(deps, ready, options, isFirst))
      : applyApproved(deps, ready, options.approved, options));
    return { ...outcome, origin };
  } catch (error) {
    if (!options.signal.aborted) return { ...rejectStale(workspace, error), origin };
    const code = isInterrupted(options.signal) ? "ERR_INTERRUPTED" : "ERR_CANCELLED";
    return { ...reject(workspace, code, `Cannot apply: ${errorMessage(error)}`), origin };
  }
}

/** Files that changed while it was checked or corrected: an outcome like any; all else is thrown. */
function rejectStale(workspace: Workspace, error: unknown): OutcomeView {
  const isStale = error instanceof AppError && error.code === "ERR_CHANGE_SET_STALE";
  if (!isStale) throw error;
  return reject(workspace, error.code, error.message);
}

/** Without an approval: applies as far as the autonomy level allows, and asks otherwise. */
async function applyUnasked(
  correcting: CorrectDeps,
  ready: Ready,
  options: ApplyOptions,
  isAgain: boolean,
): Promise<ApplyOutcome | undefined> {
  const { transactions: deps } = correcting;
  const { workspace } = ready;
  const asking = { isOpen: true, isAgain };
  const { candidate, verified } = await verifyCandidate(correcting, ready, options, asking);
  const { changeSet } = verified ?? candidate;
  const paths = changeSet.changes.map(({ path }) => path);
  const { mustAsk, isRoutine = false } = options;
  const isAsked = typeof mustAsk === "function" ? mustAsk(paths) : mustAsk === true;
  const mayRun = deps.autonomy === "full" && !isAsked && !(await isUnseen(deps, candidate));
  const failed = verified?.check.ok === false ? verified : undefined;
  const onFailing = mayRun && isRoutine ? (workspace.onFailingBaseline ?? "ask") : "ask";
  if (failed && (!isExcused(failed.check) || onFailing === "refuse")) {
    return refuseFailed(deps, workspace, failed);
  }
  const isBeyond = toBeyond(candidate).fixPaths !== undefined; // nobody has asked for that
  const isLeftOpen = (failed && onFailing === "ask") || isUnmade(verified) || isBeyond;
  if (!mayRun || isLeftOpen) return ask(deps, candidate, verified);
  return commit(deps, candidate, verified, options);
}

/** With an approval: applies exactly that change set, on exactly the files it was shown for. */
async function applyApproved(
  correcting: CorrectDeps,
  ready: Ready,
  approved: string,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const { transactions: deps } = correcting;
  const { plan, workspace } = ready;
  const candidate = await loadCandidate(deps.verifications, ready);
  const known = loadKnown(deps, candidate);
  if (approved !== (known?.changeSet ?? candidate.changeSet).id) {
    return refuseStale(workspace, candidate.changeSet);
  }
  if (known && (known.check.ok || isExcused(known.check))) {
    const isSame = (now: string) => now === known.fingerprint;
    const outcome = await commit(deps, candidate, known, options, isSame);
    if (outcome) return outcome;
  }
  return untilStill(async (isFirst) => {
    noteApproved(deps.verifications.known, workspace, plan.planId);
    if (await isUnseen(deps, candidate)) return ask(deps, candidate, undefined); // others than were shown
    const asking = { isOpen: false, isAgain: isFirst }; // what was approved is not corrected any more
    const { verified: checked } = await verifyCandidate(correcting, ready, options, asking);
    const { id } = (checked ?? candidate).changeSet;
    if (id !== approved) {
      // What passes for the first time may add what it makes or keeps: then that is asked about.
      if (known?.check.ok !== true && checked?.check.ok === true) {
        return ask(deps, candidate, checked);
      }
      return refuseStale(workspace, candidate.changeSet);
    }
    if (!checked) return commit(deps, candidate, undefined, options);
    return commitChecked(deps, candidate, checked, known, options);
  });
}

/** Commits what ran; `known` is what the approval was given to. */
async function commitChecked(
  deps: TransactionDeps,
  candidate: Candidate,
  checked: Verified,
  known: Verified | undefined,
  options: ApplyOptions,
): Promise<ApplyOutcome | undefined> {
  if (!checked.check.ok) {
    if (!isExcused(checked.check)) return refuseFailed(deps, candidate.workspace, checked);
    // An approval given when the checks passed does not cover checks that now fail.
    if (!known || !isExcused(known.check)) return ask(deps, candidate, checked);
  }
  if (isUnmade(checked) && !isUnmade(known)) return ask(deps, candidate, checked);
  return commit(deps, candidate, checked, options);
}

async function ask(
  deps: TransactionDeps,
  candidate: Candidate,
  verified: Verified | undefined,
): Promise<ApplyOutcome> {
  const { workspace } = candidate;
  const failed = verified?.check.ok === false ? verified.check : undefined;
  const checkRef = failed && keepFailed(deps, workspace, failed);
  const built = await buildPreview(deps, candidate, verified);
  const preview = checkRef === undefined ? built : { ...built, checkRef };
  const { changes, changeSetId } = preview;
  const refused = reject(workspace, "CONFIRM_REQUIRED", whyAsked(verified, preview));
  const checked = { ...toChecked(verified), ...toBeyond(candidate) };
  return { ...refused, changes, changeSetId, preview, ...checked };
}

/**
 * Makes the change; what was checked before is not checked again. Undefined, and nothing is written,
 * where the folder is not any more what it was checked on.
 */
async function commit(
  { clock, log, sandbox, viewsDir, verifications }: TransactionDeps,
  candidate: Candidate,
  verified: Verified | undefined,
  { signal, onProgress, work }: ApplyOptions,
  isSame = (now: string) => isSameAsSeen(now, verified?.fingerprint ?? ""),
): Promise<ApplyOutcome | undefined> {
  const { plan, workspace } = candidate;
  let hasMoved = false;
  const { changeSet } = verified ?? candidate;
  const skipped = verified ? undefined : await skippedIn(workspace, changeSet);
  const result = await runTransaction({
    workspace,
    intent: {
      changeSet,
      kind: "apply",
      summary: toHistoryLine(plan.goal),
      ...(work !== undefined && { work }),
    },
    ...(verified && {
      isAsChecked: async () => {
        hasMoved = !isSame(await readStateFor(candidate, verified, signal));
        return !hasMoved;
      },
    }),
    ...(!verified && {
      checks: {
        commands: await checksOf(workspace, changeSet),
        timeoutMs: workspace.checkTimeoutMs,
        sandbox,
        ...(onProgress && { onProgress }),
      },
    }),
    clock,
    log,
    signal,
  });
  if (hasMoved) return undefined;
  const { txId } = result;
  if (result.check) noteTimes(verifications.known, workspace, result.check);
  if (result.ok && verified) keepCommitted(viewsDir, workspace.root, changeSet.id);
  const told = toChecked(verified);
  const check: CheckResult | undefined = told.check ?? result.check;
  if (check && txId !== undefined) {
    keepLastCheck(workspace, check, { now: clock.now(), ref: txId, log });
  }
  return {
    ok: result.ok,
    status: result.status,
    workspace: workspace.name,
    changes: viewChanges(changeSet, madeIn(verified)),
    changeSetId: changeSet.id,
    ...(txId !== undefined && { txId }),
    ...told,
    ...(check && { check }),
    ...(skipped && { generation: skipped }),
    ...toBeyond(candidate),
    ...(!result.ok && { errorCode: result.code, error: result.message }),
    ...toFiles(result),
  };
}
