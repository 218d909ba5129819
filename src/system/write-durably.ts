import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** Some systems give a process no more than 256. */
const MAX_OPEN_FILES = 64;

/**
 * Replaces a file whole or not at all, and returns once the disk has it. The new content is
 * written beside the old, so readers see one or the other, never a part.
 */
export function writeDurably(path: string, content: string | Uint8Array, mode = 0o600): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const fd = openSync(temporary, "wx", mode);
    try {
      fchmodSync(fd, mode); // whatever the umask is
      writeFileSync(fd, content);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

/**
 * Calls functions that each write a file and return it open, then syncs and closes the files:
 * written before the first is synced, they reach the disk in few strokes instead of many.
 */
export function syncTogether(writers: readonly (() => number)[]): void {
  for (let start = 0; start < writers.length; start += MAX_OPEN_FILES) {
    const open: number[] = [];
    try {
      for (const write of writers.slice(start, start + MAX_OPEN_FILES)) open.push(write());
      for (const fd of open) fsyncSync(fd);
    } finally {
      for (const fd of open) closeSync(fd);
    }
  }
}

/** Returns once the disk has the names in a folder: what was created, renamed or removed. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
