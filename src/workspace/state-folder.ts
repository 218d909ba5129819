import { isUtf8 } from "node:buffer";
import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  AppError,
  describeDiskError,
  errorMessage,
  type Failure,
  systemErrorCode,
} from "../core/app-error.ts";
import { type PinnedDir, pinDirectory } from "../system/pinned-dir.ts";
import { readPlainFile } from "../system/plain-file.ts";
import { writeDurably } from "../system/write-durably.ts";
import { STATE_DIR, type Workspace } from "./workspace.ts";

/**
 * The only door to the state folder of a workspace: it is held open, so that nothing swapped in
 * later diverts what is read or written there. Undefined when there is none; the caller closes it.
 *
 * @throws AppError ERR_IO when something else than a folder is in its place
 */
export function openStateFolder(root: string): PinnedDir | undefined {
  const outer = pinDirectory(root);
  try {
    return outer.open(STATE_DIR);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw unusable(root, error);
  } finally {
    outer.close();
  }
}

/**
 * The same of a folder inside it.
 *
 * @throws AppError ERR_IO likewise, and Error of the system: ENOENT when there is none
 */
export function openStateSubfolder(root: string, name: Subfolder): PinnedDir | undefined {
  const outer = openStateFolder(root);
  try {
    return outer?.open(name);
  } finally {
    outer?.close();
  }
}

type Subfolder = "tx" | "objects" | "cache" | "traces";

/**
 * Makes the state folder where it is not there yet, readable by its owner alone and ignored by git,
 * does something in it, and lets it go.
 *
 * @throws AppError ERR_IO when it cannot be made, or a file or a link is in its place, or a link is
 * in it: the folder may have come with somebody's repository.
 */
export function inStateFolder<T>(root: string, work: (folder: PinnedDir) => T): T {
  const folder = makeStateFolder(root);
  try {
    return work(folder);
  } finally {
    folder.close();
  }
}

/**
 * The same in a folder inside the state folder.
 *
 * @throws AppError ERR_IO likewise
 */
export function inStateSubfolder<T>(
  root: string,
  name: Subfolder,
  work: (folder: PinnedDir) => T,
): T {
  return inStateFolder(root, (outer) => {
    const folder = makeFolder(outer, name, join(root, STATE_DIR, name));
    try {
      return work(folder);
    } finally {
      folder.close();
    }
  });
}

function makeStateFolder(root: string): PinnedDir {
  let folder: PinnedDir | undefined;
  const outer = pinRoot(root);
  try {
    folder = makeFolder(outer, STATE_DIR, join(root, STATE_DIR));
    const link = readdirSync(folder.entry("."), { withFileTypes: true }).find((entry) =>
      entry.isSymbolicLink(),
    );
    if (link) throw new Error(`"${link.name}" in it is a symbolic link; move it away`);
    if ((lstatSync(folder.entry(".")).mode & 0o077) !== 0) folder.setMode(0o700);
    const ignoreFile = folder.entry(".gitignore");
    if (!lstatSync(ignoreFile, { throwIfNoEntry: false })) writeDurably(ignoreFile, "*\n");
    return folder;
  } catch (error) {
    folder?.close();
    throw error instanceof AppError ? error : unusable(root, error);
  } finally {
    outer.close();
  }
}

function pinRoot(root: string): PinnedDir {
  try {
    return pinDirectory(root);
  } catch (error) {
    throw unusable(root, error);
  }
}

function makeFolder(outer: PinnedDir, name: string, shown: string): PinnedDir {
  try {
    if (makeDirectory(outer.entry(name))) outer.sync();
    return outer.open(name);
  } catch (error) {
    const message = `Cannot use "${shown}": ${describe(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}

function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function unusable(root: string, error: unknown): AppError {
  const message = `Cannot use "${join(root, STATE_DIR)}": ${describe(error)}`;
  return new AppError("ERR_IO", message, { cause: error });
}

function describe(error: unknown): string {
  const isOther = /^(ENOTDIR|ELOOP)$/.test(systemErrorCode(error) ?? "");
  return isOther ? "it is not a folder; move it away" : describeDiskError(error);
}

/**
 * The text of a file in the workspace's state folder; undefined when there is none. The folder
 * may have come with somebody's repository, so no link in it is followed and no pipe waited for.
 */
export function readStateFile(
  { root }: Workspace,
  name: string,
  maxBytes: number,
): { readonly ok: true; readonly text: string | undefined } | Failure {
  let folder: PinnedDir | undefined;
  try {
    folder = openStateFolder(root);
    if (!folder) return { ok: true, text: undefined };
    const bytes = readPlainFile(folder.entry(name), maxBytes);
    if (!isUtf8(bytes)) return unreadable(name, "it is not UTF-8");
    return { ok: true, text: new TextDecoder().decode(bytes) }; // without a byte-order mark
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT") return { ok: true, text: undefined };
    if (code === "ELOOP") return unreadable(name, "it is a symbolic link");
    return unreadable(name, errorMessage(error));
  } finally {
    folder?.close();
  }
}

function unreadable(name: string, reason: string): Failure {
  const message = `Cannot read "${STATE_DIR}/${name}": ${reason}; move it away`;
  return { ok: false, code: "ERR_IO", message };
}
