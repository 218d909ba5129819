import { lstatSync } from "node:fs";
import { AppError } from "../../core/app-error.ts";
import type { UndoLimits, Workspace } from "../../workspace/workspace.ts";
import { findOwn } from "../journal/journal.ts";
import {
  hasImages,
  imagesPath,
  OBJECTS,
  removeImages,
  removeTransaction,
  transactionPath,
} from "../stage/stage.ts";
import { openTree, type Tree } from "../tree.ts";

const DEFAULT_LIMITS: UndoLimits = { maxAgeMs: 90 * 86_400_000, maxBytes: 512 * 1024 * 1024 };

/** So many archives are looked at after every commit; of more, every so often. */
const FEW = 64;
/** Transactions whose journals one commit removes: what nobody waits for. */
const MOST_FORGOTTEN = 16;
/** Folders that may stay, with what somebody saved or left in them, and keep none behind them. */
const MOST_STAYING = 64;

/**
 * The same as {@link pruneImages} and {@link forgetPast}, for one who holds the lock, after a
 * commit. With a long past it is done by some commits only, so that each pays for a few archives,
 * whatever their number.
 */
export function pruneAfter(workspace: Workspace, txId: string, now: number): void {
  try {
    const own = findOwn(workspace);
    if (!own) return;
    using tree = openTree(workspace.root);
    const names = tree.list(OBJECTS);
    const turns = Math.ceil(names.length / FEW);
    // The end of an id is chance.
    if (Number.parseInt(txId.slice(-4), 36) % turns === 0) pruneAll(workspace, now);
    forgetPast(workspace, now, MOST_FORGOTTEN);
  } catch {
    // the change itself is committed
  }
}

/** What stays keeps nothing else from going. */
function pruneAll(workspace: Workspace, now: number): void {
  try {
    pruneImages(workspace, listSurplus(workspace, now));
  } catch {
    // it is in the next list, too
  }
}

/**
 * The transactions whose before-images are over the workspace's limits, the oldest first; what the
 * newest one stored stays, however large it is. Only those of this home's. For one who holds the
 * lock: no journal is open then.
 */
export function listSurplus(workspace: Workspace, now: number): readonly string[] {
  const own = findOwn(workspace);
  if (!own) return [];
  using tree = openTree(workspace.root);
  const surplus = findSurplus(tree, own, workspace.undoLimits ?? DEFAULT_LIMITS, now);
  return surplus.map(({ txId }) => txId).toReversed();
}

/**
 * Removes the before-images of transactions that {@link listSurplus} gave; gives how many. For one
 * who holds the lock.
 *
 * @throws AppError ERR_IO when some stay; they come again with the next list
 */
export function pruneImages(workspace: Workspace, txIds: readonly string[]): number {
  using tree = openTree(workspace.root);
  for (const txId of txIds) removeImages(tree, txId);
  const left = txIds.filter((txId) => tree.has(imagesPath(txId)));
  if (left[0] !== undefined) throw cannotRemove(workspace, imagesPath(left[0]), left.length);
  return txIds.length;
}

/**
 * Forgets transactions that are older than any undo is promised for and have no before-images any
 * more, the oldest first and at most `most`; gives how many. Their journals go before what the home
 * knows of them: cut off in between, it knows of one that nothing is left of, which counts for
 * nothing. One whose folder stays, since something is in it that is not papa-yu's, stays known, and
 * those behind it go. For one who holds the lock.
 *
 * @throws AppError ERR_IO when more folders stay than are looked past
 */
export function forgetPast(workspace: Workspace, now: number, most: number): number {
  const own = findOwn(workspace);
  const { maxAgeMs } = workspace.undoLimits ?? DEFAULT_LIMITS;
  if (!own || maxAgeMs === Infinity) return 0;
  const { ledger, workspaceId } = own;
  using tree = openTree(workspace.root);
  let forgotten = 0;
  const staying: string[] = [];
  for (const txId of ledger.oldest(workspaceId, now - maxAgeMs, most + MOST_STAYING)) {
    if (forgotten === most || hasImages(workspace, txId)) break; // no newer one goes before it
    removeTransaction(tree, txId);
    if (tree.has(transactionPath(txId))) {
      staying.push(transactionPath(txId));
      continue;
    }
    ledger.forget({ workspaceId, txId });
    forgotten += 1;
  }
  if (forgotten === 0 && staying.length >= MOST_STAYING && staying[0] !== undefined) {
    throw cannotRemove(workspace, staying[0], staying.length);
  }
  return forgotten;
}

function cannotRemove({ root }: Workspace, path: string, count: number): AppError {
  const more = count > 1 ? ` and ${count - 1} more` : "";
  const why = "the disk refuses, or something that is not papa-yu's is there";
  return new AppError("ERR_IO", `Cannot remove "${path}"${more} in "${root}": ${why}`);
}

/** Of this home's before-images in a workspace: when each archive was written, and how large it is. */
export function listArchives(
  workspace: Workspace,
): readonly { readonly at: number; readonly bytes: number }[] {
  const own = findOwn(workspace);
  if (!own) return [];
  using tree = openTree(workspace.root);
  return listImages(tree, own).map(({ modifiedAt, sizeBytes }) => {
    return { at: modifiedAt, bytes: sizeBytes };
  });
}

/** The first that is too old or does not fit, and all before it. */
function findSurplus(
  tree: Tree,
  own: Own,
  { maxAgeMs, maxBytes }: UndoLimits,
  now: number,
): readonly StoredImages[] {
  const [newest, ...older] = listImages(tree, own);
  let bytes = newest?.sizeBytes ?? 0;
  for (const [index, { sizeBytes, modifiedAt }] of older.entries()) {
    bytes += sizeBytes;
    if (bytes > maxBytes || now - modifiedAt > maxAgeMs) return older.slice(index);
  }
  return [];
}

/** What this home knows of the workspace. */
type Own = NonNullable<ReturnType<typeof findOwn>>;

interface StoredImages {
  readonly txId: string;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}

/** Newest first. */
function listImages(tree: Tree, { ledger, workspaceId }: Own): readonly StoredImages[] {
  return tree
    .list(OBJECTS)
    .flatMap((name) => name.match(/^(tx_[0-9a-z]+)\.tar$/)?.[1] ?? [])
    .filter((txId) => ledger.has({ workspaceId, txId }))
    .toSorted()
    .toReversed()
    .flatMap((txId) => {
      const stat = lstatSync(tree.at(imagesPath(txId)), { throwIfNoEntry: false });
      if (!stat) return []; // removed by hand just now
      return { txId, sizeBytes: stat.size, modifiedAt: stat.mtimeMs };
    });
}
