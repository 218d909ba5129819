import { chmodSync, lstatSync } from "node:fs";
import { constants } from "node:os";
import { loadC } from "../processes/processes.ts";
import { readErrno, toSystemError } from "./system-error.ts";

/**
 * The access lists of files (POSIX ACLs), which say of further users and groups what they may do. The
 * runtime has no call for them; where the system has none, no file has one.
 */
export interface AccessLists extends Disposable {
  /**
   * Undefined: who may do what is all in the mode. A link is not followed.
   *
   * @throws Error with the system's code where nobody can say
   */
  read(path: string): AccessList | undefined;
  /** Gives a file, which keeps its mode, such a list, or takes away what it has; false: that cannot be. */
  write(path: string, list: AccessList | undefined): boolean;
  /**
   * Gives a new file what its folder hands down, as the system does to one that is made with this mode;
   * false where that is nothing.
   */
  handDown(folder: string, path: string, mode: number): boolean;
}

/** As the kernel has it. */
export type AccessList = Uint8Array;

const NAME = toCString("system.posix_acl_access");
/** A folder's, for what is made in it. */
const HANDED_DOWN = toCString("system.posix_acl_default");
/** It has none, or its disk or the system keeps none. */
const HAS_NONE: ReadonlySet<number> = new Set([
  constants.errno.ENODATA,
  constants.errno.EOPNOTSUPP,
  constants.errno.ENOSYS,
]);
/** No attribute is longer. */
const MOST_BYTES = 64 * 1024;

/** Loads nothing before it is asked. */
export function openAccessLists(): AccessLists {
  let loaded: ReturnType<typeof load>;
  let isTried = false;
  const calls = () => {
    if (!isTried) loaded = load();
    isTried = true;
    return loaded?.symbols;
  };
  let room: Buffer | undefined;
  const read = (path: string, name = NAME) => {
    room ??= Buffer.alloc(MOST_BYTES);
    const known = calls();
    if (!known) return undefined;
    const size = Number(known.lgetxattr(toCString(path), name, room, room.length));
    if (size >= 0) return Uint8Array.from(room.subarray(0, size));
    const errno = readErrno(known.__errno_location());
    if (HAS_NONE.has(errno)) return undefined;
    throw toSystemError(errno, `getxattr '${path}'`);
  };
  const set = (path: string, list: AccessList) =>
    calls()?.lsetxattr(toCString(path), NAME, list, list.length, 0) === 0;
  return {
    read: (path) => read(path),
    write(path, list) {
      if (!list) return !read(path) || calls()?.lremovexattr(toCString(path), NAME) === 0;
      const mode = lstatSync(path).mode & 0o777;
      if (!set(path, list)) return false;
      // A list brings a mode with it, and is no link: the kernel keeps none for one.
      if ((lstatSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
      return true;
    },
    handDown(folder, path, mode) {
      const list = read(folder, HANDED_DOWN);
      if (!list || !set(path, list)) return false;
      chmodSync(path, mode & lstatSync(path).mode);
      return true;
    },
    [Symbol.dispose]: () => loaded?.close(),
  };
}

function load() {
  return loadC({
    __errno_location: { args: [], returns: "ptr" },
    lgetxattr: { args: ["ptr", "ptr", "ptr", "u64"], returns: "i64" },
    lremovexattr: { args: ["ptr", "ptr"], returns: "i32" },
    lsetxattr: { args: ["ptr", "ptr", "ptr", "u64", "i32"], returns: "i32" },
  });
}

/** After a version of four bytes: tag and rights of two bytes each, and an id. */
const [HEADER_BYTES, ENTRY_BYTES] = [4, 8];
const OWNING_GROUP = 0x04;

/**
 * The mode of a file with this list for one that has none. With a list the bits of the group are the
 * most that anybody named in it has, and may be more than the group itself has.
 */
export function withoutList(mode: number, list: AccessList): number {
  const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
  for (let at = HEADER_BYTES; at + ENTRY_BYTES <= list.length; at += ENTRY_BYTES) {
    if (view.getUint16(at, true) !== OWNING_GROUP) continue;
    return mode & (0o707 | ((view.getUint16(at + 2, true) & 0o7) << 3));
  }
  return mode & 0o707;
}

function toCString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
