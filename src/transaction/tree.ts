import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from "node:fs";
import { AppError, errorMessage, hasCode, orElse, systemErrorCode } from "../core/app-error.ts";
import { sha256 } from "../core/sha256.ts";
import { type PinnedDir, pinDirectory } from "../system/pinned-dir.ts";
import {
  type AccessLists,
  FOLDER_RIGHTS,
  openAccessLists,
  openNameSwap,
  openWithOwnRights,
  READING_RIGHT,
  withOwnRights,
  withoutList,
} from "../system/rights/rights.ts";
import type { FileState } from "./change.ts";
import { specialOf } from "./mode-notes.ts";

/** Of a folder: what is made in it is of its group, and only who owns it takes it away. */
const FOLDER_RULES = 0o3000;

/** Larger files are left alone: they are held in memory twice, and no model edits them. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Folders held open at once: some systems give a process no more than 256 files. */
const MAX_PINS = 32;

/** So many where no more can be opened: the workspace, and the two that one call may name. */
const FEWEST_PINS = 3;

/** What is at a path at this moment. */
export type Found =
  | { readonly kind: "nothing" }
  | FoundFile
  | { readonly kind: "folder"; readonly mode: number; readonly special?: number }
  | { readonly kind: "other"; readonly what: string };

/** A regular file with its content. */
export interface FoundFile {
  readonly kind: "file";
  readonly state: FileState;
  readonly bytes: Buffer;
  readonly stat: Stats;
}

/**
 * A workspace as one transaction reads and writes it. Folders are opened once, without following
 * links, and stay open, so that a folder swapped for a link half-way diverts no write.
 */
export interface Tree {
  look(path: string): Found;
  /** Whether anything at all is there. */
  has(path: string): boolean;
  /** Names in a folder. */
  list(path: string): readonly string[];
  /** A path for one system call on the entry, made before the next but one is asked for. */
  at(path: string): string;
  /** The same; the entry's folder is synced later. */
  touch(path: string): string;
  /** Changes entries of a folder; in a roll-back also without the owner's rights on it. */
  change(folder: string, work: () => void): void;
  /** Of a folder, whose setgid and sticky bits stay. */
  setMode(path: string, mode: number): void;
  /**
   * Lets what waits and what is at a path change places in one step; false where that cannot be, and
   * nothing was done. The folder of the path is synced later.
   */
  swap(waiting: string, path: string): boolean;
  /** Moves what waits to a path where nothing is, or fails with EEXIST; else the same. */
  moveToFree(waiting: string, path: string): boolean;
  /** Those of its files, by what {@link Tree.at} gives. */
  readonly lists: AccessLists;
  /** Returns once the disk has every touched name. */
  sync(): void;
  [Symbol.dispose](): void;
}

/**
 * Opens the tree below an absolute, real path. On a roll-back, what is this user's own is read and
 * changed even where a tool took the rights on it; its mode is the same afterwards.
 *
 * @throws AppError ERR_IO when the folder cannot be opened
 */
export function openTree(root: string, purpose?: "roll back"): Tree {
  const pins = new Map<string, PinnedDir>([["", openRoot(root)]]);
  const touched = new Set<PinnedDir>();
  const lists = openAccessLists();
  const names = openNameSwap();
  const forced: Force = purpose === "roll back" ? withOwnRights : (_entry, _rights, work) => work();
  /** Its entry may be a part of the call that is being put together: it stays open. */
  let lastNamed: PinnedDir | undefined;

  const pin = (dir: string): PinnedDir => {
    const pinned = pins.get(dir) ?? open(pin(parentOf(dir)), dir);
    pins.delete(dir); // the newest goes last
    pins.set(dir, pinned);
    return pinned;
  };

  const open = (parent: PinnedDir, dir: string): PinnedDir => {
    const name = nameOf(dir);
    const opened = () =>
      purpose === "roll back" ? openWithOwnRights(parent, name) : parent.open(name);
    return whenFull(opened, () => unpinOldest(FEWEST_PINS, parent));
  };

  const unpinOldest = (most: number, inUse?: PinnedDir): void => {
    for (const [dir, pinned] of pins) {
      if (pins.size <= most) return;
      if (dir === "" || pinned === inUse || pinned === lastNamed) continue;
      if (touched.delete(pinned)) pinned.sync();
      pins.delete(dir);
      pinned.close();
    }
  };

  const folderOf = (path: string): PinnedDir => {
    unpinOldest(MAX_PINS);
    lastNamed = pin(parentOf(path));
    return lastNamed;
  };

  const lookAt = (path: string): Found => {
    const entry = folderOf(path).entry(nameOf(path));
    const read = () =>
      forced(
        () => entry,
        READING_RIGHT,
        () => readEntry(entry, lists),
      );
    return whenFull(read, () => unpinOldest(FEWEST_PINS));
  };

  const entryOf = (path: string): string => folderOf(path).entry(nameOf(path));

  const touch = (path: string): string => {
    const dir = folderOf(path);
    touched.add(dir);
    return dir.entry(nameOf(path));
  };

  return {
    look(path) {
      return orElse(
        () => lookAt(path),
        hasCode("ENOENT"),
        () => ({ kind: "nothing" }),
      );
    },
    has(path) {
      return orElse(
        () =>
          lstatSync(folderOf(path).entry(nameOf(path)), { throwIfNoEntry: false }) !== undefined,
        hasCode("ENOENT"),
        () => false,
      );
    },
    list: (path) => readdirSync(pin(path).entry(".")),
    at: entryOf,
    touch,
    swap: (waiting, path) => names.swap(entryOf(waiting), touch(path)),
    moveToFree: (waiting, path) => names.moveToFree(entryOf(waiting), touch(path)),
    change(folder, work) {
      forced(() => pin(folder).entry("."), FOLDER_RIGHTS, work);
    },
    setMode(path, mode) {
      const dir = pin(path);
      const rules = lstatSync(dir.entry("")).mode & FOLDER_RULES;
      dir.setMode((mode & 0o777) | rules);
      touched.add(dir);
    },
    lists,
    sync() {
      for (const dir of touched) dir.sync();
      touched.clear();
    },
    [Symbol.dispose]() {
      for (const dir of pins.values()) dir.close();
      lists[Symbol.dispose]();
      names[Symbol.dispose]();
    },
  };
}

/** Whether a file with this content is there, with any mode. */
export function hasContent(found: Found, { sha256: hash }: Pick<FileState, "sha256">): boolean {
  return found.kind === "file" && found.state.sha256 === hash;
}

/** Whether a file with this content and this mode is there. */
export function holds(found: Found, state: FileState): boolean {
  if (found.kind !== "file" || !hasContent(found, state)) return false;
  const { mode, special } = found.state;
  return mode === state.mode && special === state.special;
}

/** Whether it is the very file. */
export function isSameFile(a: Pick<Stats, "dev" | "ino">, b: Pick<Stats, "dev" | "ino">): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** The folder of a relative path, "" for the workspace itself. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function openRoot(root: string): PinnedDir {
  try {
    return pinDirectory(root);
  } catch (error) {
    const isGone = systemErrorCode(error) === "ENOENT";
    const reason = isGone ? "it does not exist any more" : errorMessage(error);
    const message = `Cannot open the workspace "${root}": ${reason}`;
    throw new AppError(isGone ? "ERR_NOT_FOUND" : "ERR_IO", message, { cause: error });
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

type Force = <T>(entry: () => string, rights: number, work: () => T) => T;

/** Does it again with fewer descriptors in use where there are no more to have. */
function whenFull<T>(work: () => T, makeRoom: () => void): T {
  return orElse(work, hasCode("EMFILE", "ENFILE"), () => {
    makeRoom();
    return work();
  });
}

function readEntry(entry: string, lists: AccessLists): Found {
  const seen = lstatSync(entry);
  if (seen.isDirectory()) {
    return { kind: "folder", mode: seen.mode & 0o777, ...specialOf(seen.mode) };
  }
  if (seen.isSymbolicLink()) return { kind: "other", what: "a symbolic link" };
  if (!seen.isFile()) return { kind: "other", what: "a special file" };
  // NONBLOCK and the second look: it may have been swapped for a pipe since.
  const fd = openSync(entry, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { kind: "other", what: "a special file" };
    if (stat.size > MAX_FILE_BYTES) return { kind: "other", what: "a file over 64 MiB" };
    const bytes = readFileSync(fd);
    const [mode, special] = [stat.mode & 0o777, specialOf(stat.mode)];
    const list = lists.read(entry);
    const unlisted = list && { unlisted: withoutList(mode, list) };
    const { uid, gid } = stat;
    const rights = { mode, uid, gid, ...special, ...unlisted };
    const state = { sha256: sha256(bytes), sizeBytes: bytes.length, ...rights };
    return { kind: "file", state, bytes, stat };
  } finally {
    closeSync(fd);
  }
}
