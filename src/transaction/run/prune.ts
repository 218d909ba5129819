import { lstatSync } from "node:fs";
import type { UndoLimits, Workspace } from "../../workspace/workspace.ts";
import { findOwn } from "../journal/journal.ts";
import { imagesPath, OBJECTS, removeImages } from "../stage/stage.ts";
import { openTree, type Tree } from "../tree.ts";

const DEFAULT_LIMITS: UndoLimits = { maxAgeMs: 90 * 86_400_000, maxBytes: 512 * 1024 * 1024 };

/**
 * Removes before-images over the workspace's limits, those of the oldest transactions first; what
 * the newest one stored stays, however large it is. Only those of this home's. For one who holds
 * the lock, after a commit: no journal is open then. What a crash or the disk keeps it from goes
 * next time. Never throws.
 */
export function pruneImages(workspace: Workspace, now: number): void {
  try {
    const own = findOwn(workspace);
    if (!own) return;
    const ids = new Set(own.ledger.list(own.workspaceId).map(({ txId }) => txId));
    using tree = openTree(workspace.root);
    const surplus = findSurplus(tree, ids, workspace.undoLimits ?? DEFAULT_LIMITS, now);
    for (const { txId } of surplus.toReversed()) removeImages(tree, txId);
  } catch {
    // the change itself is committed
  }
}

/** The first that is too old or does not fit, and all before it. */
function findSurplus(
  tree: Tree,
  ids: ReadonlySet<string>,
  { maxAgeMs, maxBytes }: UndoLimits,
  now: number,
): readonly StoredImages[] {
  const [newest, ...older] = listImages(tree, ids);
  let bytes = newest?.sizeBytes ?? 0;
  for (const [index, { sizeBytes, modifiedAt }] of older.entries()) {
    bytes += sizeBytes;
    if (bytes > maxBytes || now - modifiedAt > maxAgeMs) return older.slice(index);
  }
  return [];
}

interface StoredImages {
  readonly txId: string;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}

/** Newest first. */
function listImages(tree: Tree, ids: ReadonlySet<string>): readonly StoredImages[] {
  return tree
    .list(OBJECTS)
    .flatMap((name) => name.match(/^(tx_[0-9a-z]+)\.tar$/)?.[1] ?? [])
    .filter((txId) => ids.has(txId))
    .toSorted()
    .toReversed()
    .flatMap((txId) => {
      const stat = lstatSync(tree.at(imagesPath(txId)), { throwIfNoEntry: false });
      if (!stat) return []; // removed by hand just now
      return { txId, sizeBytes: stat.size, modifiedAt: stat.mtimeMs };
    });
}
