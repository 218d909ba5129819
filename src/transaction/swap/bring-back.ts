import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  type Stats,
} from "node:fs";
import { AppError, hasCode } from "../../core/app-error.ts";
import type { Change, FileState } from "../change.ts";
import { FOR_OWNER, isKnown, keepOwner, type Slot, writeNew } from "../stage/stage.ts";
import { hasContent, isSameFile, parentOf, type Tree } from "../tree.ts";
import type { BringBack } from "./revert-change.ts";
import type { TakenFile } from "./swap-change.ts";

/** The content from before is lost. */
export class LostImage extends AppError {
  constructor(hash: string) {
    const advice = "put it back by hand, from version control or a backup";
    super("ERR_IO", `its before-image is missing or damaged (sha256 ${hash}); ${advice}`);
  }
}

/** What a file of before is brought back from. */
export interface Sources {
  readonly change: Change;
  readonly slot: Slot;
  /** What its file was when its place was taken; after a crash nobody knows. */
  readonly taken: TakenFile | undefined;
  /** By the hash of the content. */
  readonly read: (hash: string) => Uint8Array | undefined;
}

/** Finds a file of before: itself where it was moved to, else a copy of its image. */
export function bringFrom(tree: Tree, { change, slot, taken, read }: Sources): BringBack {
  return (state, place) => {
    for (const old of [slot.old, slot.siblingOld]) {
      if (!hasOld(tree, old, change, state, taken)) continue;
      try {
        return place({ path: old, isItself: true });
      } catch (error) {
        // What cannot be moved can be copied: a disk of its own, a file of somebody else's.
        if (!isElsewhere(error)) throw error;
      }
    }
    const bytes = read(state.sha256);
    if (!bytes) throw new LostImage(state.sha256);
    const { staged, sibling } = slot;
    if (isWritten(tree, staged, bytes, state)) {
      try {
        return place({ path: staged, isItself: false });
      } catch (error) {
        if (!isElsewhere(error)) throw error;
      }
    }
    writeImage(tree, sibling, bytes, state);
    place({ path: sibling, isItself: false });
  };
}

const isElsewhere = hasCode("EXDEV", "EPERM", "EMLINK");

/** Where the stage is gone or blocked, a copy next to the target does as well, though others see it. */
function isWritten(tree: Tree, staged: string, bytes: Uint8Array, state: FileState): boolean {
  try {
    writeImage(tree, staged, bytes, state);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the file is still where it was moved to; a check may have changed its mode in there. With another
 * content it is that file as well, where it is known by its number: a program that has it open wrote
 * into it, and that is nobody's to take away. After a crash no number is known, and what holds neither
 * the old content nor the new is no less somebody's.
 */
function hasOld(
  tree: Tree,
  old: string,
  change: Change,
  state: FileState,
  taken: TakenFile | undefined,
): boolean {
  try {
    const stat = lstatSync(tree.at(old));
    if (!stat.isFile()) return false;
    const isThatFile = taken !== undefined && isSameFile(stat, taken);
    const now = stat.mode & 0o777;
    if (isThatFile && now === state.mode) return true;
    const found = tree.look(old);
    const isOld = hasContent(found, state);
    if (!isThatFile && !isOld && (taken || isKnown(found, change))) return false;
    const mode = modeBack(state.mode, now, isOld, stat.nlink);
    if (mode !== now) setModeOf(tree.at(old), mode, stat);
    return true;
  } catch {
    return false; // a check may have put anything there
  }
}

/**
 * What somebody wrote is opened to nobody, and a file that has another name has its rights from
 * whoever gave it those: it comes back as it is.
 */
function modeBack(before: number, now: number, isOld: boolean, links: number): number {
  if (links > 1) return now;
  return isOld ? before : before & now;
}

function setModeOf(path: string, mode: number, seen: Stats): void {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const fd = openSync(path, flags);
  try {
    if (isSameFile(fstatSync(fd), seen)) fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

/** For its owner alone: what it may be opened by is given where its place is known. */
function writeImage(tree: Tree, path: string, bytes: Uint8Array, state: FileState): void {
  tree.change(parentOf(path), () => {
    const fd = writeNew(tree.touch(path), bytes, FOR_OWNER);
    try {
      keepOwner(tree, path, state, FOR_OWNER);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}
