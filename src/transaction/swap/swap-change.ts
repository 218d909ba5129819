import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { AppError, hasCode, orElse } from "../../core/app-error.ts";
import type { Change, FileState } from "../change.ts";
import { isPathBlocked, pathStateOf } from "../look-again.ts";
import { keepAccess, type Slot, takeFromFolder, writeNew } from "../stage/stage.ts";
import { type Found, type FoundFile, hasContent, holds, parentOf, type Tree } from "../tree.ts";

/** Of a folder whose mode nobody knows any more. */
const NEW_FOLDER_MODE = 0o755;

/**
 * Makes one change. The new content waits in the slot and is moved, so a reader sees the old file
 * or the new one; the old file is kept in the slot, so that a roll-back needs no space. What is new has
 * what the system gives to what is made there, and no more than the change says. Gives what the old
 * file was, where one went: a program that has it open still writes into it.
 *
 * @throws AppError ERR_CHANGE_SET_STALE when something else is there than the change expects.
 */
export function makeChange(
  tree: Tree,
  change: Change,
  slot: Slot,
  isNew = false,
): TakenFile | undefined {
  const { path } = change;
  switch (change.kind) {
    case "mkdir":
      mkdirSync(tree.touch(path), change.mode);
      if (!isNew) tree.setMode(path, change.mode); // regardless of the umask
      return undefined;
    case "create":
      fromStage(tree, slot, change.after, (from) => {
        if (isNew) takeFromFolder(tree, parentOf(path), from);
        else tree.lists.write(tree.at(from), undefined); // of the folder that it waits in
        placeNew(tree, path, from);
      });
      return undefined;
    case "update": {
      const found = expectFile(tree, path, change.before);
      keepOld(tree, path, slot);
      fromStage(tree, slot, change.after, (from) => replaceFile(tree, path, found, from));
      return toTaken(found);
    }
    case "delete": {
      const found = expectFile(tree, path, change.before);
      takeAway(tree, path, slot);
      return toTaken(found);
    }
    case "rmdir":
      takeFolderAway(tree, path, slot);
      return undefined;
    default:
      return change satisfies never;
  }
}

/**
 * Whether somebody wrote into the file that a change took the place of, through a descriptor that was
 * open: its size or its time says so, and then its content.
 */
export function isWrittenSince(tree: Tree, { old }: Slot, taken: TakenFile): boolean {
  const stat = tree.has(old) ? lstatSync(tree.at(old)) : undefined;
  if (!stat || !isTaken(stat, taken)) return false; // on another disk, or a check took it away
  if (stat.size === taken.size && stat.mtimeMs === taken.mtimeMs) return false;
  return !hasContent(tree.look(old), taken);
}

/** A file whose place was taken: what it is known by, and not what is in it, for as long as checks run. */
export type TakenFile = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs"> & Pick<FileState, "sha256">;

/** Whether it is that very file. */
export function isTaken({ dev, ino }: Pick<Stats, "dev" | "ino">, taken: TakenFile): boolean {
  return dev === taken.dev && ino === taken.ino;
}

function toTaken({ stat: { dev, ino, size, mtimeMs }, state: { sha256 } }: FoundFile): TakenFile {
  return { dev, ino, size, mtimeMs, sha256 };
}

/** Where a file from before waits, on the same disk. */
export interface Source {
  readonly path: string;
  /** It is that very file, with its owner and all; else a new one with its content. */
  readonly isItself: boolean;
}

/** Finds the file from before and hands it on, once or, where it cannot be moved, as a copy. */
export type BringBack = (state: FileState, place: (source: Source) => void) => void;

/**
 * Takes one change back where the path holds what the change made, regardless of its links, its
 * owner or its mode; never by writing into a file. What somebody else put there is left alone.
 */
export function revertChange(
  tree: Tree,
  change: Change,
  bringBack: BringBack,
  { old }: Pick<Slot, "old">,
): void {
  const { path } = change;
  const found = tree.look(path);
  if (pathStateOf(found, change).kind !== "after") return;
  switch (change.kind) {
    case "mkdir":
      return removeEmpty(tree, path);
    case "create":
      return tree.change(parentOf(path), () => unlinkSync(tree.touch(path)));
    case "update":
    case "delete":
      if (found.kind === "nothing") makeFolders(tree, parentOf(path));
      return bringBack(change.before, (source) =>
        tree.change(parentOf(path), () => putBack(tree, path, found, source)),
      );
    case "rmdir":
      makeFolders(tree, parentOf(path));
      return tree.change(parentOf(path), () => putFolderBack(tree, path, change.mode, old));
    default:
      return change satisfies never;
  }
}

function putBack(tree: Tree, path: string, found: Found, source: Source): void {
  if (found.kind !== "file") return placeNew(tree, path, source.path);
  if (source.isItself) return renameSync(tree.at(source.path), tree.touch(path));
  replaceFile(tree, path, found, source.path, true);
}

/** A tool may have taken the folder away together with the file. */
function makeFolders(tree: Tree, folder: string): void {
  if (folder === "" || tree.has(folder)) return;
  makeFolders(tree, parentOf(folder));
  mkdirSync(tree.touch(folder), NEW_FOLDER_MODE);
}

function expectFile(tree: Tree, path: string, state: FileState): FoundFile {
  const found = tree.look(path);
  if (found.kind === "file" && holds(found, state)) return found;
  throw new AppError("ERR_CHANGE_SET_STALE", `Cannot change "${path}": it changed just now`);
}

/**
 * Where the target is on another disk, a mount in the workspace, a copy is made next to it first.
 */
function fromStage(
  tree: Tree,
  { staged, sibling }: Slot,
  { mode }: FileState,
  place: (from: string) => void,
): void {
  const placeCopy = () => {
    const fd = writeNew(tree.touch(sibling), readFileSync(tree.at(staged)), mode);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    place(sibling);
  };
  orElse(() => place(staged), hasCode("EXDEV"), placeCopy);
}

/** A link never replaces what is there, as a rename would; not every disk and file allows one. */
function placeNew(tree: Tree, path: string, from: string): void {
  orElse(
    () => {
      linkSync(tree.at(from), tree.touch(path));
      unlinkSync(tree.at(from));
    },
    (error) => givesNoLink(error) && !tree.has(path),
    () => renameSync(tree.at(from), tree.touch(path)),
  );
}

const NO_LINKS = ["EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];
const givesNoLink = hasCode(...NO_LINKS);

/** A second name for the file that goes; a disk that gives none still has the before-image. */
function keepOld(tree: Tree, path: string, { old }: Slot): void {
  orElse(
    () => linkSync(tree.at(path), tree.at(old)),
    hasCode("EXDEV", ...NO_LINKS),
    () => {},
  );
}

function takeAway(tree: Tree, path: string, { old }: Slot): void {
  orElse(
    () => renameSync(tree.touch(path), tree.at(old)),
    hasCode("EXDEV"),
    () => unlinkSync(tree.touch(path)),
  );
}

/**
 * An empty folder waits in the stage as itself, with its group, its lists and all; where it cannot be
 * moved, a disk of its own or one that its owner may not write to, it goes.
 */
function takeFolderAway(tree: Tree, path: string, { old }: Slot): void {
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

function putFolderBack(tree: Tree, path: string, mode: number, old: string): void {
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

/** A roll-back goes on without an access list that cannot be kept, but with no right more. */
function replaceFile(
  tree: Tree,
  path: string,
  { stat }: FoundFile,
  from: string,
  isWayBack = false,
): void {
  const isKept = keepAccess(tree, path, from, stat);
  if (!isKept && !isWayBack) throw new AppError("APPLY_FAILED_ROLLED_BACK", loseList(path));
  renameSync(tree.at(from), tree.touch(path));
}

function loseList(path: string): string {
  return `Cannot update "${path}": the disk refused the new file its access list (ACL); look at it with getfacl, and take it away with setfacl -b where nobody needs it`;
}

function removeEmpty(tree: Tree, path: string): void {
  orElse(
    () => tree.change(parentOf(path), () => rmdirSync(tree.touch(path))),
    hasCode("ENOTEMPTY", "EEXIST"), // seen by the look
    () => {},
  );
}
