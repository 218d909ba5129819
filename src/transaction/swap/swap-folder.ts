import {
  closeSync,
  constants,
  fchmodSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
} from "node:fs";
import { AppError, hasCode, orElse } from "../../core/app-error.ts";
import type { FileNote } from "../../texts/notes/notes.ts";
import { isPathBlocked } from "../look-again.ts";
import { octal } from "../mode-notes.ts";
import type { Slot } from "../stage/stage.ts";
import { type Found, parentOf, type Tree } from "../tree.ts";

/** Of a folder whose mode nobody knows any more. */
const NEW_FOLDER_MODE = 0o700;

/**
 * A tool may have taken the folder away together with the file. Nobody knows any more whom it let in:
 * it is made for its owner alone, and named.
 */
export function makeFolders(tree: Tree, folder: string): readonly FileNote[] {
  if (folder === "" || tree.has(folder)) return [];
  const above = makeFolders(tree, parentOf(folder));
  mkdirSync(tree.touch(folder), NEW_FOLDER_MODE);
  return [...above, { kind: "folder anew", facts: { path: folder, mode: octal(NEW_FOLDER_MODE) } }];
}

/**
 * An empty folder waits in the stage as itself, with its group, its lists and all; where it cannot be
 * moved, a disk of its own or one that its owner may not write to, it goes.
 */
export function takeFolderAway(tree: Tree, path: string, { old }: Slot): void {
  // A folder can be moved with what is in it, which is to stay.
  if (tree.list(path).length > 0) throw notEmpty(path);
  orElse(
    () => renameSync(tree.touch(path), tree.at(old)),
    cannotMove,
    () => rmdirSync(tree.touch(path)),
  );
  // Somebody may have been faster; a roll-back brings it with what is in it.
  if (tree.look(old).kind !== "nothing" && tree.list(old).length > 0) throw notEmpty(path);
}

/** Whether somebody wrote into a folder that a change took away: they had it open, or work in it. */
export function isFilledSince(tree: Tree, { old }: Pick<Slot, "old">): boolean {
  return lookInStage(tree, old).kind === "folder" && tree.list(old).length > 0;
}

export function putFolderBack(tree: Tree, path: string, mode: number, old: string): void {
  const make = () => {
    mkdirSync(tree.touch(path), mode);
    tree.setMode(path, mode);
  };
  const found = lookInStage(tree, old);
  if (found.kind !== "folder") return make();
  const move = () => {
    if (found.mode !== mode) setFolderMode(tree, old, mode | (found.special ?? 0));
    renameSync(tree.at(old), tree.touch(path));
  };
  orElse(move, cannotMove, make);
}

/** Before it is back: who goes through a folder for this must be let in. */
function setFolderMode(tree: Tree, path: string, mode: number): void {
  const fd = openSync(
    tree.at(path),
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  try {
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

const cannotMove = hasCode("EXDEV", "EACCES", "EPERM");

/** A check may have put anything in the place of the stage. */
function lookInStage(tree: Tree, path: string): Found {
  return orElse(
    () => tree.look(path),
    isPathBlocked,
    () => ({ kind: "nothing" }),
  );
}

function notEmpty(path: string): AppError {
  const message = `Cannot rmdir "${path}": the folder is not empty; it changed just now`;
  return new AppError("ERR_CHANGE_SET_STALE", message);
}

export function removeEmpty(tree: Tree, path: string): void {
  orElse(
    () => tree.change(parentOf(path), () => rmdirSync(tree.touch(path))),
    hasCode("ENOTEMPTY", "EEXIST"), // seen by the look
    () => {},
  );
}
