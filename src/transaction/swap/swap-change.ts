import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { AppError, hasCode, orElse } from "../../core/app-error.ts";
import type { FileNote } from "../../texts/notes/notes.ts";
import type { Change, FileState } from "../change.ts";
import { pathStateOf } from "../look-again.ts";
import { noteOnOverruled } from "../mode-notes.ts";
import { keepAccess, keepOwner, type Slot, takeFromFolder, writeNew } from "../stage/stage.ts";
import {
  type Found,
  type FoundFile,
  hasContent,
  holds,
  isSameFile,
  parentOf,
  type Tree,
} from "../tree.ts";
import { makeFolders, putFolderBack, removeEmpty, takeFolderAway } from "./swap-folder.ts";
import {
  changePlaces,
  isWhatWasSeen,
  NO_LINKS,
  type Places,
  placeNew,
  type Seen,
  takeAway,
} from "./take-place.ts";

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
        else {
          tree.lists.write(tree.at(from), undefined); // of the folder that it waits in
          keepOwner(tree, from, change.after);
        }
        placeNew(tree, path, from);
      });
      return undefined;
    case "update": {
      const found = expectFile(tree, path, change.before);
      const seen = toSeen(found, change.before, change.after);
      fromStage(tree, slot, change.after, (from, old) => replaceFile(tree, path, from, old, seen));
      return toTaken(found);
    }
    case "delete": {
      const found = expectFile(tree, path, change.before);
      const seen = toSeen(found, change.before);
      const moved = takeAway(tree, path, [slot.old, slot.siblingAside], seen);
      if (moved === undefined) throw changedJustNow(path);
      if (moved !== slot.old) unlinkSync(tree.at(moved)); // its before-image is there
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
  if (!stat) return false; // on another disk, or a check took it away
  const isUntouched = stat.size === taken.size && stat.mtimeMs === taken.mtimeMs;
  return !(isSameFile(stat, taken) && isUntouched) && !hasContent(tree.look(old), taken);
}

/** A file whose place was taken: what it is known by, and not what is in it, for as long as checks run. */
export type TakenFile = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs"> & Pick<FileState, "sha256">;

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
 * owner or its mode; never by writing into a file. What somebody else put there is left alone; what
 * they did to the file that goes is given.
 */
export function revertChange(
  tree: Tree,
  change: Change,
  bringBack: BringBack,
  slot: Slot,
): readonly FileNote[] {
  const found = tree.look(change.path);
  if (pathStateOf(found, change).kind !== "after") return [];
  const isBack = "before" in change || change.kind === "rmdir";
  const anew = isBack && found.kind === "nothing" ? makeFolders(tree, parentOf(change.path)) : [];
  revert(tree, change, bringBack, slot, found);
  if (change.kind !== "update") return anew;
  return [...anew, ...noteOnOverruled(change, found.kind === "file" ? found.state : undefined)];
}

function revert(tree: Tree, change: Change, bringBack: BringBack, slot: Slot, found: Found): void {
  const { path } = change;
  switch (change.kind) {
    case "mkdir":
      return removeEmpty(tree, path);
    case "create":
      return tree.change(parentOf(path), () => {
        takeBack(tree, path, slot, seenAfter(found, change));
      });
    case "update":
    case "delete":
      return bringBack(change.before, (source) =>
        tree.change(parentOf(path), () =>
          putBack(tree, change, slot, source, seenAfter(found, change)),
        ),
      );
    case "rmdir":
      return tree.change(parentOf(path), () => putFolderBack(tree, path, change.mode, slot.old));
    default:
      return change satisfies never;
  }
}

/** Undefined where nothing is. */
function seenAfter(
  found: Found,
  change: Extract<Change, { kind: "create" | "update" | "delete" }>,
): Seen | undefined {
  if (found.kind !== "file") return undefined;
  return {
    stat: found.stat,
    isAsGood: (now) => "after" in change && hasContent(now, change.after),
    isOurs: (now) => "before" in change && hasContent(now, change.before),
  };
}

/** Takes a file of the change away; one that somebody saved there just now stays. */
function takeBack(tree: Tree, path: string, slot: Slot, seen: Seen | undefined): boolean {
  const moved = seen && takeAway(tree, path, placesOf(slot), seen);
  if (moved !== undefined) unlinkSync(tree.at(moved));
  return moved !== undefined;
}

function placesOf({ aside, siblingAside }: Slot): Places {
  return [aside, siblingAside];
}

/** In the place of what somebody saved there just now nothing is put. */
function putBack(
  tree: Tree,
  { path, before }: Extract<Change, { kind: "update" | "delete" }>,
  slot: Slot,
  { path: from, isItself }: Source,
  seen: Seen | undefined,
): void {
  if (!seen) return placeNew(tree, path, from);
  // A roll-back goes on without an access list that cannot be kept, but with no right more.
  if (!isItself) {
    const { uid = seen.stat.uid, gid = seen.stat.gid } = before;
    keepAccess(tree, path, from, { uid, gid }, before.mode);
  }
  // Under the name of a copy nothing may wait that could be somebody's.
  const waiting = isItself ? from : from === slot.sibling ? slot.siblingAside : slot.aside;
  if (waiting !== from) renameSync(tree.at(from), tree.at(waiting));
  const placing = changePlaces(tree, path, waiting, seen);
  if (placing === "done") unlinkSync(tree.at(waiting));
  if (placing === "done" || placing === "other") return;
  if (waiting !== from) renameSync(tree.at(waiting), tree.at(from));
  if (placing !== "never") throw placing.refusal;
  if (takeBack(tree, path, slot, seen)) placeNew(tree, path, from);
}

function expectFile(tree: Tree, path: string, state: FileState): FoundFile {
  const found = tree.look(path);
  if (found.kind === "file" && holds(found, state)) return found;
  throw changedJustNow(path);
}

function changedJustNow(path: string): AppError {
  return new AppError("ERR_CHANGE_SET_STALE", `Cannot change "${path}": it changed just now`);
}

function toSeen({ stat }: FoundFile, before: FileState, after?: FileState): Seen {
  return {
    stat,
    isAsGood: (now) => holds(now, before),
    isOurs: (now) => after !== undefined && hasContent(now, after),
  };
}

/**
 * Where the target is on another disk, a mount in the workspace, a copy is made next to it first; what
 * was there before is known by its before-image alone then.
 */
function fromStage(
  tree: Tree,
  { staged, old, sibling, siblingAside }: Slot,
  { mode }: FileState,
  place: (from: string, old: string) => void,
): void {
  const placeCopy = () => {
    const fd = writeNew(tree.touch(sibling), readFileSync(tree.at(staged)), mode);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    place(sibling, siblingAside);
    if (tree.has(siblingAside)) unlinkSync(tree.at(siblingAside));
  };
  orElse(() => place(staged, old), hasCode("EXDEV"), placeCopy);
}

/** What waits takes the place of what was seen, which is kept as `old`. */
function replaceFile(tree: Tree, path: string, from: string, old: string, seen: Seen): void {
  if (!keepAccess(tree, path, from, seen.stat)) {
    throw new AppError("APPLY_FAILED_ROLLED_BACK", loseList(path));
  }
  // What comes out of the path may be somebody's, and this name is emptied by nobody unseen.
  renameSync(tree.at(from), tree.at(old));
  const placing = changePlaces(tree, path, old, seen);
  if (placing === "done") return;
  if (placing === "other") throw changedJustNow(path);
  renameSync(tree.at(old), tree.at(from));
  if (placing !== "never") throw placing.refusal;
  keepOld(tree, path, old, seen);
  renameSync(tree.at(from), tree.touch(path));
}

/** A second name for the file that goes; a disk that gives none still has the before-image. */
function keepOld(tree: Tree, path: string, old: string, seen: Seen): void {
  const keep = () => {
    linkSync(tree.at(path), tree.at(old));
    if (isWhatWasSeen(tree, old, seen)) return;
    unlinkSync(tree.at(old));
    throw changedJustNow(path);
  };
  orElse(keep, hasCode("EXDEV", ...NO_LINKS), () => {});
}

function loseList(path: string): string {
  return `Cannot update "${path}": the disk refused the new file its access list (ACL); look at it with getfacl, and take it away with setfacl -b where nobody needs it`;
}
