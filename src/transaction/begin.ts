import { closeSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { syncDirectory, syncTogether } from "../system/write-durably.ts";
import { ensureStateSubdir } from "../workspace/state-dir.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ChangeSet } from "./change.ts";
import { contentOf } from "./change-set.ts";
import { beginJournal, type Journal } from "./journal.ts";
import { objectWriters } from "./objects.ts";
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
export function beginTransaction(request: TransactionRequest, dir: string): Journal {
  const { workspace, changeSet, kind, summary, reverses, clock, onStep } = request;
  syncTogether([
    ...objectWriters(workspace, beforeImages(changeSet)),
    ...stageWriters(dir, changeSet),
  ]);
  for (const write of objectWriters(workspace, mergeImages(changeSet))) closeSync(write());
  onStep?.("staged");
  const { id: changeSetId, changes } = changeSet;
  const header = { kind, at: clock.now(), changeSetId, summary, changes };
  const journal = beginJournal(dir, { ...header, ...(reverses !== undefined && { reverses }) });
  for (const folder of [join(dir, "../../objects"), dir, dirname(dir)]) syncDirectory(folder);
  onStep?.("journal");
  return journal;
}

function beforeImages(changeSet: ChangeSet): ReadonlyMap<string, Uint8Array> {
  const images = new Map<string, Uint8Array>();
  for (const change of changeSet.changes) {
    if ("before" in change) images.set(change.before.sha256, contentOf(changeSet, change.before));
  }
  return images;
}

/** What an undo needs to merge with later edits; it can do without, so these are not synced. */
function mergeImages(changeSet: ChangeSet): ReadonlyMap<string, Uint8Array> {
  const images = new Map<string, Uint8Array>();
  for (const change of changeSet.changes) {
    if (change.kind === "update") {
      images.set(change.after.sha256, contentOf(changeSet, change.after));
    }
  }
  return images;
}
