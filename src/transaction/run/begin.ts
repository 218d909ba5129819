import { mkdirSync, openSync } from "node:fs";
import type { Clock } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { openDirectory, syncTogether } from "../../system/write-durably.ts";
import { claimIdentity } from "../../workspace/identity.ts";
import { ensureStateSubdir } from "../../workspace/state-dir.ts";
import {
  beginJournal,
  type Journal,
  type JournalHeader,
  noteEnd,
  type OwnedTransaction,
  toRow,
} from "../journal/journal.ts";
import {
  imagesPath,
  journalPath,
  needsImages,
  OBJECTS,
  stageWriters,
  transactionPath,
  writeImages,
} from "../stage/stage.ts";
import type { TransactionRequest } from "../transaction.ts";
import { openTree, parentOf } from "../tree.ts";

/** A transaction that its home knows, and of which nothing else is written yet. */
export interface OpenedTransaction extends OwnedTransaction {
  readonly txId: string;
  readonly header: JournalHeader;
}

/**
 * Notes a new transaction in the home and makes its folder, in this order, so that the home knows
 * of all that a crash leaves in the workspace.
 */
export function openTransaction(request: TransactionRequest): OpenedTransaction {
  const { workspace, clock, intent } = request;
  const { changeSet, kind, summary, reverses, work, series, left } = intent;
  const { ledger } = workspace;
  if (!ledger) throw new Error(`no home vouches for transactions in ${workspace.root}`);
  const workspaceId = claimIdentity(workspace, ledger);
  const txId = newTransactionId(ledger.newest(workspaceId) ?? "", clock);
  const header: JournalHeader = {
    kind,
    at: clock.now(),
    changeSetId: changeSet.id,
    summary,
    changes: changeSet.changes,
    ...(reverses !== undefined && { reverses }),
    ...(work !== undefined && { work }),
    ...(series !== undefined && { row: series }),
    ...(left !== undefined && { left }),
  };
  ensureStateSubdir(workspace, "tx");
  ensureStateSubdir(workspace, "objects");
  ledger.key(); // no transaction without it
  const transaction = { workspaceId, txId };
  ledger.begin(transaction, toRow(header, transaction, workspace.root));
  try {
    using tree = openTree(workspace.root);
    mkdirSync(tree.at(transactionPath(txId)), { mode: 0o700 });
  } catch (error) {
    noteEnd({ ledger, transaction }, undefined);
    throw error;
  }
  return { txId, header, ledger, transaction };
}

/** Above all others even when the clock went backwards. */
function newTransactionId(newest: string, clock: Clock): string {
  const now = clock.now();
  let txId = newId("tx", now);
  for (let aheadMs = 1; txId <= newest; aheadMs *= 2) txId = newId("tx", now + aheadMs);
  return txId;
}

/** Puts on the disk, before the first swap, everything that apply and roll-back need. */
export async function beginTransaction(
  { workspace, intent: { changeSet }, onStep }: TransactionRequest,
  opened: OpenedTransaction,
): Promise<Journal> {
  const { txId, header } = opened;
  const hasBefore = needsImages(changeSet.changes);
  using tree = openTree(workspace.root);
  const archive = () => writeImages(tree.at(imagesPath(txId)), changeSet, header.at);
  await syncTogether([...(hasBefore ? [archive] : []), ...stageWriters(tree, txId, changeSet)]);
  onStep?.("staged");
  const journal = beginJournal(tree.at(journalPath(txId)), header, opened);
  try {
    const folder = transactionPath(txId);
    const folders = [folder, parentOf(folder), ...(hasBefore ? [OBJECTS] : [])];
    await syncTogether([
      () => openSync(tree.at(journalPath(txId)), "r"),
      ...folders.map((path) => () => openDirectory(tree.at(path))),
    ]);
  } catch (error) {
    journal.close();
    throw error;
  }
  onStep?.("journal");
  return journal;
}
