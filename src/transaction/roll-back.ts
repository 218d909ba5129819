import { basename } from "node:path";
import { AppError, errorMessage, systemErrorCode } from "../core/app-error.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Change, FileState } from "./change.ts";
import type { Kept } from "./journal.ts";
import { openImages } from "./objects.ts";
import { clearStage, stageOne } from "./stage.ts";
import { revertChange } from "./swap.ts";
import { openTree, type Tree } from "./tree.ts";

/** Called after every step that reaches the disk, so that tests can stop the process there. */
export type OnStep = (step: string) => void;

/**
 * Takes back whatever of a transaction was done, by comparing hashes; returns once the disk has
 * it. It may be interrupted and repeated at any point. Before-images come from `images` where
 * they are still in memory, else from the object store.
 *
 * @returns the paths that somebody else changed meanwhile; they were left alone
 * @throws AppError ERR_IO when the disk refused; every other file was taken back first
 */
export function rollBack(
  workspace: Workspace,
  dir: string,
  changes: readonly Change[],
  options: { readonly images?: ReadonlyMap<string, Uint8Array>; readonly onStep?: OnStep } = {},
): readonly Kept[] {
  const { images, onStep = () => {} } = options;
  using tree = openTree(workspace.root);
  using stored = openImages(workspace, basename(dir));
  const read = ({ sha256 }: FileState) => images?.get(sha256) ?? stored.read(sha256);
  const kept: Kept[] = [];
  const failures: string[] = [];
  clearStage(dir);
  onStep("stage cleared");
  for (const [index, change] of [...changes.entries()].toReversed()) {
    const stageBefore = (state: FileState) => {
      const bytes = read(state);
      if (!bytes) throw new MissingImage(`no before-image ${state.sha256}`);
      return stageOne(dir, `back-${index}`, bytes, state.mode);
    };
    try {
      if (!revert(workspace, tree, change, stageBefore)) kept.push(toKept(change));
      onStep(`back ${change.path}`);
    } catch (error) {
      failures.push(`"${change.path}": ${errorMessage(error)}`);
    }
  }
  tree.sync();
  if (failures.length === 0) return kept;
  throw new AppError(
    "ERR_IO",
    `Cannot roll back ${failures.join(", ")}; mend it, then run "papayu recover"`,
  );
}

function revert(
  workspace: Workspace,
  tree: Tree,
  change: Change,
  stageBefore: (state: FileState) => string,
): boolean {
  // A journal may come with a folder from elsewhere: it gets no further than an action would.
  if (!resolvePath(workspace, change.path, "write").ok) return false;
  try {
    return revertChange(tree, change, stageBefore);
  } catch (error) {
    if (error instanceof MissingImage) return false;
    // Its folder is gone, or a link or a file now: somebody else's doing.
    if (/^(ENOENT|ENOTDIR|ELOOP|EEXIST)$/.test(systemErrorCode(error) ?? "")) return false;
    throw error;
  }
}

class MissingImage extends Error {}

function toKept(change: Change): Kept {
  const beforeSha256 = "before" in change ? change.before.sha256 : null;
  return { path: change.path, beforeSha256 };
}
