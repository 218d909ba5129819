import { errorMessage } from "../core/app-error.ts";
import { isInterrupted } from "../core/interruption.ts";
import type { Autonomy } from "../security/policy.ts";
import type { StoredPlan } from "../store/plans.ts";
import type { ChangeSet, CheckResult } from "../transaction/change.ts";
import { describeFailedCheck, keepLastCheck } from "../transaction/last-check.ts";
import { viewChanges } from "../transaction/preview.ts";
import { runTransaction } from "../transaction/run/run.ts";
import { keepCommitted } from "../transaction/view/view.ts";
import type { OutcomeView, PreviewView } from "../transaction/views.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  buildPreview,
  describeUnseen,
  isUnmade,
  madeIn,
  refuseFailed,
  refuseStale,
  reject,
  toChecked,
  toFiles,
  toHistoryLine,
} from "./outcome-view.ts";
import type { Origin, Prepared, PreparedChanges } from "./prepare-changes.ts";
import {
  checksOf,
  commandsOf,
  findUnseen,
  isExcused,
  keepVerification,
  loadVerification,
  mayCheckBefore,
  noteApproved,
  noteTimes,
  readFolderState,
  skippedIn,
  type Verification,
  type VerifyDeps,
  verifyChangeSet,
} from "./verify/verify.ts";

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
  readonly signal: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

/** What change sets are checked and made with. */
export interface TransactionDeps extends VerifyDeps {
  readonly autonomy: Autonomy;
}

/** A plan whose change set is known, in its folder. */
interface Ready {
  readonly plan: StoredPlan;
  readonly workspace: Workspace;
  readonly prepared: PreparedChanges;
}

type Waiting = Pick<ApplyOptions, "signal" | "onProgress">;

/** How a change set came about. */
export function toOrigin({ traceId, attempts }: Prepared): Origin {
  return { traceId, attempts };
}

/** The change set of a plan to be looked at, checked where that may be before a yes. */
export async function previewPrepared(
  deps: TransactionDeps,
  ready: Ready,
  waiting: Waiting,
): Promise<PreviewView> {
  return buildPreview(deps, ready, await verify(deps, ready, waiting));
}

/** Runs a change set that is approved, or that needs no approval. */
export async function applyPrepared(
  deps: TransactionDeps,
  ready: Ready,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const { prepared, workspace } = ready;
  const origin = toOrigin(prepared);
  if (prepared.changeSet.changes.length === 0) {
    const reason = prepared.summary.replace(/^\s*NO_CHANGES:\s*/u, "");
    const nothing = { workspace: workspace.name, changes: [], reason, origin };
    return { ok: true, status: "no_changes", changeSetId: prepared.changeSet.id, ...nothing };
  }
  try {
    const outcome = await (options.approved === undefined
      ? applyUnasked(deps, ready, options)
      : applyApproved(deps, ready, options.approved, options));
    return { ...outcome, origin };
  } catch (error) {
    if (!options.signal.aborted) throw error;
    const code = isInterrupted(options.signal) ? "ERR_INTERRUPTED" : "ERR_CANCELLED";
    return { ...reject(workspace, code, `Cannot apply: ${errorMessage(error)}`), origin };
  }
}

/** Without an approval: applies as far as the autonomy level allows, and asks otherwise. */
async function applyUnasked(
  deps: TransactionDeps,
  ready: Ready,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const { workspace, prepared } = ready;
  const verification = await verify(deps, ready, options);
  const changeSet = verification?.changeSet ?? prepared.changeSet;
  const paths = changeSet.changes.map(({ path }) => path);
  const { mustAsk, isRoutine = false } = options;
  const isAsked = typeof mustAsk === "function" ? mustAsk(paths) : mustAsk === true;
  const mayRun = deps.autonomy === "full" && !isAsked && !(await isUnseen(deps, ready));
  const failed = verification?.check.ok === false ? verification : undefined;
  const onFailing = mayRun && isRoutine ? (workspace.onFailingBaseline ?? "ask") : "ask";
  if (failed && (!isExcused(failed.check) || onFailing === "refuse")) {
    return refuseFailed(deps, workspace, failed);
  }
  const isOpen = (failed && onFailing === "ask") || isUnmade(verification);
  if (!mayRun || isOpen) return ask(deps, ready, verification);
  return commit(deps, ready, changeSet, verification, options);
}

/** With an approval: applies exactly that change set, on exactly the files it was shown for. */
async function applyApproved(
  deps: TransactionDeps,
  ready: Ready,
  approved: string,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const { plan, workspace, prepared } = ready;
  const known = await loadKnown(deps, ready, options);
  if (approved !== (known?.changeSet ?? prepared.changeSet).id) {
    return refuseStale(workspace, prepared.changeSet);
  }
  if (known?.isCurrent === true) return commitChecked(deps, ready, known, known, options);
  noteApproved(deps.verifications.known, workspace, plan.planId);
  if (await isUnseen(deps, ready)) return ask(deps, ready, undefined); // others than were shown
  const checked = await verify(deps, ready, options);
  const { id } = (checked ?? prepared).changeSet;
  if (id !== approved) {
    // What runs for the first time may add what it makes or keeps: then that is asked about.
    if (!known && checked?.check.ok === true) return ask(deps, ready, checked);
    return refuseStale(workspace, prepared.changeSet);
  }
  if (!checked) return commit(deps, ready, prepared.changeSet, undefined, options);
  return commitChecked(deps, ready, checked, known, options);
}

/** Commits what ran; `known` is what the approval was given to. */
async function commitChecked(
  deps: TransactionDeps,
  ready: Ready,
  checked: Verification,
  known: Verification | undefined,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  if (!checked.check.ok) {
    if (!isExcused(checked.check)) return refuseFailed(deps, ready.workspace, checked);
    // An approval given when the checks passed does not cover checks that now fail.
    if (!known || !isExcused(known.check)) return ask(deps, ready, checked);
  }
  if (isUnmade(checked) && !isUnmade(known)) return ask(deps, ready, checked);
  return commit(deps, ready, checked.changeSet, checked, options);
}

/** Whether something was found in the folder that its owner has not seen. */
async function isUnseen({ verifications }: TransactionDeps, { workspace, prepared }: Ready) {
  return (await findUnseen(verifications.known, workspace, prepared.changeSet)).length > 0;
}

type Known = Verification & { readonly isCurrent: boolean };

/** The stored result of this change set's checks, and whether the folder is still the same. */
async function loadKnown(
  deps: TransactionDeps,
  { plan, workspace, prepared }: Ready,
  { signal }: Waiting,
): Promise<Known | undefined> {
  if (!mayCheckBefore(workspace)) return undefined;
  const known = loadVerification(deps.verifications, plan.planId, prepared.changeSet);
  if (!known) return undefined;
  const commands = await commandsOf(workspace, prepared.changeSet);
  const now = await readFolderState(workspace, commands, signal);
  return { ...known, isCurrent: known.fingerprint === now };
}

/** The result of the checks: the stored one if it is of exactly these files, else a new run. */
async function verify(
  deps: TransactionDeps,
  ready: Ready,
  waiting: Waiting,
): Promise<Verification | undefined> {
  const { plan, workspace, prepared } = ready;
  const { changeSet } = prepared;
  if (deps.autonomy === "readonly" || changeSet.changes.length === 0) return undefined;
  const known = await loadKnown(deps, ready, waiting);
  if (known?.isCurrent === true) return known;
  const verification = (await isUnseen(deps, ready))
    ? undefined
    : await verifyChangeSet(deps, { workspace, changeSet, ...waiting });
  const { verifications, clock } = deps;
  if (!verification) verifications.drop(plan.planId);
  else keepVerification(verifications, plan.planId, changeSet, verification, clock.now());
  return verification;
}

async function ask(
  deps: TransactionDeps,
  ready: Ready,
  verification: Verification | undefined,
): Promise<ApplyOutcome> {
  const { workspace } = ready;
  const preview = await buildPreview(deps, ready, verification);
  const failed = verification?.check.ok === false ? verification.check : undefined;
  const anyway = "look at it, and let a person approve it anyway or pass its id with --approve";
  const error = failed
    ? `Cannot apply: ${describeFailedCheck(failed)}, and fails without this change as well; ${anyway}`
    : isUnmade(verification)
      ? `Cannot apply: the lock file was not made, ${verification.generation.command} failed; ${anyway}`
      : `Cannot apply without approval; ${preview.unseen ? `${describeUnseen(preview)}; ` : ""}ask a person or pass --yes`;
  const { changes, changeSetId } = preview;
  const refused = reject(workspace, "CONFIRM_REQUIRED", error);
  return { ...refused, changes, changeSetId, preview, ...toChecked(verification) };
}

/** Makes the change; what was checked before is not checked again. */
async function commit(
  { clock, log, sandbox, viewsDir, verifications }: TransactionDeps,
  { plan, workspace }: Ready,
  changeSet: ChangeSet,
  verification: Verification | undefined,
  { signal, onProgress, work }: ApplyOptions,
): Promise<ApplyOutcome> {
  const skipped = verification ? undefined : await skippedIn(workspace, changeSet);
  const result = await runTransaction({
    workspace,
    changeSet,
    kind: "apply",
    summary: toHistoryLine(plan.goal),
    checks: verification ? [] : await checksOf(workspace, changeSet),
    checkTimeoutMs: workspace.checkTimeoutMs,
    sandbox,
    clock,
    log,
    signal,
    ...(work !== undefined && { work }),
    ...(onProgress && { onProgress }),
  });
  const { txId } = result;
  if (result.check) noteTimes(verifications.known, workspace, result.check);
  if (result.ok && verification) keepCommitted(viewsDir, workspace.root, changeSet.id);
  const told = toChecked(verification);
  const check: CheckResult | undefined = told.check ?? result.check;
  if (check && txId !== undefined) {
    keepLastCheck(workspace, check, { now: clock.now(), ref: txId, log });
  }
  return {
    ok: result.ok,
    status: result.status,
    workspace: workspace.name,
    changes: viewChanges(changeSet, madeIn(verification)),
    changeSetId: changeSet.id,
    ...(txId !== undefined && { txId }),
    ...told,
    ...(check && { check }),
    ...(skipped && { generation: skipped }),
    ...(!result.ok && { errorCode: result.code, error: result.message }),
    ...toFiles(result),
  };
}
