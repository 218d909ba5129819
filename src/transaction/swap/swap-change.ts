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
import type { Change, FileState } from "../change.ts";
import {
  FOR_OWNER,
  keepAccess,
  keepOwner,
  type Slot,
  takeFromFolder,
  writeNew,
} from "../stage/stage.ts";
import { type FoundFile, hasContent, holds, isSameFile, parentOf, type Tree } from "../tree.ts";
import { takeFolderAway } from "./swap-folder.ts";
import {
  changePlaces,
  isWhatWasSeen,
  NO_LINKS,
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
      fromStage(tree, slot, (from) => {
        const { mode } = change.after;
        if (isNew) takeFromFolder(tree, parentOf(path), from, mode);
        else {
          tree.lists.write(tree.at(from), undefined); // of the folder that it waits in
          keepOwner(tree, from, change.after, mode);
        }
        placeNew(tree, path, from);
      });
      return undefined;
    case "update": {
      const found = expectFile(tree, path, change.before);
      const seen = toSeen(found, change.before, change.after);
      fromStage(tree, slot, (from, old) => replaceFile(tree, change, from, old, seen));
      return toTaken(found);
    }
    case "delete": {
      const found = expectFile(tree, path, change.before);
      const seen = toSeen(found, change.before);
      const moved = takeAway(tree, path, [slot.old, slot.siblingOld], seen);
      if (moved === undefined) throw changedJustNow(path);
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
export function isWrittenSince(tree: Tree, slot: Slot, taken: TakenFile): boolean {
  return [slot.old, slot.siblingOld].some((old) => {
    const look = () => (tree.has(old) ? lstatSync(tree.at(old)) : undefined);
    const stat = orElse(look, OUT_OF_REACH, () => undefined);
    if (!stat) return false; // on another disk, or a check took it away, or its folder
    return !isUntouched(stat, taken) && !hasContent(tree.look(old), taken);
  });
}

/** Of a folder that is a link or a file by now, or that nobody may enter. */
const OUT_OF_REACH = hasCode("ENOENT", "ENOTDIR", "ELOOP", "EACCES");

/** Whether it is that very file, and nobody wrote into it. */
export function isUntouched(stat: Stats, taken: TakenFile): boolean {
  return isSameFile(stat, taken) && stat.size === taken.size && stat.mtimeMs === taken.mtimeMs;
}

/** A file whose place was taken: what it is known by, and not what is in it, for as long as checks run. */
export type TakenFile = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs"> & Pick<FileState, "sha256">;

function toTaken({ stat: { dev, ino, size, mtimeMs }, state: { sha256 } }: FoundFile): TakenFile {
  return { dev, ino, size, mtimeMs, sha256 };
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
 * Where the target is on another disk, a mount in the workspace, a copy is made next to it first, and
 * what was there before waits there as well. Others can open it: its owner has it alone until its
 * place is taken.
 */
function fromStage(
  tree: Tree,
  { staged, old, sibling, siblingOld }: Slot,
  place: (from: string, old: string) => void,
): void {
  const placeCopy = () => {
    const fd = writeNew(tree.touch(sibling), readFileSync(tree.at(staged)), FOR_OWNER);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    place(sibling, siblingOld);
  };
  orElse(() => place(staged, old), hasCode("EXDEV"), placeCopy);
}

/** What waits takes the place of what was seen, which is kept as `old`. */
function replaceFile(
  tree: Tree,
  { path, after }: Extract<Change, { kind: "update" }>,
  from: string,
  old: string,
  seen: Seen,
): void {
  if (!keepAccess(tree, path, from, seen.stat, { unlisted: after.mode })) {
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
