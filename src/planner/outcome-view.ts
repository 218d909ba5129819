import type { Clock } from "../core/clock.ts";
import { shorten } from "../core/cut-text.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import type { Log } from "../core/log.ts";
import { toVisibleText } from "../core/visible-text.ts";
import type { StoredPlan } from "../store/plans/plans.ts";
import type { Note } from "../texts/notes/notes.ts";
import type { Texts } from "../texts/texts.ts";
import { Refusal } from "../texts/texts.ts";
import type { ChangeSet } from "../transaction/change.ts";
import { describeFailedCheck, keepChecked } from "../transaction/last-check.ts";
import { notesOnModes } from "../transaction/mode-notes.ts";
import { renderDiff, viewChanges } from "../transaction/preview.ts";
import type { TransactionResult } from "../transaction/transaction.ts";
import type { UndoResult } from "../transaction/undo/undo.ts";
import type { CheckedView, OutcomeView, PreviewView } from "../transaction/views.ts";
import { findObstacles } from "../workspace/checks/checks.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { beyondGoal, type Candidate, type Verified } from "./correct/correct.ts";
import { oneLine } from "./offline/offline.ts";
import { isByPerson } from "./prepare/prepare.ts";
import {
  canCheckBefore,
  checksOf,
  describeChecks,
  findUnseen,
  noteShown,
  skippedIn,
  type VerifyDeps,
} from "./verify/verify.ts";

/** What a transaction did to the files, and what is left of it. */
export function toFiles(
  result: TransactionResult,
): Pick<OutcomeView, "touched" | "kept" | "pending" | "notes"> {
  if (result.ok) {
    return { touched: result.changes.length > 0, ...toNotes(notesOnModes(result.changes)) };
  }
  if (result.status === "rejected") return { touched: false };
  const { touched, looked } = result;
  const kept = looked.kept.map(({ path }) => path);
  const pending = looked.pending.map(({ path, reason }) => ({ path, reason }));
  return {
    touched,
    ...(kept.length > 0 && { kept }),
    ...(pending.length > 0 && { pending }),
  };
}

/** Of what was done, where there is anything to add. */
function toNotes(notes: readonly Note[]): Pick<OutcomeView, "notes"> {
  return notes.length === 0 ? {} : { notes };
}

/** An outcome of what the autonomy level forbids. */
export function deny(workspace: Workspace, what: Forbidden): OutcomeView {
  return reject(workspace, "denied", readonlyRefusal(what).message);
}

/** Why nothing is done under readonly. */
export function readonlyRefusal(what: Forbidden): Refusal {
  return new Refusal("denied", ({ readonly }) => readonly[what]);
}

type Forbidden = keyof Texts["refusals"]["readonly"];

/** An outcome without any file touched. */
export function reject({ name }: Workspace, errorCode: ErrorCode, error: string): OutcomeView {
  return {
    ok: false,
    status: "rejected",
    workspace: name,
    changes: [],
    touched: false,
    errorCode,
    error,
  };
}

/** The files that a plan was made for are others by now. */
const OUTDATED: ReadonlySet<string | undefined> = new Set<ErrorCode>([
  "ERR_BASE_MISMATCH",
  "ERR_EDIT_BASE_MISMATCH",
  "ERR_CHANGE_SET_STALE",
]);

/** What may be so because of what somebody did since: a new answer is made for what is there now. */
const MAY_BE_OUTDATED: ReadonlySet<string | undefined> = new Set<ErrorCode>([
  "ERR_CREATE_EXISTS",
  "ERR_NOT_FOUND",
  "ERR_NOT_EMPTY",
]);

/** Whether an outcome failed because files are others by now. */
export function isOutdated({ ok, errorCode }: OutcomeView): boolean {
  return !ok && OUTDATED.has(errorCode);
}

/**
 * An outcome of a plan, with what is to be planned anew where only that helps; of a patch nobody can,
 * for its goal is only its name.
 */
export function withPlanAgain<T extends OutcomeView>(
  plan: Pick<StoredPlan, "planId" | "goal" | "messages">,
  outcome: T,
): T {
  if (isByPerson(plan)) return outcome;
  const { planId, goal } = plan;
  const helps = isOutdated(outcome) || (!outcome.ok && MAY_BE_OUTDATED.has(outcome.errorCode));
  return helps ? { ...outcome, planAgain: { planId, goal } } : outcome;
}

/** The outcome when what was approved is not there any more. */
export function refuseStale(
  workspace: Workspace,
  changeSet: ChangeSet,
): OutcomeView & { readonly changeSetId: string } {
  const error =
    "Cannot apply: files or settings changed since the change set was shown; look at it again";
  return {
    ...reject(workspace, "ERR_CHANGE_SET_STALE", error),
    changes: viewChanges(changeSet),
    changeSetId: changeSet.id,
  };
}

/** The outcome when checks failed before anything was written. */
export function refuseFailed(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  workspace: Workspace,
  verified: Verified,
): OutcomeView & { readonly changeSetId: string } {
  const { check, changeSet } = verified;
  const checkRef = keepChecked({ clock, log }, workspace, check);
  log("APPLY_CHECK_FAILED", { change_set_id: changeSet.id, reason: describeFailedCheck(check) });
  return {
    ok: false,
    status: "rolled_back",
    workspace: workspace.name,
    changes: viewChanges(changeSet, madeIn(verified)),
    changeSetId: changeSet.id,
    touched: false,
    ...toChecked(verified),
    checkRef,
    errorCode: "AUTO_CHECK_FAILED_ROLLED_BACK",
    error: `${describeFailedCheck(check)}; nothing was written`,
  };
}

/** How an undo or a redo ended, to be shown. */
export function toUndoOutcome(workspace: Workspace, result: UndoResult): OutcomeView {
  return {
    ok: result.ok,
    status: result.status,
    workspace: workspace.name,
    changes: "changeSet" in result ? viewChanges(result.changeSet) : [],
    ...("changeSet" in result
      ? { touched: result.txId !== undefined, ...toNotes(result.changeSet.notes) }
      : toFiles(result)),
    ...(result.txId !== undefined && { txId: result.txId }),
    ...("conflicts" in result && { kept: result.conflicts }),
    ...(!result.ok && { errorCode: result.code, error: result.message }),
  };
}

/** A history has one line for each transaction; a half character would not survive the disk. */
export function toHistoryLine(goal: string): string {
  const [request = goal] = goal.split(/\n\s*\n/u, 1); // what follows is a note on an earlier plan
  return shorten(oneLine(request.toWellFormed()), HISTORY_CHARS);
}

const HISTORY_CHARS = 80;

/**
 * The change set of a plan as it is shown for approval. Commands that were found and that nobody has
 * seen are shown whole, and noted as shown with the plan: an approval of it says that they were seen.
 */
export async function buildPreview(
  deps: VerifyDeps,
  candidate: Candidate,
  verified: Verified | undefined,
): Promise<PreviewView> {
  const { plan, workspace, prepared } = candidate;
  const { known } = deps.verifications;
  const found = verified ? [] : await findUnseen(known, workspace, candidate.changeSet);
  const unseen = found.length > 0 && ((await canCheckBefore(deps, workspace)) ? "before" : "after");
  if (unseen) noteShown(known, workspace, plan.planId, found);
  const checks = unseen ? found : await checksOf(workspace, candidate.changeSet);
  const { changeSet } = verified ?? candidate;
  const obstacles = verified?.check.ok ? [] : await findObstacles(workspace, checks);
  const generation =
    verified || unseen === "before" ? verified?.generation : await skippedIn(workspace, changeSet);
  return {
    planId: plan.planId,
    changeSetId: changeSet.id,
    workspace: workspace.name,
    summary: prepared.summary,
    changes: viewChanges(changeSet, madeIn(verified)),
    diff: renderDiff(changeSet),
    notes: [...changeSet.notes, ...obstacles, ...openedHosts(verified)],
    checks: describeChecks(known, workspace, checks),
    ...(unseen && { unseen }),
    ...toBeyond(candidate),
    ...(verified && { checked: toCheckedView(verified) }),
    ...(generation && { generation }),
  };
}

/** What a person opened to the commands of this change set, for whoever says yes to it later. */
function openedHosts(verified: Verified | undefined): readonly Note[] {
  const { reached = [], generation } = verified ?? {};
  return reached.length === 0 || generation === undefined
    ? []
    : [{ kind: "reached", facts: { hosts: reached } }];
}

/** Which commands of a preview nobody has seen yet, for programs and logs. */
function describeUnseen({ checks }: Pick<PreviewView, "checks">): string {
  const commands = checks.map(({ command }) => toVisibleText(command)).join(", ");
  return `nobody has seen yet what was found in the folder to check it with: ${commands}`;
}

/** What a preview tells of the checks that ran before it. */
function toCheckedView(verified: Verified): CheckedView {
  const { view, check, sideEffects, judges, fixRounds, fixNotes } = verified;
  return { view, check, sideEffects, judges, fixRounds, fixNotes };
}

/** What an outcome tells of them, and of lock files. */
export function toChecked(
  verified: Verified | undefined,
): Pick<OutcomeView, "check" | "sideEffects" | "fixRounds" | "fixNotes" | "generation"> {
  if (!verified) return {};
  const { check, sideEffects, fixRounds, fixNotes, generation } = verified;
  return {
    ...(check.stages.length > 0 && { check }),
    sideEffects,
    fixRounds,
    ...(fixNotes.length > 0 && { fixNotes }),
    ...(generation && { generation }),
  };
}

/** What only corrections touch, where there is anything: nobody has asked for it. */
export function toBeyond(candidate: Candidate): Pick<PreviewView, "fixPaths"> {
  const fixPaths = beyondGoal(candidate);
  return fixPaths.length > 0 ? { fixPaths } : {};
}

/** Paths of a change set that commands wrote. */
export function madeIn(verified: Verified | undefined): readonly string[] {
  const generation = verified?.generation;
  return generation?.kind === "made" ? generation.paths : [];
}

/** Whether lock files could not be made: only a person who was told says yes to that. */
export function isUnmade(
  verified: Verified | undefined,
): verified is Verified & { readonly generation: { readonly kind: "failed" } } {
  return verified?.generation?.kind === "failed";
}

/** Why a change set waits for a person, and what that person may do. */
export function whyAsked(
  verified: Verified | undefined,
  preview: Pick<PreviewView, "fixPaths" | "unseen" | "checks">,
): string {
  const anyway = "look at it, and let a person approve it anyway or pass its id with --approve";
  if (verified?.check.ok === false) {
    return `Cannot apply: ${describeFailedCheck(verified.check)}, and fails without this change as well; ${anyway}`;
  }
  if (isUnmade(verified)) {
    return `Cannot apply: the lock file was not made, ${verified.generation.command} failed; ${anyway}`;
  }
  const paths = (preview.fixPaths ?? []).map((path) => `"${toVisibleText(path)}"`);
  if (paths.length > 0)
    return `Cannot apply: corrections also touched ${paths.join(", ")}; ${anyway}`;
  const unseen = preview.unseen ? `${describeUnseen(preview)}; ` : "";
  return `Cannot apply without approval; ${unseen}ask a person or pass --yes`;
}
