import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { AppError, describeDiskError, systemErrorCode } from "../core/app-error.ts";
import { syncDirectory, writeDurably } from "../system/write-durably.ts";
import { STATE_DIR, type Workspace } from "./workspace.ts";

/**
 * Makes the daemon's folder in a workspace, readable by its owner alone and ignored by git,
 * and returns its absolute path.
 *
 * @throws AppError ERR_IO when it cannot be made, or a file or a link stands in its place, or a
 * link stands in it: the folder may have come with somebody's repository.
 */
export function ensureStateDir(workspace: Workspace): string {
  const path = join(workspace.root, STATE_DIR);
  try {
    if (makeDirectory(path)) syncDirectory(workspace.root);
    const stat = lstatSync(path);
    if (!stat.isDirectory()) throw new Error("it is not a folder; move it away");
    const link = readdirSync(path, { withFileTypes: true }).find((it) => it.isSymbolicLink());
    if (link) throw new Error(`"${link.name}" in it is a symbolic link; move it away`);
    if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
    const ignoreFile = join(path, ".gitignore");
    if (!existsSync(ignoreFile)) writeDurably(ignoreFile, "*\n");
    return path;
  } catch (error) {
    const message = `Cannot use "${path}": ${describeDiskError(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}

/** Makes a folder inside the state folder, durably, and returns its absolute path. */
export function ensureStateSubdir(workspace: Workspace, name: "tx" | "objects" | "cache"): string {
  const parent = ensureStateDir(workspace);
  const path = join(parent, name);
  if (makeDirectory(path)) syncDirectory(parent);
  if (!lstatSync(path).isDirectory()) {
    throw new AppError("ERR_IO", `Cannot use "${path}": it is not a folder; move it away`);
  }
  return path;
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
