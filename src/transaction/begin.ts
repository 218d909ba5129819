import { mkdirSync, openSync } from "node:fs";
import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { openDirectory, syncTogether } from "../system/write-durably.ts";
import { ensureStateSubdir } from "../workspace/state-dir.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { beginJournal, type Journal } from "./journal.ts";
import { imagesPath, needsImages, OBJECTS, writeImages } from "./objects.ts";
import { listTransactions } from "./read-journal.ts";
import { journalPath, stageWriters, transactionPath } from "./stage.ts";
import type { TransactionRequest } from "./transaction.ts";
import { openTree, parentOf } from "./tree.ts";

/**
 * Makes the folder of a new transaction and returns its id, which is above all others even when
 * the clock went backwards.
 */
export function openTransaction(workspace: Workspace, clock: Clock): string {
  const newest = listTransactions(workspace).at(-1) ?? "";
  const now = clock.now();
  let txId = newId("tx", now);
  for (let aheadMs = 1; txId <= newest; aheadMs *= 2) txId = newId("tx", now + aheadMs);
  ensureStateSubdir(workspace, "tx");
  ensureStateSubdir(workspace, "objects");
  using tree = openTree(workspace.root);
  mkdirSync(tree.at(transactionPath(txId)), { mode: 0o700 });
  return txId;
}

/** Puts on the disk, before the first swap, all that the way forward and the way back need. */
export async function beginTransaction(
  request: TransactionRequest,
  txId: string,
): Promise<Journal> {
  const { workspace, changeSet, kind, summary, reverses, work, clock, onStep } = request;
  const at = clock.now();
  const hasBefore = needsImages(changeSet.changes);
  using tree = openTree(workspace.root);
  const archive = () => writeImages(tree.at(imagesPath(txId)), changeSet, at);
  await syncTogether([...(hasBefore ? [archive] : []), ...stageWriters(tree, txId, changeSet)]);
  onStep?.("staged");
  const { id: changeSetId, changes } = changeSet;
  const header = { kind, at, changeSetId, summary, changes };
  const journal = beginJournal(tree.at(journalPath(txId)), {
    ...header,
    ...(reverses !== undefined && { reverses }),
    ...(work !== undefined && { work }),
  });
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
