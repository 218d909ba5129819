import { linkSync, lstatSync, renameSync, type Stats, unlinkSync } from "node:fs";
import { hasCode, orElse } from "../../core/app-error.ts";
import { type Found, type FoundFile, isSameFile, type Tree } from "../tree.ts";

/**
 * What was seen at a path, and what else would do there. Whatever is moved out of a path is held
 * against it where it is then: an editor may have saved between the look and the move. What is
 * somebody's goes back to its path.
 */
export interface Seen extends Pick<FoundFile, "stat"> {
  readonly isAsGood: (found: Found) => boolean;
  /** Of what is put there instead. */
  readonly isOurs: (found: Found) => boolean;
}

/**
 * "done"; or "other": somebody else's is there, and stays; "never": the disk knows no such step, or it
 * refused. Of the last two nothing was done.
 */
export type Placing = "done" | "other" | "never" | { readonly refusal: unknown };

/** So many saves within a few microseconds each are nobody's. */
const MOST_TURNS = 16;

/** Lets what waits and what was seen at a path change places; of several saves the newest stays there. */
export function changePlaces(tree: Tree, path: string, waiting: string, seen: Seen): Placing {
  const placing = swapNames(tree, waiting, path);
  if (placing !== "done") return placing;
  if (isWhatWasSeen(tree, waiting, seen)) return "done";
  for (
    let [turn, placed]: [number, Stats | undefined] = [0, undefined];
    turn < MOST_TURNS;
    turn++
  ) {
    const theirs = lstatSync(tree.at(waiting));
    const isBack = orElse(
      () => tree.swap(waiting, path),
      hasCode("ENOENT"),
      () => false,
    );
    if (!isBack) {
      putBackTheirs(tree, path, waiting); // whoever saves has moved ours away
      break;
    }
    if (seen.isOurs(tree.look(waiting))) break;
    // A later save, unless it is the one that was put there a moment ago.
    if (placed && isSameFile(lstatSync(tree.at(waiting)), placed)) break;
    placed = theirs;
  }
  return "other";
}

function swapNames(tree: Tree, waiting: string, path: string): Placing {
  try {
    return tree.swap(waiting, path) ? "done" : "never";
  } catch (refusal) {
    return { refusal };
  }
}

/** Where something may be moved to: in the stage, or else beside its path. */
export type Places = readonly [inStage: string, beside: string];

/**
 * Moves what was seen at a path away, and says where to; undefined: it was somebody else's and went
 * back.
 */
export function takeAway(tree: Tree, path: string, places: Places, seen: Seen): string | undefined {
  const moved = moveTo(tree, path, places);
  if (isWhatWasSeen(tree, moved, seen)) return moved;
  putBackTheirs(tree, path, moved);
  return undefined;
}

function moveTo(tree: Tree, path: string, [inStage, beside]: Places): string {
  return orElse(
    () => {
      renameSync(tree.touch(path), tree.at(inStage));
      return inStage;
    },
    // On another disk; or the stage is gone, or a check put something in its place.
    hasCode("EXDEV", "ENOENT", "ENOTDIR", "ELOOP", "EISDIR"),
    () => {
      renameSync(tree.touch(path), tree.touch(beside));
      return beside;
    },
  );
}

/** It stays where it is when somebody saved once more: a roll-back finds it there. */
function putBackTheirs(tree: Tree, path: string, moved: string): void {
  orElse(
    () => placeNew(tree, path, moved),
    hasCode("EEXIST"),
    () => {},
  );
}

/** Whether that very file was moved, as it was, or what is as good. */
export function isWhatWasSeen(tree: Tree, moved: string, { stat, isAsGood }: Seen): boolean {
  const now = lstatSync(tree.at(moved));
  const isUntouched =
    now.size === stat.size && now.mtimeMs === stat.mtimeMs && now.mode === stat.mode;
  // The first write to a file of an overlay, by whoever, gives it another number.
  return (isSameFile(now, stat) && isUntouched) || isAsGood(tree.look(moved));
}

/** A link never replaces what is there, as a rename would; not every disk and file allows one. */
export function placeNew(tree: Tree, path: string, from: string): void {
  orElse(
    () => {
      linkSync(tree.at(from), tree.touch(path));
      unlinkSync(tree.at(from));
    },
    givesNoLink,
    (refusal) => {
      if (tree.moveToFree(from, path)) return;
      if (tree.has(path)) throw refusal;
      renameSync(tree.at(from), tree.touch(path));
    },
  );
}

/** What refuses a second name. */
export const NO_LINKS = ["EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];
const givesNoLink = hasCode(...NO_LINKS);
