import { AppError, describeDiskError, systemErrorCode, toAppError } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import { isInterrupted } from "../../core/interruption.ts";
import { reserveDescriptors } from "../../system/descriptor-reserve.ts";
import type { SandboxState } from "../../system/sandbox/sandbox.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Change, ChangeSet, CheckResult } from "../change.ts";
import { runChecks } from "../check.ts";
import { newPathsIn } from "../compute/compute.ts";
import { type Journal, markOf, noteEnd } from "../journal/journal.ts";
import { describeFailedCheck } from "../last-check.ts";
import { withWorkspaceLock } from "../lock.ts";
import {
  assertRecovered,
  goBack,
  type Reason,
  type Run,
  recoverLeftovers,
} from "../recover/recover.ts";
import { clearBeside, removeTransaction, slotOf } from "../stage/stage.ts";
import { makeChange } from "../swap/swap.ts";
import type { TransactionFailure, TransactionRequest, TransactionResult } from "../transaction.ts";
import { openTree } from "../tree.ts";
import { announceEnd } from "./announce-end.ts";
import { assertIntact, emptyStage } from "./before-commit.ts";
import { beginTransaction, type OpenedTransaction, openTransaction } from "./begin.ts";
import { isBefore, withModesNow } from "./modes-now.ts";
import { pruneAfter } from "./prune.ts";
import { quote } from "./quote.ts";

export { changesNow, isAfter, isBefore, lookThrough, withModesNow } from "./modes-now.ts";
export { forgetPast, listArchives, listSurplus, pruneImages } from "./prune.ts";

/**
 * What a roll-back opens at the same time: the workspace and three folders of it, a file from
 * before, its copy, the archive, and a few more.
 */
const FOR_ROLL_BACK = 12;

/** Makes a change set durable and checked, or leaves the workspace as it was. Never throws. */
export async function runTransaction(request: TransactionRequest): Promise<TransactionResult> {
  try {
    const what = `${request.intent.kind} of "${shorten(request.intent.summary, 80)}"`;
    return await withWorkspaceLock(request, what, () => {
      assertRecovered(request.workspace, recoverLeftovers(request.workspace, request));
      return runLocked(request);
    });
  } catch (error) {
    return toRejection(error);
  }
}

/**
 * The same for one who holds the lock and has recovered what was left.
 *
 * @throws AppError when nothing was touched yet
 */
export async function runLocked(asked: TransactionRequest): Promise<TransactionResult> {
  const changeSet = withModesNow(asked.workspace, asked.intent.changeSet);
  const request = { ...asked, intent: { ...asked.intent, changeSet } };
  const sandbox = await openSandbox(request);
  using reserve = reserveDescriptors(FOR_ROLL_BACK);
  const stale = findStale(request.workspace, changeSet);
  if (stale.length > 0) return rejectStale(stale);
  const folder = markOf(request.workspace.root);
  const opened = openTransaction(request);
  const { txId } = opened;
  const run: Run = {
    request,
    txId,
    journal: await begin(request, opened),
    reserve,
    folder,
    taken: new Map(),
  };
  try {
    swapAll(run);
    run.check = await checkAll(request, txId, sandbox);
    request.signal.throwIfAborted();
    if (run.check?.ok === false)
      return goBack(run, {
        code: "AUTO_CHECK_FAILED_ROLLED_BACK",
        message: describeFailedCheck(run.check),
      });
    await announceEnd(run.journal, request.clock, request.signal);
    assertIntact(run);
    run.journal.end({ status: "committed" });
    request.onStep?.("committed");
  } catch (error) {
    return goBack(run, failureOf(error, request.signal));
  } finally {
    closeJournal(run.journal);
  }
  const notes = emptyStage(run);
  pruneAfter(request.workspace, txId, request.clock.now());
  const { kind } = request.intent;
  const { changes } = changeSet;
  const { check } = run;
  request.log("APPLY_SUCCESS", { tx_id: txId, kind, changes: changes.length });
  const told = notes.length > 0 && { notes };
  return { ok: true, status: "committed", txId, changes, ...(check && { check }), ...told };
}

/** Nothing is touched before this is done: what fails in it leaves nothing to take back. */
async function begin(request: TransactionRequest, opened: OpenedTransaction): Promise<Journal> {
  let journal: Journal | undefined;
  try {
    journal = await beginTransaction(request, opened);
    await assertAsChecked(request);
    return journal;
  } catch (error) {
    if (journal) closeJournal(journal);
    forget(request, opened);
    throw error;
  }
}

async function assertAsChecked({ isAsChecked }: TransactionRequest): Promise<void> {
  if (!isAsChecked || (await isAsChecked())) return;
  const message = "Cannot write: files changed since the checks ran; check it again";
  throw new AppError("ERR_CHANGE_SET_STALE", message);
}

function forget({ workspace }: TransactionRequest, opened: OpenedTransaction): void {
  try {
    using tree = openTree(workspace.root);
    removeTransaction(tree, opened.txId);
    noteEnd(opened, undefined);
  } catch {
    // recovery finds every file as it was
  }
}

/** Every line is written by now; what a close reports changes nothing of how it ended. */
function closeJournal(journal: Journal): void {
  try {
    journal.close();
  } catch {
    // the last line was synced, or recovery takes it for missing
  }
}

/** A failure before the first write, as a result. */
export function toRejection(error: unknown): TransactionFailure {
  const isOfDisk = !(error instanceof AppError) && systemErrorCode(error)?.startsWith("E") === true;
  const { code, message } = isOfDisk
    ? new AppError("ERR_IO", `Cannot write to the workspace: ${describeDiskError(error)}`)
    : toAppError(error);
  return { ok: false, status: "rejected", code, message };
}

/** The paths of a change set that are not what it is about: somebody changed more of them than a mode. */
export function findStale(
  workspace: Workspace,
  { changes }: Pick<ChangeSet, "changes">,
): readonly string[] {
  using tree = openTree(workspace.root);
  const isFresh = (change: Change): boolean => {
    const guarded = resolvePath(workspace, change.path, "tool");
    if (!guarded.ok && guarded.code === "ERR_IO") throw new AppError("ERR_IO", guarded.message);
    if (!guarded.ok) return false;
    return isBefore(tree.look(change.path), change);
  };
  return changes.filter((change) => !isFresh(change)).map(({ path }) => path);
}

function rejectStale(paths: readonly string[]): TransactionFailure {
  const message = `Cannot change ${quote(paths)}: changed since the preview; make a new plan`;
  return { ok: false, status: "rejected", code: "ERR_CHANGE_SET_STALE", message };
}

function swapAll(run: Run): void {
  const { request, txId, journal } = run;
  const { changeSet, kind } = request.intent;
  const fresh = kind === "apply" ? newPathsIn(changeSet) : NONE;
  using tree = openTree(request.workspace.root);
  for (const [index, change] of changeSet.changes.entries()) {
    request.signal.throwIfAborted();
    const step = `${change.kind} ${change.path}`;
    run.touched = true;
    try {
      const slot = slotOf(txId, index, change.path);
      if (change.kind === "rmdir") clearBeside(tree, txId, changeSet.changes, change.path);
      const taken = makeChange(tree, change, slot, fresh.has(change.path));
      if (taken) run.taken.set(index, taken);
    } catch (error) {
      throw swapFailure(change, error);
    }
    request.onStep?.(step);
    journal.step(step);
  }
  tree.sync();
  request.onStep?.("synced");
}

const NONE: ReadonlySet<string> = new Set();

function swapFailure({ kind, path }: Change, error: unknown): AppError {
  if (error instanceof AppError) return error;
  // Nothing is put in the place of what something is mounted on, a single file by itself as well.
  const isMounted = systemErrorCode(error) === "EBUSY";
  const reason = isMounted ? MOUNTED : describeDiskError(error);
  // What was looked at a moment ago is gone, or something is in the way.
  return /^(ENOENT|ENOTDIR|ELOOP|EEXIST|EISDIR|ENOTEMPTY)$/.test(systemErrorCode(error) ?? "")
    ? new AppError(
        "ERR_CHANGE_SET_STALE",
        `Cannot ${kind} "${path}": ${reason}; it changed just now`,
      )
    : new AppError("APPLY_FAILED_ROLLED_BACK", `Cannot ${kind} "${path}": ${reason}`);
}

const MOUNTED =
  "it is a mount point, whose place nothing else can take; change what is mounted there, or unmount it first";

/** A sandbox that is demanded and does not work stops everything before the first write. */
async function openSandbox({ checks }: TransactionRequest): Promise<SandboxState> {
  if (checks?.sandbox && checks.commands.length > 0) return checks.sandbox();
  return { kind: "none", reason: "not asked for" };
}

async function checkAll(
  request: TransactionRequest,
  mark: string,
  sandbox: SandboxState,
): Promise<CheckResult | undefined> {
  const { workspace, checks, signal } = request;
  if (!checks || checks.commands.length === 0) return undefined;
  const { commands, timeoutMs, env = process.env, onProgress } = checks;
  return runChecks(workspace, commands, {
    timeoutMs,
    signal,
    env,
    sandbox,
    mark,
    ...(onProgress && { onProgress }),
  });
}

function failureOf(error: unknown, signal: AbortSignal): Reason {
  if (isInterrupted(signal))
    return {
      code: "ERR_INTERRUPTED",
      message: "papa-yu ended before the transaction was committed",
    };
  if (signal.aborted) return { code: "ERR_CANCELLED", message: "Cancelled" };
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: "APPLY_FAILED_ROLLED_BACK", message: `Cannot write: ${describeDiskError(error)}` };
}
