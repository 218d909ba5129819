import {
  chmodSync,
  closeSync,
  fsyncSync,
  lchownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { AppError, systemErrorCode } from "../core/app-error.ts";
import type { Change, FileState } from "./change.ts";
import { type Slot, writeNew } from "./stage.ts";
import { type FoundFile, hasContent, holds, type Tree } from "./tree.ts";

/**
 * Makes one change. The new content waits in the slot and is moved, so a reader sees the old file
 * or the new one; the old file is kept in the slot, so that a way back needs no space.
 *
 * @throws AppError ERR_CHANGE_SET_STALE when something else stands there than the change expects.
 */
export function makeChange(tree: Tree, change: Change, slot: Slot): void {
  const { path } = change;
  switch (change.kind) {
    case "mkdir":
      mkdirSync(tree.touch(path), change.mode);
      return tree.setMode(path, change.mode); // whatever the umask is
    case "create":
      return fromStage(tree, slot, change.after, (from) => placeNew(tree, path, from));
    case "update": {
      const found = expectFile(tree, path, change.before);
      keepOld(tree, path, slot);
      return fromStage(tree, slot, change.after, (from) =>
        replaceFile(tree, path, found, from, change.after.mode),
      );
    }
    case "delete":
      expectFile(tree, path, change.before);
      return takeAway(tree, path, slot);
    case "rmdir":
      return rmdirSync(tree.touch(path));
    default:
      change satisfies never;
  }
}

/**
 * Takes one change back if it was made and nobody touched the path since. `imageOf` says where
 * the file from before waits, on the same disk.
 *
 * @returns false when somebody else changed the path: then it is left alone.
 */
export function revertChange(
  tree: Tree,
  change: Change,
  imageOf: (state: FileState) => string,
): boolean {
  const { path } = change;
  const found = tree.look(path);
  switch (change.kind) {
    case "mkdir":
      return found.kind === "nothing" || (found.kind === "folder" && removeEmpty(tree, path));
    case "create":
      if (!hasContent(found, change.after)) return found.kind === "nothing";
      unlinkSync(tree.touch(path));
      return true;
    case "update":
      if (holds(found, change.before)) return true;
      if (found.kind === "nothing") {
        placeNew(tree, path, imageOf(change.before)); // no edit of anybody's is lost
        return true;
      }
      if (found.kind !== "file" || !hasContent(found, change.after)) {
        return hasContent(found, change.before);
      }
      revertUpdate(tree, change, found, imageOf);
      return true;
    case "delete":
      if (found.kind !== "nothing") return hasContent(found, change.before);
      placeNew(tree, path, imageOf(change.before));
      return true;
    case "rmdir":
      if (found.kind !== "nothing") return found.kind === "folder";
      mkdirSync(tree.touch(path), change.mode);
      tree.setMode(path, change.mode);
      return true;
    default:
      return change satisfies never;
  }
}

function expectFile(tree: Tree, path: string, state: FileState): FoundFile {
  const found = tree.look(path);
  if (found.kind === "file" && holds(found, state)) return found;
  throw new AppError("ERR_CHANGE_SET_STALE", `Cannot change "${path}": it changed just now`);
}

/** Where the target is on another disk, a mount in the workspace, a copy is made beside it first. */
function fromStage(
  tree: Tree,
  { staged, beside }: Slot,
  { mode }: FileState,
  place: (from: string) => void,
): void {
  try {
    return place(staged);
  } catch (error) {
    if (systemErrorCode(error) !== "EXDEV") throw error;
  }
  const fd = writeNew(tree.touch(beside), readFileSync(tree.at(staged)), mode);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  place(beside);
}

/** A link never replaces what is there, as a rename would. */
function placeNew(tree: Tree, path: string, from: string): void {
  linkSync(tree.at(from), tree.touch(path));
  unlinkSync(tree.at(from));
}

/** A second name for the file that goes; a disk that gives none still has the before-image. */
function keepOld(tree: Tree, path: string, { old }: Slot): void {
  try {
    linkSync(tree.at(path), tree.at(old));
  } catch (error) {
    if (!/^(EXDEV|EPERM|EMLINK|ENOTSUP|EOPNOTSUPP)$/.test(systemErrorCode(error) ?? ""))
      throw error;
  }
}

function takeAway(tree: Tree, path: string, { old }: Slot): void {
  try {
    renameSync(tree.touch(path), tree.at(old));
  } catch (error) {
    if (systemErrorCode(error) !== "EXDEV") throw error;
    unlinkSync(tree.touch(path));
  }
}

function replaceFile(
  tree: Tree,
  path: string,
  { stat }: FoundFile,
  from: string,
  mode: number,
): void {
  if (stat.uid !== process.getuid?.() || stat.gid !== process.getgid?.()) {
    keepOwner(tree.at(from), stat.uid, stat.gid, mode);
  }
  renameSync(tree.at(from), tree.touch(path));
}

function keepOwner(path: string, uid: number, gid: number, mode: number): void {
  try {
    lchownSync(path, uid, gid);
    chmodSync(path, mode & 0o777); // nothing lends its owner's rights
  } catch (error) {
    if (systemErrorCode(error) !== "EPERM") throw error; // only the superuser can give away
  }
}

function removeEmpty(tree: Tree, path: string): boolean {
  try {
    rmdirSync(tree.touch(path));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "ENOTEMPTY") return false;
    throw error;
  }
}

/** The mode goes back as well, unless somebody changed it since. */
function revertUpdate(
  tree: Tree,
  { path, before, after }: Extract<Change, { kind: "update" }>,
  found: FoundFile,
  imageOf: (state: FileState) => string,
): void {
  const mode = found.state.mode === after.mode ? before.mode : found.state.mode;
  replaceFile(tree, path, found, imageOf({ ...before, mode }), mode);
}
