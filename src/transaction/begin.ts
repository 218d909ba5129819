import { mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { openDirectory, syncTogether } from "../system/write-durably.ts";
import { ensureStateSubdir } from "../workspace/state-dir.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { beginJournal, JOURNAL_FILE, type Journal } from "./journal.ts";
import { writeImages } from "./objects.ts";
import { listTransactions } from "./read-journal.ts";
import { stageWriters } from "./stage.ts";
import type { TransactionRequest } from "./transaction.ts";

/** A transaction's id and its folder in `.papa-yu/tx/`. */
export interface Running {
  readonly txId: string;
  readonly dir: string;
}

/** Makes the folder; its name is above all others even when the clock went backwards. */
export function openTransaction(workspace: Workspace, clock: Clock): Running {
  const newest = listTransactions(workspace).at(-1) ?? "";
  const now = clock.now();
  let txId = newId("tx", now);
  for (let aheadMs = 1; txId <= newest; aheadMs *= 2) txId = newId("tx", now + aheadMs);
  const dir = join(ensureStateSubdir(workspace, "tx"), txId);
  mkdirSync(dir, { mode: 0o700 });
  return { txId, dir };
}

/** Puts on the disk, before the first swap, all that the way forward and the way back need. */
export async function beginTransaction(
  request: TransactionRequest,
  { txId, dir }: Running,
): Promise<Journal> {
  const { workspace, changeSet, kind, summary, reverses, clock, onStep } = request;
  const at = clock.now();
  const objects = ensureStateSubdir(workspace, "objects");
  const hasBefore = changeSet.changes.some((change) => "before" in change);
  await syncTogether([
    ...(hasBefore ? [() => writeImages(workspace, txId, changeSet, at)] : []),
    ...stageWriters(dir, changeSet),
  ]);
  onStep?.("staged");
  const { id: changeSetId, changes } = changeSet;
  const header = { kind, at, changeSetId, summary, changes };
  const journal = beginJournal(dir, { ...header, ...(reverses !== undefined && { reverses }) });
  try {
    const folders = [dir, dirname(dir), ...(hasBefore ? [objects] : [])];
    await syncTogether([
      () => openSync(join(dir, JOURNAL_FILE), "r"),
      ...folders.map((folder) => () => openDirectory(folder)),
    ]);
  } catch (error) {
    journal.close();
    throw error;
  }
  onStep?.("journal");
  return journal;
}
