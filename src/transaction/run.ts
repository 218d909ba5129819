import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError, errorMessage, systemErrorCode, toAppError } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import type { SandboxState } from "../system/sandbox.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import { STATE_DIR } from "../workspace/workspace.ts";
import { beginTransaction, openTransaction, type Running } from "./begin.ts";
import type { Change, CheckResult, CheckStage } from "./change.ts";
import { runChecks } from "./check.ts";
import { JOURNAL_FILE, type Journal, type Kept } from "./journal.ts";
import { withWorkspaceLock } from "./lock.ts";
import { imagesPath, removeImages } from "./objects.ts";
import { pruneImages } from "./prune.ts";
import { recoverLeftovers } from "./recover.ts";
import { rollBack } from "./roll-back.ts";
import { removeStage, stagedPath } from "./stage.ts";
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
  const tx = openTransaction(request.workspace, request.clock);
  let journal: Journal | undefined;
  let check: CheckResult | undefined;
  try {
    journal = await beginTransaction(request, tx);
    swapAll(request, tx, journal);
    check = await checkAll(request, tx.txId, sandbox);
    request.signal.throwIfAborted();
    if (check?.ok === false) return goBack(request, tx, journal, checkFailure(check), check);
    assertUndoable(tx.dir);
    journal.end({ status: "committed" });
    request.onStep?.("committed");
  } catch (error) {
    return goBack(request, tx, journal, failureOf(error, request.signal), check);
  } finally {
    journal?.close();
  }
  pruneImages(request.workspace, request.clock.now());
  const { changeSet, kind, log } = request;
  log("APPLY_SUCCESS", { tx_id: tx.txId, kind, changes: changeSet.changes.length });
  const { changes } = changeSet;
  return { ok: true, status: "committed", txId: tx.txId, changes, ...(check && { check }) };
}

/** A failure before the first write, as a result. */
export function toRejection(error: unknown): TransactionFailure {
  const { code, message } = toAppError(error);
  if (code !== "ERR_INTERNAL" || systemErrorCode(error) === undefined) {
    return { ok: false, status: "rejected", code, message };
  }
  const reason = `Cannot write to the workspace: ${message}`; // the disk's own words
  return { ok: false, status: "rejected", code: "ERR_IO", message: reason };
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

function swapAll(request: TransactionRequest, tx: Running, journal: Journal): void {
  using tree = openTree(request.workspace.root);
  for (const [index, change] of request.changeSet.changes.entries()) {
    request.signal.throwIfAborted();
    makeChange(tree, change, stagedPath(tx.dir, index));
    const step = `${change.kind} ${change.path}`;
    request.onStep?.(step);
    journal.step(step);
  }
  tree.sync();
  request.onStep?.("synced");
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

/** A check such as `git clean -fdx` may take the journal away, and with it every way back. */
function assertUndoable(dir: string): void {
  if (existsSync(join(dir, JOURNAL_FILE))) return;
  throw new AppError(
    "APPLY_FAILED_ROLLED_BACK",
    `A check removed ${STATE_DIR}, which holds what an undo needs; keep it out of what the checks clean`,
  );
}

function goBack(
  request: TransactionRequest,
  tx: Running,
  journal: Journal | undefined,
  reason: Reason,
  check?: CheckResult,
): TransactionFailure {
  const result = {
    ok: false,
    status: "rolled_back",
    txId: tx.txId,
    ...(check && { check }),
  } as const;
  const { kind, log } = request;
  log("APPLY_ROLLBACK", { tx_id: tx.txId, kind, code: reason.code, reason: reason.message });
  try {
    const kept = takeBack(request, tx, journal, reason);
    const message = `${reason.message}; ${describeKept(kept, tx.txId)}`;
    return { ...result, code: reason.code, message, ...(kept.length > 0 && { kept }) };
  } catch (error) {
    return { ...result, code: "ERR_IO", message: `${reason.message}; ${errorMessage(error)}` };
  }
}

function takeBack(
  request: TransactionRequest,
  tx: Running,
  journal: Journal | undefined,
  reason: Reason,
): readonly Kept[] {
  if (!journal) {
    rmSync(tx.dir, { recursive: true, force: true }); // nothing was swapped yet
    removeImages(request.workspace, tx.txId);
    return [];
  }
  noteBack(journal, reason.message);
  const { workspace, changeSet, onStep } = request;
  const images = changeSet.contents;
  const options = { images, ...(onStep && { onStep }) };
  const kept = rollBack(workspace, tx.dir, changeSet.changes, options);
  removeStage(tx.dir);
  journal.end({ status: "rolled_back", ...reason, kept });
  if (kept.length === 0) removeImages(workspace, tx.txId);
  onStep?.("outcome");
  return kept;
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

function describeFailure({ timedOut, exitCode, output }: CheckStage): string {
  if (timedOut) return "ran out of time";
  if (exitCode !== null) return `failed with exit code ${exitCode}`;
  return `did not run to its end: ${output.trim().split("\n").at(-1)}`;
}

function failureOf(error: unknown, signal: AbortSignal): Reason {
  if (signal.aborted) return { code: "ERR_CANCELLED", message: "Cancelled" };
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: "APPLY_FAILED_ROLLED_BACK", message: `Cannot write: ${errorMessage(error)}` };
}

function describeKept(kept: readonly Kept[], txId: string): string {
  if (kept.length === 0) return "every file is as before";
  const files = kept.map(({ path, beforeSha256 }) => {
    const before = beforeSha256 === null ? "new" : `before: ${beforeSha256}`;
    return `"${path}" (${before})`;
  });
  return `all is as before but what changed meanwhile and was left alone: ${files.join(", ")}; contents by hash are in ${imagesPath(txId)}`;
}

function quote(paths: readonly string[]): string {
  return paths.map((path) => `"${path}"`).join(", ");
}
