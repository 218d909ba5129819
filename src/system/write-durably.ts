import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fsync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** Some systems give a process no more than 256. */
const MAX_OPEN_FILES = 64;

/**
 * Replaces a file whole or not at all, and returns once the disk has it. The new content is written
 * next to the old, so readers see one or the other, never a part.
 */
export function writeDurably(path: string, content: string | Uint8Array, mode = 0o600): void {
  replace(path, content, mode, fsyncSync);
  syncDirectory(dirname(path));
}

/** The same without waiting for the disk: for what nobody would miss after a power cut. */
export function writeWhole(path: string, content: string | Uint8Array, mode = 0o600): void {
  replace(path, content, mode, () => {});
}

/**
 * The same for one who alone writes that file, by a lock: what is written first has one name, so those
 * who are killed there leave one file, and not one each.
 */
export function writeAlone(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.tmp`;
  if (lstatSync(temporary, { throwIfNoEntry: false })) rmSync(temporary);
  replace(path, content, 0o600, () => {}, temporary);
}

function replace(
  path: string,
  content: string | Uint8Array,
  mode: number,
  sync: (fd: number) => void,
  temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`,
): void {
  try {
    const fd = openSync(temporary, "wx", mode);
    try {
      fchmodSync(fd, mode); // regardless of the umask
      writeFileSync(fd, content);
      sync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Calls functions that each open something, a file they write or a folder, and returns once the
 * disk has all of it. Syncs run at the same time: the disk takes what waits in few strokes.
 *
 * @throws the first failure, after the last sync has ended
 */
export async function syncTogether(openers: readonly (() => number)[]): Promise<void> {
  const queue = openers.values();
  const drain = async (): Promise<void> => {
    for (const open of queue) await syncAndClose(open());
  };
  const drains = Array.from({ length: Math.min(MAX_OPEN_FILES, openers.length) }, drain);
  for (const ended of await Promise.allSettled(drains)) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

/** Opens a folder, to sync the names in it: what was created, renamed or removed. */
export function openDirectory(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
}

/** Returns once the disk has the names in a folder: what was created, renamed or removed. */
export function syncDirectory(path: string): void {
  const fd = openDirectory(path);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

async function syncAndClose(fd: number): Promise<void> {
  try {
    await promisify(fsync)(fd);
  } finally {
    closeSync(fd);
  }
}
