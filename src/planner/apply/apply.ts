import { AppError, errorMessage } from "../../core/app-error.ts";
import { isInterrupted } from "../../core/interruption.ts";
import { whyNothing } from "../../protocol/why-nothing.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { keepChecked } from "../../transaction/last-check.ts";
import type { OutcomeView, PreviewView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  type Candidate,
  type CorrectDeps,
  isUnseen,
  loadCandidate,
  loadKnown,
  type Ready,
  type TransactionDeps,
  type Verified,
  verifyCandidate,
  type Waiting,
} from "../correct/correct.ts";
import {
  isUnmade,
  refuseFailed,
  refuseStale,
  reject,
  toBeyond,
  toChecked,
  whyAsked,
} from "../outcome-view.ts";
import { rememberMade } from "../plan.ts";
import {
  approvalIdOf,
  approvedContentOf,
  changeSetsOf,
  type Origin,
  type Prepared,
} from "../prepare/prepare.ts";
import { isExcused, listUnmet, noteApproved, untilStill, type Wanted } from "../verify/verify.ts";
import { commit, type Making, noteBehind } from "./commit.ts";
import type { ApplyOptions, ApplyOutcome } from "./options.ts";
import { checkParts, previewOf } from "./series-view.ts";

export type { TransactionDeps } from "../correct/correct.ts";
export { explainOutdated } from "./made-already.ts";
export type { ApplyOptions, ApplyOutcome, TakeBackOptions } from "./options.ts";
export { undoSeries } from "./undo-series.ts";

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
  if (verified?.check.ok) await checkParts(deps, ready, waiting);
  return tellUnmet(await previewOf(deps.transactions, candidate, verified), waiting.wanted);
}

/** A preview with what of a person's wishes came to nothing. */
function tellUnmet(preview: PreviewView, wanted: Wanted | undefined): PreviewView {
  const { changes, checked, generation, notes } = preview;
  const found = {
    ...(checked && { sideEffects: checked.sideEffects }),
    ...(generation && { generation }),
  };
  const unmet = wanted ? listUnmet(wanted, { changes, ...found }) : [];
  return unmet.length > 0 ? { ...preview, notes: [...notes, ...unmet] } : preview;
}

/** The same of an outcome: with its question, or where it was made. */
function tellUnmetIn(outcome: ApplyOutcome, wanted: Wanted | undefined): ApplyOutcome {
  const { preview, notes = [], status } = outcome;
  if (preview) return { ...outcome, preview: tellUnmet(preview, wanted) };
  const unmet = wanted && status === "committed" ? listUnmet(wanted, outcome) : [];
  return unmet.length > 0 ? { ...outcome, notes: [...notes, ...unmet] } : outcome;
}

/** Runs a change set that is approved, or that needs no approval. */
export async function applyPrepared(
  deps: CorrectDeps,
  ready: Ready,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const { prepared, workspace } = ready;
  const origin = toOrigin(prepared);
  if (prepared.changeSet.changes.length === 0 && prepared.series?.parts.length !== 0) {
    const reason = whyNothing(prepared.summary) ?? prepared.summary;
    const nothing = { workspace: workspace.name, changes: [], reason, origin };
    return { ok: true, status: "no_changes", changeSetId: prepared.changeSet.id, ...nothing };
  }
  try {
    const outcome = await (options.approved === undefined
      ? untilStill((isFirst) => applyUnasked(deps, ready, options, isFirst))
      : applyApproved(deps, ready, options.approved, options));
    if (outcome.status === "committed") {
      const { records } = deps.changes;
      noteBehind(deps.transactions, () => rememberMade(records, workspace, ready.plan.planId));
    }
    return { ...tellUnmetIn(outcome, options.wanted), origin };
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
  // Of a series each part: what comes and goes again is in the folder for a while, or where it stops.
  const written = changeSetsOf(candidate.prepared, changeSet).flatMap(({ changes }) => changes);
  const paths = [...new Set(written.map(({ path }) => path))];
  const { mustAsk, isRoutine = false } = options;
  const isAsked = typeof mustAsk === "function" ? mustAsk(paths) : mustAsk === true;
  const mayRun = deps.autonomy === "full" && !isAsked && !(await isUnseen(deps, candidate));
  const failed = verified?.check.ok === false ? verified : undefined;
  const onFailing = mayRun && isRoutine ? (workspace.onFailingBaseline ?? "ask") : "ask";
  if (failed && (!isExcused(failed.check) || onFailing === "refuse")) {
    return refuseFailed(deps, workspace, failed);
  }
  const isBeyond = toBeyond(candidate).fixPaths !== undefined; // nobody has asked for that
  const isOpened = verified?.reached !== undefined; // by whoever looked, for whoever says yes
  const isLeftOpen = (failed && onFailing === "ask") || isUnmade(verified) || isBeyond || isOpened;
  if (!mayRun || isLeftOpen) {
    if (verified?.check.ok) await checkParts(correcting, ready, options);
    return ask(deps, candidate, verified);
  }
  return make({ deps, candidate, verified, options });
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
  const isApproved = toApproved(deps, candidate, approved);
  if (!isApproved((known ?? candidate).changeSet)) {
    // Of a series a part is in the folder by now: the rest is asked about.
    if (candidate.prepared.series?.made.length) return ask(deps, candidate, known);
    return refuseStale(workspace, candidate.changeSet);
  }
  if (known && (known.check.ok || isExcused(known.check))) {
    const isSame = (now: string) => now === known.fingerprint;
    const outcome = await make({ deps, candidate, verified: known, options, isSame });
    if (outcome) return outcome;
  }
  return untilStill(async (isFirst) => {
    noteApproved(deps.verifications.known, workspace, plan.planId);
    if (await isUnseen(deps, candidate)) return ask(deps, candidate, undefined); // others than were shown
    const asking = { isOpen: false, isAgain: isFirst }; // what was approved is not corrected any more
    const { verified: checked } = await verifyCandidate(correcting, ready, options, asking);
    if (!isApproved((checked ?? candidate).changeSet)) {
      // What passes for the first time may add what it makes or keeps: then that is asked about.
      if (known?.check.ok !== true && checked?.check.ok === true) {
        return ask(deps, candidate, checked);
      }
      return refuseStale(workspace, candidate.changeSet);
    }
    if (!checked) return make({ deps, candidate, verified: undefined, options });
    return commitChecked(deps, candidate, checked, known, options);
  });
}

/**
 * Whether a change set is what was approved, or was when files had other modes, which it leaves. The
 * beginning of an id, as previews show it, is good for the one that was shown and no other.
 */
function toApproved(
  { verifications }: TransactionDeps,
  { plan, prepared }: Candidate,
  given: string,
): (changeSet: ChangeSet) => boolean {
  const approved = verifications.findShown(plan.planId, given) ?? given;
  const shown = verifications.loadShown(plan.planId, approved);
  return (changeSet) =>
    approved === approvalIdOf(prepared, changeSet) ||
    shown === approvedContentOf(prepared, changeSet);
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
  return make({ deps, candidate, verified: checked, options });
}

/** Makes one change set, or those of a series: undefined where the folder has moved. */
async function make(making: Making): Promise<ApplyOutcome | undefined> {
  if (!making.candidate.prepared.series) return commit(making);
  const { commitSeries } = await import("./commit-series.ts"); // most plans are none
  return commitSeries(making);
}

async function ask(
  deps: TransactionDeps,
  candidate: Candidate,
  verified: Verified | undefined,
): Promise<ApplyOutcome> {
  const { workspace } = candidate;
  const failed = verified?.check.ok === false ? verified.check : undefined;
  const checkRef = failed && keepChecked(deps, workspace, failed);
  const built = await previewOf(deps, candidate, verified);
  const preview = checkRef === undefined ? built : { ...built, checkRef };
  const { changes, changeSetId } = preview;
  const refused = reject(workspace, "CONFIRM_REQUIRED", whyAsked(verified, preview));
  const checked = { ...toChecked(verified), ...toBeyond(candidate) };
  return { ...refused, changes, changeSetId, preview, ...checked };
}
