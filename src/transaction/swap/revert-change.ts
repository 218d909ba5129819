import { renameSync } from "node:fs";
import type { FileNote } from "../../texts/notes/notes.ts";
import type { Change, FileState } from "../change.ts";
import { pathStateOf } from "../look-again.ts";
import { noteOnOverruled } from "../mode-notes.ts";
import { keepAccess, keepOwner, type Slot } from "../stage/stage.ts";
import { type Found, hasContent, parentOf, type Tree } from "../tree.ts";
import { makeFolders, putFolderBack, removeEmpty } from "./swap-folder.ts";
import { changePlaces, placeNew, type Seen, takeAway } from "./take-place.ts";

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

/**
 * Takes a file of the change away; one that somebody saved there just now stays. It is unlinked by
 * nobody here: whoever has it open may write into it until the roll-back ends.
 */
function takeBack(
  tree: Tree,
  path: string,
  { aside, siblingAside }: Slot,
  seen: Seen | undefined,
): boolean {
  return seen !== undefined && takeAway(tree, path, [aside, siblingAside], seen) !== undefined;
}

/** In the place of what somebody saved there just now nothing is put. */
function putBack(
  tree: Tree,
  { path, before }: Extract<Change, { kind: "update" | "delete" }>,
  slot: Slot,
  { path: from, isItself }: Source,
  seen: Seen | undefined,
): void {
  // Its access list is in no image: the file has the mode that it would have without.
  const unlisted = before.unlisted ?? before.mode;
  if (!isItself && seen) {
    const { uid = seen.stat.uid, gid = seen.stat.gid } = before;
    // A roll-back goes on without an access list that cannot be kept, but with no right more.
    keepAccess(tree, path, from, { uid, gid }, { unlisted, listed: before.mode });
  }
  if (!isItself && !seen) keepOwner(tree, from, before, unlisted);
  if (!seen) return placeNew(tree, path, from);
  // Under the name of a copy nothing may wait that could be somebody's.
  const waiting = isItself ? from : from === slot.sibling ? slot.siblingAside : slot.aside;
  if (waiting !== from) renameSync(tree.at(from), tree.at(waiting));
  const placing = changePlaces(tree, path, waiting, seen);
  if (placing === "done" || placing === "other") return;
  if (waiting !== from) renameSync(tree.at(waiting), tree.at(from));
  if (placing !== "never") throw placing.refusal;
  if (takeBack(tree, path, slot, seen)) placeNew(tree, path, from);
}
