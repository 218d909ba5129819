import { unlinkSync } from "node:fs";
import { AppError, orElse } from "../../core/app-error.ts";
import type { Log } from "../../core/log.ts";
import { killMarked } from "../../system/processes/processes.ts";
import { claimIdentity, identify } from "../../workspace/identity.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  beginJournal,
  type FoundJournal,
  findLeftovers,
  findOwn,
  headerOf,
  isFolder,
  type Journal,
  type JournalHeader,
  noteEnd,
  type OwnedTransaction,
  readJournal,
  readOwnTransactions,
  reopenJournal,
  type TransactionKind,
} from "../journal/journal.ts";
import { takeWorkspaceLock } from "../lock.ts";
import { describeLooked, isResolved, type LookedAgain, lookAgain } from "../look-again.ts";
import {
  hasStage,
  journalPath,
  removeImages,
  removeTransaction,
  transactionPath,
} from "../stage/stage.ts";
import { emptySlots, type OnStep, rollBack } from "../swap/swap.ts";
import { openTree, type Tree } from "../tree.ts";
import { endRolledBack } from "./go-back.ts";

export { goBack, type Reason, type Run } from "./go-back.ts";

/** One transaction that was left unfinished, and the state of its files after the roll-back. */
export interface Recovery {
  readonly txId: string;
  readonly kind: TransactionKind;
  readonly summary: string;
  readonly looked: LookedAgain;
}

/** Options of {@link recover}. */
export interface RecoverOptions {
  readonly log: Log;
  readonly onStep?: OnStep;
}

/**
 * Rolls back what a crash left in a workspace, and what the machine refused to take back. It may
 * itself be interrupted and repeated.
 *
 * @throws AppError ERR_WORKSPACE_BUSY while a transaction runs, ERR_IO when the disk refuses
 */
export function recover(workspace: Workspace, options: RecoverOptions): readonly Recovery[] {
  const isDone = findLeftovers(workspace).own.length === 0 && !isMoved(workspace);
  if (!isDone) return recoverAlone(workspace, options);
  if (!hasLitter(workspace)) return [];
  // Whoever has the lock just now is about to remove it.
  return orElse(
    () => recoverAlone(workspace, options),
    isBusy,
    () => [],
  );
}

function recoverAlone(workspace: Workspace, options: RecoverOptions): readonly Recovery[] {
  const release = takeWorkspaceLock(workspace, "recover", Date.now());
  try {
    return recoverLeftovers(workspace, options);
  } finally {
    release();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === "ERR_WORKSPACE_BUSY";
}

/**
 * The same for one who holds the lock. What was begun and by whom is the home's to say: everything
 * else in the state folder may have come with the folder, and is left alone.
 */
export function recoverLeftovers(
  workspace: Workspace,
  options: RecoverOptions,
): readonly Recovery[] {
  const { ledger } = workspace;
  sweep(workspace);
  const leftovers = findLeftovers(workspace).own;
  if (!ledger || (leftovers.length === 0 && !isMoved(workspace))) return [];
  const workspaceId = claimIdentity(workspace, ledger);
  const recovered = leftovers.toReversed().flatMap(({ txId, header, seal }) => {
    const owned = { ledger, transaction: { workspaceId, txId } };
    if (seal !== undefined && settleAnnounced(workspace, owned, seal)) return [];
    return recoverOne(workspace, owned, headerOf(header), options);
  });
  return recovered.toReversed();
}

/**
 * Settles one that was about to end, and says whether it is over: where its journal is gone it had
 * ended. Where the journal is there it is for that to say, and what goes back is about to end no more.
 */
function settleAnnounced({ root }: Workspace, owned: OwnedTransaction, seal: string): boolean {
  const { ledger, transaction } = owned;
  using tree = openTree(root);
  const { kind } = readJournal(tree, ledger.findKey(), transaction);
  if (kind !== "own") noteEnd(owned, seal);
  else ledger.ending(transaction, undefined);
  return kind !== "own";
}

/** Whether the newest transaction left its stage behind. */
function hasLitter(workspace: Workspace): boolean {
  const own = findOwn(workspace);
  const newest = own?.ledger.newest(own.workspaceId);
  if (newest === undefined) return false;
  using tree = openTree(workspace.root);
  return hasStage(tree, newest);
}

/** Then the home has to learn where it is now. */
function isMoved(workspace: Workspace): boolean {
  const { ledger } = workspace;
  return ledger !== undefined && identify(workspace, ledger).kind === "moved";
}

/**
 * Removes what the newest transaction that ended left behind: the disk may have refused to remove
 * it, or a kill came first. Every one is the newest once. Never throws.
 */
function sweep(workspace: Workspace): void {
  try {
    const newest = readOwnTransactions(workspace).find(({ outcome }) => outcome);
    if (!newest?.outcome) return;
    const { txId, header, outcome } = newest;
    using tree = openTree(workspace.root);
    emptySlots(tree, txId, header.changes);
    if (outcome.status === "rolled_back" && outcome.kept.length === 0) removeImages(tree, txId);
  } catch {
    // litter is no reason to refuse a change; the next one tries again
  }
}

function recoverOne(
  workspace: Workspace,
  owned: OwnedTransaction,
  header: JournalHeader,
  { log, onStep }: RecoverOptions,
): readonly Recovery[] {
  const { ledger, transaction } = owned;
  const { txId } = transaction;
  using tree = openTree(workspace.root);
  const journal = readJournal(tree, ledger.findKey(), transaction);
  if (journal.kind === "own" && journal.outcome) {
    noteEnd(owned, journal.seal); // the crash came between the two
    return [];
  }
  killMarked(txId); // a check that outlived papa-yu would go on writing
  const hasBegun = lookAgain(tree, header.changes, new Map()).status !== "rolled_back";
  const looked = rollBack(workspace, txId, header.changes, { ...(onStep && { onStep }) });
  const { status, kept, pending } = looked;
  const hasPlace = journal.kind !== "none" || isFolder(tree, transactionPath(txId));
  if (isResolved(looked) && ((journal.kind === "none" && status === "rolled_back") || !hasPlace)) {
    removeTransaction(tree, txId); // there is no journal to end
    noteEnd(owned, undefined);
    if (!hasBegun) return [];
  } else if (isResolved(looked)) {
    end(workspace, openForEnd(tree, journal, header, owned), txId, looked);
  }
  onStep?.("outcome");
  const reason = "recovered after a crash";
  log("APPLY_ROLLBACK", {
    tx_id: txId,
    reason,
    status,
    kept: kept.length,
    pending: pending.length,
  });
  return [{ txId, kind: header.kind, summary: header.summary, looked }];
}

/** A journal that was damaged is written anew, from what the home knows of it. */
function openForEnd(
  tree: Tree,
  journal: FoundJournal,
  header: JournalHeader,
  owned: OwnedTransaction,
): Journal {
  const path = journalPath(owned.transaction.txId);
  if (journal.kind === "own") return reopenJournal(tree.at(path), journal, owned);
  if (tree.has(path)) unlinkSync(tree.at(path));
  return beginJournal(tree.at(path), header, owned);
}

/**
 * No change begins on top of half a change that could not be put back.
 *
 * @throws AppError ERR_ROLLBACK_INCOMPLETE with what is pending and the command that goes on
 */
export function assertRecovered(workspace: Workspace, recoveries: readonly Recovery[]): void {
  const open = recoveries.find(({ looked }) => looked.status === "incomplete");
  if (!open) return;
  const text = describeRecovery(workspace, open);
  throw new AppError("ERR_ROLLBACK_INCOMPLETE", `Cannot begin before this is taken back: ${text}`);
}

/** What was taken back, and what was not, in one line. */
export function describeRecovery(
  workspace: Pick<Workspace, "root">,
  { txId, summary, looked }: Recovery,
): string {
  return `"${summary}"; ${describeLooked(looked, workspace, txId)}`;
}

function end(workspace: Workspace, journal: Journal, txId: string, looked: LookedAgain): void {
  try {
    const message = "papa-yu ended before the transaction was committed";
    const reason = { code: "ERR_INTERRUPTED", message } as const;
    endRolledBack(workspace, txId, journal, looked, reason);
  } finally {
    journal.close();
  }
}
