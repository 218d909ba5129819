import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { STATE_DIR, type UndoLimits, type Workspace } from "../workspace/workspace.ts";
import { removeImages } from "./objects.ts";

const DEFAULT_LIMITS: UndoLimits = { maxAgeMs: 90 * 86_400_000, maxBytes: 512 * 1024 * 1024 };

/**
 * Removes before-images over the workspace's limits, those of the oldest transactions first; what
 * the newest one stored stays whatever its size. For one who holds the lock, after a commit: no
 * journal is open then. What a crash or the disk keeps it from goes next time. Never throws.
 */
export function pruneImages(workspace: Workspace, now: number): void {
  try {
    const surplus = findSurplus(workspace, now);
    for (const { txId } of surplus.toReversed()) removeImages(workspace, txId);
  } catch {
    // the change itself is committed
  }
}

/** The first that is too old or does not fit, and all before it. */
function findSurplus(workspace: Workspace, now: number): readonly StoredImages[] {
  const { maxAgeMs, maxBytes } = workspace.undoLimits ?? DEFAULT_LIMITS;
  const [newest, ...older] = listImages(workspace);
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
function listImages(workspace: Workspace): readonly StoredImages[] {
  const dir = join(workspace.root, STATE_DIR, "objects");
  const names = readdirSync(dir).filter((name) => /^tx_[0-9a-z]+\.tar$/.test(name));
  return names
    .toSorted()
    .toReversed()
    .flatMap((name) => {
      const stat = statSync(join(dir, name), { throwIfNoEntry: false });
      if (!stat) return []; // removed by hand just now
      return {
        txId: name.slice(0, -".tar".length),
        sizeBytes: stat.size,
        modifiedAt: stat.mtimeMs,
      };
    });
}
