import { lstatSync, renameSync, type Stats } from "node:fs";
import { hasCode, orElse } from "../../core/app-error.ts";
import type { Change } from "../change.ts";
import { isPathBlocked } from "../look-again.ts";
import { isKnown, keptBeside, keptPath, slotOf } from "../stage/stage.ts";
import { isSameFile, parentOf, type Tree } from "../tree.ts";
import { isUntouched, type TakenFile } from "./swap-change.ts";
import { placeNew } from "./take-place.ts";

/** Which change something was moved for. */
export interface Origin {
  readonly txId: string;
  readonly index: number;
  readonly change: Change;
  /** What is committed holds its path: nothing goes back there. */
  readonly isCommitted?: boolean;
  /** What its file was when its place was taken. */
  readonly taken?: TakenFile | undefined;
}

/**
 * What was moved out of a path and is somebody's, because they saved there in that moment or wrote
 * into it later, goes back to its path where nothing is; else it is kept, and nothing empties that
 * place. Gives where it is then, undefined where there is nothing of the kind.
 *
 * @throws Error with the system's code where it stays where it was: nothing may be moved there then
 */
export function rescue(tree: Tree, moved: string, origin: Origin): string | undefined {
  const { change, isCommitted = false } = origin;
  if (!isTheirs(tree, moved, origin)) return undefined;
  const there = statOf(tree, change.path);
  if (there === "nothing" && !isCommitted && isBack(tree, moved, change.path)) return change.path;
  // A crash came between its first name and its second.
  const isThere = typeof there !== "string" && isSameFile(lstatSync(tree.at(moved)), there);
  return isThere ? undefined : keep(tree, moved, origin);
}

/** Whatever is no file of before or of after; but an empty folder is nobody's work. */
function isTheirs(tree: Tree, moved: string, { change, taken }: Origin): boolean {
  const stat = orElse(
    () => lstatSync(tree.at(moved), { throwIfNoEntry: false }),
    isStageGone,
    () => undefined,
  );
  if (!stat || (taken && isUntouched(stat, taken))) return false;
  const isWork = () =>
    stat.isDirectory()
      ? tree.list(moved).length > 0
      : !stat.isFile() || !isKnown(tree.look(moved), change);
  // What papa-yu may not read it has not written, nor read before.
  return orElse(isWork, hasCode("EACCES", "EPERM"), () => true);
}

const isStageGone = hasCode("EXDEV", "ENOENT", "ENOTDIR", "ELOOP");

function statOf(tree: Tree, path: string): Stats | "nothing" | "blocked" {
  return orElse<Stats | "nothing" | "blocked">(
    () => lstatSync(tree.at(path), { throwIfNoEntry: false }) ?? "nothing",
    (error) => isPathBlocked(error) || hasCode("ENOENT")(error),
    (error) => (isPathBlocked(error) ? "blocked" : "nothing"),
  );
}

/** Not where its folder is gone, or another disk is there. */
function isBack(tree: Tree, moved: string, path: string): boolean {
  const back = () => {
    if (lstatSync(tree.at(moved)).isDirectory()) renameSync(tree.at(moved), tree.touch(path));
    else placeNew(tree, path, moved);
    return true;
  };
  return orElse(back, isStageGone, () => false);
}

/** In the folder of the transaction; where that is gone or on another disk, beside its path. */
function keep(tree: Tree, moved: string, { txId, index, change }: Origin): string {
  const slot = slotOf(txId, index, change.path);
  return orElse(
    () => moveToFree(tree, moved, (turn) => keptPath(txId, index, turn)),
    isStageGone,
    () => {
      let kept = moved;
      tree.change(parentOf(change.path), () => {
        kept = moveToFree(tree, moved, (turn) => keptBeside(slot, turn));
      });
      return kept;
    },
  );
}

function moveToFree(tree: Tree, moved: string, nameOf: (turn: number) => string): string {
  for (let turn = 0; ; turn++) {
    const kept = nameOf(turn);
    if (tree.has(kept)) continue;
    renameSync(tree.at(moved), tree.touch(kept));
    return kept;
  }
}
