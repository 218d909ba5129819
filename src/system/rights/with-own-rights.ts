import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  type Stats,
} from "node:fs";
import { systemErrorCode } from "../../core/app-error.ts";
import type { PinnedDir } from "../pinned-dir.ts";

/** Names an entry without opening it, so that no right on it is needed; Linux only. */
const O_PATH = 0o10000000;
const FLAGS = O_PATH | constants.O_NOFOLLOW;

/** What an owner needs to change the entries of a folder. */
export const FOLDER_RIGHTS = 0o700;
/** What an owner needs to read a file. */
export const READING_RIGHT = 0o400;
/** Somebody swapped the folder between two looks. */
const RACED = Object.assign(new Error("ENOTDIR: it was swapped just now"), { code: "ENOTDIR" });
/** What an owner needs to look into a folder. */
const LOOKING_RIGHTS = 0o500;

/**
 * Does `work`; where it fails because rights of the owner are missing on an entry that is this
 * user's own (a tool took them away), it is done again with these rights, and then the mode is
 * as it was. A link is not followed.
 */
export function withOwnRights<T>(entry: () => string, rights: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (systemErrorCode(error) !== "EACCES" || process.platform !== "linux") throw error;
    return doWithRights(entry(), rights, work, error);
  }
}

/** Opens a folder in a folder; rights to look into it that are missing are given until it closes. */
export function openWithOwnRights(parent: PinnedDir, name: string): PinnedDir {
  const entry = parent.entry(name);
  const stat = lstatSync(entry, { throwIfNoEntry: false });
  if (!stat?.isDirectory() || !isMissing(stat, LOOKING_RIGHTS)) return parent.open(name);
  const mode = stat.mode & 0o7777;
  const dir = doWithRights(entry, LOOKING_RIGHTS, () => parent.open(name), RACED);
  dir.setMode(mode | LOOKING_RIGHTS);
  return {
    ...dir,
    close() {
      dir.setMode(mode);
      dir.close();
    },
  };
}

function doWithRights<T>(entry: string, rights: number, work: () => T, refusal: unknown): T {
  const fd = openSync(entry, FLAGS);
  try {
    const stat = fstatSync(fd);
    const mode = stat.mode & 0o7777;
    // Another's, a link, or one that has these rights: they were not what was missing.
    if (!isMissing(stat, rights) || stat.isSymbolicLink()) throw refusal;
    const path = `/proc/self/fd/${fd}`;
    chmodSync(path, mode | rights);
    try {
      return work();
    } finally {
      chmodSync(path, mode);
    }
  } finally {
    closeSync(fd);
  }
}

/** Of the superuser no right is ever missing. */
function isMissing({ uid, mode }: Stats, rights: number): boolean {
  const self = process.geteuid?.();
  return self !== 0 && uid === self && (mode & rights) !== rights;
}
