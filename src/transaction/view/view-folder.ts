import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../core/app-error.ts";
import { makePrivateDir } from "../../system/make-private-dir.ts";
import { isNamedRunning, killMarked, nameProcess } from "../../system/processes/processes.ts";
import { listOrEmpty } from "../../system/read-or-empty.ts";
import { findUnusedKept } from "./kept.ts";
import { removeFolder } from "./remove-folder.ts";

/** Between the name of the process that made a view and what tells its views apart. */
const MARK = ".";
/** What a crash left is removed a few at a time, so that nobody waits long for it. */
const MOST_AT_ONCE = 16;

/**
 * Where all views of a home are, for its owner alone, as a real path.
 *
 * @throws AppError ERR_IO when it cannot be made, or is something else
 */
export function ensureViewsDir(path: string): string {
  makePrivateDir(path);
  const stat = lstatSync(path);
  if (!stat.isDirectory() || stat.uid !== process.geteuid?.()) {
    throw new AppError("ERR_IO", `Cannot use "${path}": it is no folder of your own; move it away`);
  }
  if ((stat.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
  return realpathSync(path);
}

/** Makes the folder of one view; its name tells whose it is. */
export function makeViewFolder(viewsDir: string): string {
  const folder = join(viewsDir, `${nameProcess()}${MARK}${randomBytes(6).toString("hex")}`);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/**
 * Removes views whose process is gone, with what still runs in them; a few at a time. Never
 * throws: what cannot be removed now is tried again the next time.
 */
export async function removeOldViews(viewsDir: string): Promise<void> {
  const owners = new Map<string, boolean>();
  const isOld = (name: string): boolean => {
    const owner = name.slice(0, name.lastIndexOf(MARK));
    if (!/^\d+-./.test(owner) || owner === nameProcess()) return false;
    const isGone = owners.get(owner) ?? !isNamedRunning(owner);
    if (isGone && !owners.has(owner)) killMarked(owner);
    owners.set(owner, isGone);
    return isGone;
  };
  const old = listOrEmpty(viewsDir).filter(isOld);
  for (const name of old.slice(0, MOST_AT_ONCE)) await removeFolder(join(viewsDir, name));
  for (const name of findUnusedKept(viewsDir, Date.now())) await removeFolder(join(viewsDir, name));
}
