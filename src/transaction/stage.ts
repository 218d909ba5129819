import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ChangeSet } from "./change.ts";
import { contentOf } from "./change-set.ts";

/** Beside the journal: a folder of its own would cost each transaction as much as a file. */
const PREFIX = "stage-";

/** Where the new content of the change with this index waits, in the transaction's folder. */
export function stagedPath(dir: string, index: number): string {
  return join(dir, `${PREFIX}${index}`);
}

/** Functions that each write one new content with its final mode, to be synced together. */
export function stageWriters(dir: string, changeSet: ChangeSet): readonly (() => number)[] {
  return changeSet.changes.flatMap((change, index) => {
    if (!("after" in change)) return [];
    const bytes = contentOf(changeSet, change.after);
    return () => writeStaged(stagedPath(dir, index), bytes, change.after.mode);
  });
}

/** Writes one content for a way back and returns its path once the disk has it. */
export function stageOne(dir: string, name: string, bytes: Uint8Array, mode: number): string {
  const path = join(dir, `${PREFIX}${name}`);
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
  mkdirSync(dir, { recursive: true, mode: 0o700 }); // a check may have removed all
}

/** Removes what is left of the staged contents. */
export function removeStage(dir: string): void {
  const names = existsSync(dir) ? readdirSync(dir) : [];
  for (const name of names) {
    if (name.startsWith(PREFIX)) rmSync(join(dir, name), { recursive: true, force: true });
  }
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
