import { AppError, describeDiskError, systemErrorCode, toAppError } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { describeExcess } from "../system/limits.ts";
import type { SandboxState } from "../system/sandbox.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import { STATE_DIR } from "../workspace/workspace.ts";
import { beginTransaction, type OpenedTransaction, openTransaction } from "./begin.ts";
import type { Change, CheckResult, CheckStage } from "./change.ts";
import { runChecks } from "./check.ts";
import { type Journal, type Kept, noteEnd, type Outcome } from "./journal.ts";
import { withWorkspaceLock } from "./lock.ts";
import { imagesPath, needsImages, removeImages } from "./objects.ts";
import { pruneImages } from "./prune.ts";
import { recoverLeftovers } from "./recover.ts";
import { listKept, rollBack } from "./roll-back.ts";
import { journalPath, removeStage, removeTransaction, slotOf } from "./stage.ts";
import { makeChange } from "./swap.ts";
import type { TransactionFailure, TransactionRequest, TransactionResult } from "./transaction.ts";
import { holds, openTree } from "./tree.ts";

/** Makes a change set durable and checked, or leaves the workspace as it was. Never throws. */
export async function runTransaction(request: TransactionRequest): Promise<TransactionResult> {
  try {
    const what = `${request.kind} of "${request.summary.slice(0, 80)}"`;
    return await withWorkspaceLock(request, what, () => {
      recoverLeftovers(request.workspace, request);
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
export async function runLocked(request: TransactionRequest): Promise<TransactionResult> {
  const sandbox = await openSandbox(request);
  const stale = findStale(request);
  if (stale.length > 0) return rejectStale(stale);
  const opened = openTransaction(request);
  const { txId } = opened;
  let journal: Journal | undefined;
  let check: CheckResult | undefined;
  try {
    journal = await beginTransaction(request, opened);
    swapAll(request, txId, journal);
    check = await checkAll(request, txId, sandbox);
    request.signal.throwIfAborted();
    if (check?.ok === false) return goBack(request, opened, journal, checkFailure(check), check);
    clearUp(request, txId);
    journal.end({ status: "committed" });
    request.onStep?.("committed");
  } catch (error) {
    return goBack(request, opened, journal, failureOf(error, request.signal), check);
  } finally {
    journal?.close();
  }
  pruneImages(request.workspace, request.clock.now());
  const { changeSet, kind, log } = request;
  const { changes } = changeSet;
  log("APPLY_SUCCESS", { tx_id: txId, kind, changes: changes.length });
  return { ok: true, status: "committed", txId, changes, ...(check && { check }) };
}

/** A failure before the first write, as a result. */
export function toRejection(error: unknown): TransactionFailure {
  const isOfDisk = !(error instanceof AppError) && systemErrorCode(error)?.startsWith("E") === true;
  const { code, message } = isOfDisk
    ? new AppError("ERR_IO", `Cannot write to the workspace: ${describeDiskError(error)}`)
    : toAppError(error);
  return { ok: false, status: "rejected", code, message };
}

interface Reason {
  readonly code: ErrorCode;
  readonly message: string;
}

function findStale({ workspace, changeSet }: TransactionRequest): readonly string[] {
  using tree = openTree(workspace.root);
  const isFresh = (change: Change): boolean => {
    if (!resolvePath(workspace, change.path, "write").ok) return false;
    const found = tree.look(change.path);
    if (change.kind === "rmdir") return found.kind === "folder";
    return "before" in change ? holds(found, change.before) : found.kind === "nothing";
  };
  return changeSet.changes.filter((change) => !isFresh(change)).map(({ path }) => path);
}

function rejectStale(paths: readonly string[]): TransactionFailure {
  const message = `Cannot change ${quote(paths)}: changed since the preview; make a new plan`;
  return { ok: false, status: "rejected", code: "ERR_CHANGE_SET_STALE", message };
}

function swapAll(request: TransactionRequest, txId: string, journal: Journal): void {
  using tree = openTree(request.workspace.root);
  for (const [index, change] of request.changeSet.changes.entries()) {
    request.signal.throwIfAborted();
    const step = `${change.kind} ${change.path}`;
    try {
      makeChange(tree, change, slotOf(txId, index, change.path));
    } catch (error) {
      throw swapFailure(change, error);
    }
    request.onStep?.(step);
    journal.step(step);
  }
  tree.sync();
  request.onStep?.("synced");
}

function swapFailure({ kind, path }: Change, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = describeDiskError(error);
  // What was looked at a moment ago is gone, or something stands in the way.
  return /^(ENOENT|ENOTDIR|ELOOP|EEXIST|EISDIR|ENOTEMPTY)$/.test(systemErrorCode(error) ?? "")
    ? new AppError(
        "ERR_CHANGE_SET_STALE",
        `Cannot ${kind} "${path}": ${reason}; it changed just now`,
      )
    : new AppError("APPLY_FAILED_ROLLED_BACK", `Cannot ${kind} "${path}": ${reason}`);
}

/** One that is demanded and does not work stops everything before the first write. */
async function openSandbox({ checks, sandbox }: TransactionRequest): Promise<SandboxState> {
  if (checks.length > 0 && sandbox) return sandbox();
  return { kind: "none", reason: "not asked for" };
}

async function checkAll(
  request: TransactionRequest,
  mark: string,
  sandbox: SandboxState,
): Promise<CheckResult | undefined> {
  const { workspace, checks, checkTimeoutMs: timeoutMs, signal, onProgress } = request;
  if (checks.length === 0) return undefined;
  const env = request.env ?? process.env;
  return runChecks(workspace, checks, {
    timeoutMs,
    signal,
    env,
    sandbox,
    mark,
    ...(onProgress && { onProgress }),
  });
}

/** A check such as `git clean -fdx` may take away what every way back needs. */
function clearUp({ workspace, changeSet }: TransactionRequest, txId: string): void {
  using tree = openTree(workspace.root);
  const needed = [journalPath(txId), ...(needsImages(changeSet.changes) ? [imagesPath(txId)] : [])];
  if (needed.every((path) => tree.has(path))) return removeStage(tree, txId);
  throw new AppError(
    "APPLY_FAILED_ROLLED_BACK",
    `A check removed ${STATE_DIR}, which holds what an undo needs; keep it out of what the checks clean`,
  );
}

function goBack(
  request: TransactionRequest,
  opened: OpenedTransaction,
  journal: Journal | undefined,
  reason: Reason,
  check?: CheckResult,
): TransactionFailure {
  const { txId } = opened;
  const result = { ok: false, status: "rolled_back", txId, ...(check && { check }) } as const;
  const { kind, log } = request;
  log("APPLY_ROLLBACK", { tx_id: txId, kind, code: reason.code, reason: reason.message });
  try {
    const { kept, unclosed } = takeBack(request, opened, journal, reason);
    const message = `${reason.message}; ${describeKept(kept, txId)}${unclosed}`;
    return { ...result, code: reason.code, message, ...(kept.length > 0 && { kept }) };
  } catch (error) {
    return { ...result, code: "ERR_IO", message: `${reason.message}; ${describeDiskError(error)}` };
  }
}

interface TakenBack {
  readonly kept: readonly Kept[];
  /** What to say when the journal could not be ended. */
  readonly unclosed: string;
}

function takeBack(
  request: TransactionRequest,
  opened: OpenedTransaction,
  journal: Journal | undefined,
  reason: Reason,
): TakenBack {
  const { workspace, changeSet, onStep } = request;
  const { txId } = opened;
  using tree = openTree(workspace.root);
  if (!journal) {
    removeTransaction(tree, txId); // nothing was swapped yet
    noteEnd(opened, undefined);
    return { kept: [], unclosed: "" };
  }
  noteBack(journal, reason.message);
  const images = changeSet.contents;
  const kept = rollBack(workspace, txId, changeSet.changes, { images, ...(onStep && { onStep }) });
  removeStage(tree, txId);
  const unclosed = endJournal(journal, { status: "rolled_back", ...reason, kept });
  if (kept.length === 0 && unclosed === "") removeImages(tree, txId);
  onStep?.("outcome");
  return { kept, unclosed };
}

/** Every file is back; a disk that takes no more only leaves the last line to recovery. */
function endJournal(journal: Journal, outcome: Outcome): string {
  try {
    journal.end(outcome);
    return "";
  } catch (error) {
    return `; the journal could not be ended: ${describeDiskError(error)}, then run "papayu recover"`;
  }
}

/** On a full disk the note fails, and the files must go back all the same. */
function noteBack(journal: Journal, why: string): void {
  try {
    journal.back(why);
  } catch {
    // recovery goes by the missing outcome
  }
}

function checkFailure({ stages }: CheckResult): Reason {
  const last = stages.at(-1);
  if (!last) throw new Error("a check failed without a stage");
  const message = `Check "${last.name}" ${describeFailure(last)}`;
  return { code: "AUTO_CHECK_FAILED_ROLLED_BACK", message };
}

function describeFailure({ timedOut, exitCode, excess, output }: CheckStage): string {
  if (excess) return describeExcess(excess);
  if (timedOut) return "ran out of time";
  if (exitCode !== null) return `failed with exit code ${exitCode}`;
  return `did not run to its end: ${output.trim().split("\n").at(-1)}`;
}

function failureOf(error: unknown, signal: AbortSignal): Reason {
  if (signal.aborted) return { code: "ERR_CANCELLED", message: "Cancelled" };
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: "APPLY_FAILED_ROLLED_BACK", message: `Cannot write: ${describeDiskError(error)}` };
}

function describeKept(kept: readonly Kept[], txId: string): string {
  if (kept.length === 0) return "every file is as before";
  return `all is as before but what changed meanwhile and was left alone: ${listKept(kept, txId)}`;
}

function quote(paths: readonly string[]): string {
  return paths.map((path) => `"${path}"`).join(", ");
}
