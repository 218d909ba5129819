import type { Log } from "../core/log.ts";
import { killMarked } from "../system/kill-tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Kept, reopenJournal, type TransactionKind } from "./journal.ts";
import { takeWorkspaceLock } from "./lock.ts";
import { removeImages } from "./objects.ts";
import { listTransactions, readJournal } from "./read-journal.ts";
import { listKept, type OnStep, rollBack } from "./roll-back.ts";
import { journalPath, removeStage, removeTransaction } from "./stage.ts";
import { openTree } from "./tree.ts";

/** One transaction that a crash had left unfinished, and that is rolled back now. */
export interface Recovery {
  readonly txId: string;
  readonly kind: TransactionKind;
  readonly summary: string;
  /** Files that somebody else changed since; they were left as they are. */
  readonly kept: readonly Kept[];
}

/** Options of {@link recover}. */
export interface RecoverOptions {
  readonly log: Log;
  readonly onStep?: OnStep;
}

/**
 * Rolls back what a crash left in a workspace. It may itself be interrupted and repeated.
 *
 * @throws AppError ERR_WORKSPACE_BUSY while a transaction runs, ERR_IO when the disk refuses
 */
export function recover(workspace: Workspace, options: RecoverOptions): readonly Recovery[] {
  if (listTransactions(workspace).length === 0) return [];
  const release = takeWorkspaceLock(workspace, "recover", Date.now());
  try {
    return recoverLeftovers(workspace, options);
  } finally {
    release();
  }
}

/**
 * The same for one who holds the lock. Transactions run one at a time and none begins before the
 * last is finished, so the first finished one, seen from the newest, ends the search.
 */
export function recoverLeftovers(
  workspace: Workspace,
  { log, onStep }: RecoverOptions,
): readonly Recovery[] {
  const recovered: Recovery[] = [];
  for (const txId of listTransactions(workspace).toReversed()) {
    const { header, outcome } = readJournal(workspace, txId);
    if (outcome) break;
    using tree = openTree(workspace.root);
    if (!header) {
      removeTransaction(tree, txId);
      continue;
    }
    killMarked(txId); // a check that outlived papa-yu would go on writing
    const kept = rollBack(workspace, txId, header.changes, { ...(onStep && { onStep }) });
    removeStage(tree, txId);
    noteOutcome(tree.at(journalPath(txId)), kept);
    if (kept.length === 0) removeImages(tree, txId);
    onStep?.("outcome");
    log("APPLY_ROLLBACK", { tx_id: txId, reason: "recovered after a crash", kept: kept.length });
    recovered.push({ txId, kind: header.kind, summary: header.summary, kept });
  }
  return recovered.toReversed();
}

/** What was taken back, and what was not, in one line. */
export function describeRecovery({ txId, summary, kept }: Recovery): string {
  if (kept.length === 0) return `"${summary}"; every file of it was put back`;
  return `"${summary}"; all was put back but what somebody changed since: ${listKept(kept, txId)}`;
}

function noteOutcome(path: string, kept: readonly Kept[]): void {
  const journal = reopenJournal(path);
  try {
    const code = kept.length === 0 ? "APPLY_FAILED_ROLLED_BACK" : "ERR_RECOVERY_CONFLICT";
    const message = "papa-yu ended before the transaction was committed";
    journal.end({ status: "rolled_back", code, message, kept });
  } finally {
    journal.close();
  }
}
