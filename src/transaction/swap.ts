import { lchownSync, linkSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { AppError, systemErrorCode } from "../core/app-error.ts";
import type { Change, FileState } from "./change.ts";
import { type FoundFile, hasContent, holds, type Tree } from "./tree.ts";

/**
 * Makes one change. `staged` is the new content as a file on the same disk; it is moved, so a
 * reader sees the old file or the new one.
 *
 * @throws AppError ERR_CHANGE_SET_STALE when something else stands there than the change expects.
 */
export function makeChange(tree: Tree, change: Change, staged: string): void {
  const { path } = change;
  switch (change.kind) {
    case "mkdir":
      mkdirSync(tree.touch(path), change.mode);
      return tree.setMode(path, change.mode); // whatever the umask is
    case "create":
      return placeNew(tree, path, staged);
    case "update":
      return replaceFile(tree, path, expectFile(tree, path, change.before), staged);
    case "delete":
      expectFile(tree, path, change.before);
      return unlinkSync(tree.touch(path));
    case "rmdir":
      return rmdirSync(tree.touch(path));
    default:
      change satisfies never;
  }
}

/**
 * Takes one change back if it was made and nobody touched the path since. `stageBefore` writes
 * the before-image as a file on the same disk and returns its path.
 *
 * @returns false when somebody else changed the path: then it is left alone.
 */
export function revertChange(
  tree: Tree,
  change: Change,
  stageBefore: (state: FileState) => string,
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
      if (found.kind === "nothing") {
        placeNew(tree, path, stageBefore(change.before)); // no edit of anybody's is lost
        return true;
      }
      if (found.kind !== "file" || !hasContent(found, change.after)) {
        return hasContent(found, change.before);
      }
      replaceFile(
        tree,
        path,
        found,
        stageBefore({ ...change.before, mode: oldMode(change, found) }),
      );
      return true;
    case "delete":
      if (found.kind !== "nothing") return hasContent(found, change.before);
      placeNew(tree, path, stageBefore(change.before));
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

/** A link never replaces what is there, as a rename would. */
function placeNew(tree: Tree, path: string, staged: string): void {
  linkSync(staged, tree.touch(path));
  unlinkSync(staged);
}

function replaceFile(tree: Tree, path: string, { stat }: FoundFile, staged: string): void {
  if (stat.uid !== process.getuid?.() || stat.gid !== process.getgid?.()) {
    keepOwner(staged, stat.uid, stat.gid);
  }
  renameSync(staged, tree.touch(path));
}

function keepOwner(staged: string, uid: number, gid: number): void {
  try {
    lchownSync(staged, uid, gid);
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

/** The mode from before, unless somebody changed it since. */
function oldMode(change: Extract<Change, { kind: "update" }>, found: FoundFile): number {
  const { mode } = found.state;
  return mode === change.after.mode ? change.before.mode : mode;
}
