import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { readdir } from "node:fs/promises";

/** Follows no link in the last part and waits for no pipe; what is on the way is looked at after. */
export const EXACT_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Where the kernel tells what an open descriptor leads to. */
const TELLS_PLACES = existsSync("/proc/self/fd");

/** An open regular file. */
export interface ExactFile extends Disposable {
  readonly fd: number;
  readonly stat: Stats;
}

/**
 * Opens the regular file at a real path and nothing else: a folder on the way that was swapped for
 * a link after somebody looked is noticed before a byte is read.
 *
 * @throws Error with a reason for people, or the system's own
 */
export function openExact(realPath: string): ExactFile {
  const fd = openSync(realPath, EXACT_FLAGS);
  try {
    const stat = expectExact(fd, realPath);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    return { fd, stat, [Symbol.dispose]: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * The entries of the folder at a real path and of no other.
 *
 * @throws Error with a reason for people, or the system's own
 */
export async function listExact(realPath: string): Promise<readonly Dirent[]> {
  const fd = openSync(realPath, EXACT_FLAGS | constants.O_DIRECTORY);
  try {
    expectExact(fd, realPath);
    const path = TELLS_PLACES ? `/proc/self/fd/${fd}` : realPath;
    return await readdir(path, { withFileTypes: true });
  } finally {
    closeSync(fd);
  }
}

/**
 * Looks again once a descriptor is open: what it leads to is at that real path.
 *
 * @throws Error when a link was put on the way, or the file was moved
 */
export function expectExact(fd: number, realPath: string): Stats {
  const stat = fstatSync(fd);
  const isExact = TELLS_PLACES
    ? readlinkSync(`/proc/self/fd/${fd}`) === realPath
    : realpathSync.native(realPath) === realPath && isSame(stat, lstatSync(realPath));
  if (!isExact) throw new Error("it was moved, or a link was put on the way to it; try again");
  return stat;
}

/** Whether two looks were at one file, whatever its name. */
export function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
