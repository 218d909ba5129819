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
import { AppError, errorMessage, systemErrorCode } from "../core/app-error.ts";
import { sha256 } from "../core/sha256.ts";
import { type PinnedDir, pinDirectory } from "../system/pinned-dir.ts";
import type { FileState } from "./change.ts";

/** Larger files are left alone: they are held in memory twice, and no model edits them. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Folders held open at once: some systems give a process no more than 256 files. */
const MAX_PINS = 32;

/** What stands at a path at this moment. */
export type Found =
  | { readonly kind: "nothing" }
  | FoundFile
  | { readonly kind: "folder"; readonly mode: number }
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
  /** Whether anything at all stands there. */
  has(path: string): boolean;
  /** Names in a folder. */
  list(path: string): readonly string[];
  /** A path for one system call on the entry, made before the next but one is asked for. */
  at(path: string): string;
  /** The same; the entry's folder is synced later. */
  touch(path: string): string;
  setMode(path: string, mode: number): void;
  /** Returns once the disk has every touched name. */
  sync(): void;
  [Symbol.dispose](): void;
}

/**
 * Opens the tree below an absolute, real path.
 *
 * @throws AppError ERR_IO when the folder cannot be opened
 */
export function openTree(root: string): Tree {
  const pins = new Map<string, PinnedDir>([["", openRoot(root)]]);
  const touched = new Set<PinnedDir>();

  const pin = (dir: string): PinnedDir => {
    const pinned = pins.get(dir) ?? pin(parentOf(dir)).open(nameOf(dir));
    pins.delete(dir); // the newest goes last
    pins.set(dir, pinned);
    return pinned;
  };

  const unpinOldest = (): void => {
    for (const [dir, pinned] of pins) {
      if (pins.size <= MAX_PINS) return;
      if (dir === "") continue;
      if (touched.delete(pinned)) pinned.sync();
      pins.delete(dir);
      pinned.close();
    }
  };

  const folderOf = (path: string): PinnedDir => {
    unpinOldest();
    return pin(parentOf(path));
  };

  return {
    look(path) {
      try {
        return lookAt(folderOf(path).entry(nameOf(path)));
      } catch (error) {
        if (systemErrorCode(error) === "ENOENT") return { kind: "nothing" };
        throw error;
      }
    },
    has(path) {
      try {
        return (
          lstatSync(folderOf(path).entry(nameOf(path)), { throwIfNoEntry: false }) !== undefined
        );
      } catch (error) {
        if (systemErrorCode(error) === "ENOENT") return false;
        throw error;
      }
    },
    list: (path) => readdirSync(pin(path).entry(".")),
    at: (path) => folderOf(path).entry(nameOf(path)),
    touch(path) {
      const dir = folderOf(path);
      touched.add(dir);
      return dir.entry(nameOf(path));
    },
    setMode(path, mode) {
      const dir = pin(path);
      dir.setMode(mode & 0o777);
      touched.add(dir);
    },
    sync() {
      for (const dir of touched) dir.sync();
      touched.clear();
    },
    [Symbol.dispose]() {
      for (const dir of pins.values()) dir.close();
    },
  };
}

/** Whether a file with this content is there, whatever its mode. */
export function hasContent(found: Found, { sha256: hash }: FileState): boolean {
  return found.kind === "file" && found.state.sha256 === hash;
}

/** Whether a file with this content and this mode is there. */
export function holds(found: Found, state: FileState): boolean {
  return hasContent(found, state) && found.kind === "file" && found.state.mode === state.mode;
}

/** The folder of a relative path, "" for the workspace itself. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function openRoot(root: string): PinnedDir {
  try {
    return pinDirectory(root);
  } catch (error) {
    const message = `Cannot open the workspace "${root}": ${errorMessage(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function lookAt(entry: string): Found {
  const seen = lstatSync(entry);
  if (seen.isDirectory()) return { kind: "folder", mode: seen.mode & 0o777 };
  if (seen.isSymbolicLink()) return { kind: "other", what: "a symbolic link" };
  if (!seen.isFile()) return { kind: "other", what: "a special file" };
  // NONBLOCK and the second look: it may have been swapped for a pipe since.
  const fd = openSync(entry, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { kind: "other", what: "a special file" };
    if (stat.size > MAX_FILE_BYTES) return { kind: "other", what: "a file over 64 MiB" };
    const bytes = readFileSync(fd);
    const state = { sha256: sha256(bytes), mode: stat.mode & 0o777, sizeBytes: bytes.length };
    return { kind: "file", state, bytes, stat };
  } finally {
    closeSync(fd);
  }
}
