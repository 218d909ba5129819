import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ChangeSet } from "./change.ts";
import { contentOf } from "./change-set.ts";

/** Where the new content of the change with this index waits, in the transaction's folder. */
export function stagedPath(dir: string, index: number): string {
  return join(dir, "stage", String(index));
}

/** Functions that each write one new content with its final mode, to be synced together. */
export function stageWriters(dir: string, changeSet: ChangeSet): readonly (() => number)[] {
  mkdirSync(join(dir, "stage"), { mode: 0o700 });
  return changeSet.changes.flatMap((change, index) => {
    if (!("after" in change)) return [];
    const bytes = contentOf(changeSet, change.after);
    return () => writeStaged(stagedPath(dir, index), bytes, change.after.mode);
  });
}

/** Writes one content for a way back and returns its path once the disk has it. */
export function stageOne(dir: string, name: string, bytes: Uint8Array, mode: number): string {
  const path = join(dir, "stage", name);
  const fd = writeStaged(path, bytes, mode);
  try {
    fsyncSync(fd);
    return path;
  } finally {
    closeSync(fd);
  }
}

/**
 * Empties the stage. What a crash left there may be a second name of a file in the workspace,
 * so it is never written to again.
 */
export function clearStage(dir: string): void {
  removeStage(dir);
  mkdirSync(join(dir, "stage"), { recursive: true, mode: 0o700 }); // a check may have removed all
}

/** Removes the stage and what is left in it. */
export function removeStage(dir: string): void {
  rmSync(join(dir, "stage"), { recursive: true, force: true });
}

function writeStaged(path: string, bytes: Uint8Array, mode: number): number {
  const fd = openSync(path, "wx", 0o600);
  try {
    writeFileSync(fd, bytes);
    fchmodSync(fd, mode);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
