import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { readdir } from "node:fs/promises";

/** Follows no link in the last part and waits for no pipe; what is on the way is looked at after. */
export const EXACT_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What is open is not what the path named: a link is on the way to it now, or it was moved. */
export class MovedError extends Error {}

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
  using folder = openExactFolder(realPath);
  return await readdir(folder.path, { withFileTypes: true });
}

/** {@link listExact} for callers that do not wait. */
export function listExactSync(realPath: string): readonly Dirent[] {
  using folder = openExactFolder(realPath);
  return readdirSync(folder.path, { withFileTypes: true });
}

/** The folder held open, and a path that leads to it as long as it is. */
function openExactFolder(realPath: string): Disposable & { readonly path: string } {
  const fd = openSync(realPath, EXACT_FLAGS | constants.O_DIRECTORY);
  try {
    expectExact(fd, realPath);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  const path = TELLS_PLACES ? `/proc/self/fd/${fd}` : realPath;
  return { path, [Symbol.dispose]: () => closeSync(fd) };
}

/**
 * Looks again once a descriptor is open: what it leads to is at that real path.
 *
 * @throws MovedError when a link was put on the way, or the file was moved
 */
export function expectExact(fd: number, realPath: string): Stats {
  const stat = fstatSync(fd);
  const isExact = TELLS_PLACES
    ? readlinkSync(`/proc/self/fd/${fd}`) === realPath
    : realpathSync.native(realPath) === realPath && isSame(stat, lstatSync(realPath));
  if (!isExact) throw new MovedError("it was moved, or a link was put on the way to it; try again");
  return stat;
}

/** Whether two looks were at one file, under any name. */
export function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
