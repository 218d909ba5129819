import { unlinkSync } from "node:fs";
import { AppError, systemErrorCode } from "../core/app-error.ts";
import type { Log } from "../core/log.ts";
import { killMarked } from "../system/kill-tree.ts";
import { claimIdentity, identify } from "../workspace/identity.ts";
import type { OpenEntry } from "../workspace/ledger.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Change } from "./change.ts";
import { endRolledBack } from "./go-back.ts";
import {
  beginJournal,
  type Journal,
  type JournalHeader,
  noteEnd,
  reopenJournal,
  type TransactionKind,
  type Vouched,
} from "./journal.ts";
import { takeWorkspaceLock } from "./lock.ts";
import { describeLooked, type LookedAgain } from "./look-again.ts";
import { removeImages } from "./objects.ts";
import {
  type FoundJournal,
  findOwn,
  headerOf,
  readJournal,
  readOwnTransactions,
} from "./own-journals.ts";
import { type OnStep, rollBack } from "./roll-back.ts";
import { journalPath, removeLitter, removeTransaction, transactionPath } from "./stage.ts";
import { hasContent, openTree, type Tree } from "./tree.ts";

/** One transaction that was left unfinished, and how its files stand after the way back. */
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
  if (findLeftovers(workspace).length === 0 && !isMoved(workspace)) return [];
  const release = takeWorkspaceLock(workspace, "recover", Date.now());
  try {
    return recoverLeftovers(workspace, options);
  } finally {
    release();
  }
}

/**
 * The same for one who holds the lock. What was begun and by whom is the home's to say: whatever
 * else lies in the state folder may have come with the folder, and is left alone.
 */
export function recoverLeftovers(
  workspace: Workspace,
  options: RecoverOptions,
): readonly Recovery[] {
  const { ledger } = workspace;
  sweep(workspace);
  const leftovers = findLeftovers(workspace);
  if (!ledger || (leftovers.length === 0 && !isMoved(workspace))) return [];
  const workspaceId = claimIdentity(workspace, ledger);
  const recovered = leftovers.toReversed().flatMap(({ txId, header }) => {
    const vouched = { ledger, transaction: { workspaceId, txId } };
    return recoverOne(workspace, vouched, headerOf(header), options);
  });
  return recovered.toReversed();
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
    removeLitter(tree, txId, header.changes);
    if (outcome.status === "rolled_back" && outcome.kept.length === 0) removeImages(tree, txId);
  } catch {
    // litter is no reason to refuse a change; the next one tries again
  }
}

/**
 * What has not ended. Without its folder it never began, or is in a copy that is not here now; or
 * a tool such as `git clean` took the folder away, then it is the newest and left its content.
 */
function findLeftovers(workspace: Workspace): readonly OpenEntry[] {
  const own = findOwn(workspace);
  const open = own?.ledger.listOpen(own.workspaceId) ?? [];
  if (open.length === 0) return [];
  using tree = openTree(workspace.root);
  const newest = own?.ledger.list(own.workspaceId).at(-1)?.txId;
  return open.filter(({ txId, header }) => {
    if (isFolder(tree, transactionPath(txId))) return true;
    return txId === newest && headerOf(header).changes.some((change) => wasMade(tree, change));
  });
}

/** Only what is there says so: what is not there may be anybody's doing. */
function wasMade(tree: Tree, change: Change): boolean {
  if (change.kind !== "create" && change.kind !== "update") return false;
  if (change.kind === "update" && change.before.sha256 === change.after.sha256) return false;
  try {
    return hasContent(tree.look(change.path), change.after);
  } catch {
    return false;
  }
}

function isFolder(tree: Tree, path: string): boolean {
  try {
    return tree.look(path).kind === "folder";
  } catch (error) {
    if (/^(ENOTDIR|ELOOP)$/.test(systemErrorCode(error) ?? "")) return false; // a link on the way
    throw error;
  }
}

function recoverOne(
  workspace: Workspace,
  vouched: Vouched,
  header: JournalHeader,
  { log, onStep }: RecoverOptions,
): readonly Recovery[] {
  const { ledger, transaction } = vouched;
  const { txId } = transaction;
  using tree = openTree(workspace.root);
  const journal = readJournal(tree, ledger.findKey(), transaction);
  if (journal.kind === "own" && journal.outcome) {
    noteEnd(vouched, journal.seal); // the crash came between the two
    return [];
  }
  killMarked(txId); // a check that outlived papa-yu would go on writing
  const looked = rollBack(workspace, txId, header.changes, { ...(onStep && { onStep }) });
  const { status, kept, pending } = looked;
  if (journal.kind === "none" && status === "rolled_back") {
    removeTransaction(tree, txId); // it never began
    noteEnd(vouched, undefined);
    return [];
  }
  if (status !== "incomplete")
    end(workspace, openForEnd(tree, journal, header, vouched), txId, looked);
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
  vouched: Vouched,
): Journal {
  const path = journalPath(vouched.transaction.txId);
  if (journal.kind === "own") return reopenJournal(tree.at(path), journal, vouched);
  if (tree.has(path)) unlinkSync(tree.at(path));
  return beginJournal(tree.at(path), header, vouched);
}

/**
 * Whoever is about to change files does not begin above a half that could not be put back.
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
