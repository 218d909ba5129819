import { closeSync, fsyncSync, unlinkSync } from "node:fs";
import { AppError, describeDiskError, systemErrorCode } from "../core/app-error.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Change, FileState } from "./change.ts";
import type { Kept } from "./journal.ts";
import { imagesPath, openImages } from "./objects.ts";
import { clearStage, type Slot, slotOf, writeNew } from "./stage.ts";
import { revertChange } from "./swap.ts";
import { holds, openTree, type Tree } from "./tree.ts";

/** Called after every step that reaches the disk, so that tests can stop the process there. */
export type OnStep = (step: string) => void;

/** What a way back may use besides the disk. */
export interface RollBackOptions {
  /** Before-images that are still in memory, by sha256; the others are in the archive. */
  readonly images?: ReadonlyMap<string, Uint8Array>;
  readonly onStep?: OnStep;
}

/**
 * Takes back whatever of a transaction was done, by comparing hashes; returns once the disk has
 * it. It may be interrupted and repeated at any point. A file goes back as itself where the stage
 * still has it, which takes no space; else its before-image is written.
 *
 * @returns the paths that somebody else changed meanwhile; they were left alone
 * @throws AppError ERR_IO when the disk refused; every other file was taken back first
 */
export function rollBack(
  workspace: Workspace,
  txId: string,
  changes: readonly Change[],
  { images, onStep = () => {} }: RollBackOptions = {},
): readonly Kept[] {
  using tree = openTree(workspace.root);
  using stored = openImages(workspace, txId);
  const kept: Kept[] = [];
  const failures: string[] = [];
  clearStage(tree, txId);
  onStep("stage cleared");
  for (const [index, change] of [...changes.entries()].toReversed()) {
    const slot = slotOf(txId, index, change.path);
    const imageOf = (state: FileState): string => {
      if (hasOld(tree, slot.old, state)) return slot.old;
      const bytes = images?.get(state.sha256) ?? stored.read(state.sha256);
      if (!bytes) throw new MissingImage(`no before-image ${state.sha256}`);
      return writeImage(tree, slot.beside, bytes, state.mode);
    };
    try {
      if (!revert(workspace, tree, change, slot, imageOf)) kept.push(toKept(change));
      onStep(`back ${change.path}`);
    } catch (error) {
      failures.push(`"${change.path}": ${describeDiskError(error)}`);
    }
  }
  try {
    tree.sync();
  } catch (error) {
    failures.push(`the folders: ${describeDiskError(error)}`);
  }
  if (failures.length === 0) return kept;
  throw new AppError(
    "ERR_IO",
    `Cannot roll back ${failures.join(", ")}; mend it, then run "papayu recover"`,
  );
}

/** The paths that were left alone, each with the hash of its before-image, and where those are. */
export function listKept(kept: readonly Kept[], txId: string): string {
  const files = kept.map(({ path, beforeSha256 }) => {
    const before = beforeSha256 === null ? "new" : `before: ${beforeSha256}`;
    return `"${path}" (${before})`;
  });
  return `${files.join(", ")}; contents by hash are in ${imagesPath(txId)}`;
}

function revert(
  workspace: Workspace,
  tree: Tree,
  change: Change,
  { beside }: Slot,
  imageOf: (state: FileState) => string,
): boolean {
  try {
    removeCopy(tree, beside);
    // A journal may come with a folder from elsewhere: it gets no further than an action would.
    if (!resolvePath(workspace, change.path, "write").ok) return false;
    return revertChange(tree, change, imageOf);
  } catch (error) {
    if (error instanceof MissingImage) return false;
    // Its folder is a link or a file now: somebody else's doing.
    if (/^(ENOENT|ENOTDIR|ELOOP|EEXIST)$/.test(systemErrorCode(error) ?? "")) return false;
    throw error;
  }
}

/** A crash left it; it may be a second name of the file that it was to become. */
function removeCopy(tree: Tree, beside: string): void {
  if (tree.has(beside)) unlinkSync(tree.touch(beside));
}

function hasOld(tree: Tree, old: string, state: FileState): boolean {
  try {
    return holds(tree.look(old), state);
  } catch {
    return false; // a check may have put anything there
  }
}

function writeImage(tree: Tree, beside: string, bytes: Uint8Array, mode: number): string {
  const fd = writeNew(tree.touch(beside), bytes, mode);
  try {
    fsyncSync(fd);
    return beside;
  } finally {
    closeSync(fd);
  }
}

class MissingImage extends Error {}

function toKept(change: Change): Kept {
  const beforeSha256 = "before" in change ? change.before.sha256 : null;
  return { path: change.path, beforeSha256 };
}
