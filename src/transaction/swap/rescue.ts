import { lstatSync, renameSync, type Stats } from "node:fs";
import { hasCode, orElse } from "../../core/app-error.ts";
import type { Change } from "../change.ts";
import { isPathBlocked } from "../look-again.ts";
import { isKnown, keptPath } from "../stage/stage.ts";
import { isSameFile, type Tree } from "../tree.ts";
import { placeNew } from "./take-place.ts";

/**
 * What was moved out of a path and is somebody's, because they saved there in that moment or wrote
 * into it later, goes back to its path where nothing is; else it is kept, and nothing empties that
 * place. Gives where it is then, undefined where there is nothing of the kind.
 */
export function rescue(
  tree: Tree,
  moved: string,
  change: Change,
  keepAt: { readonly txId: string; readonly index: number },
): string | undefined {
  if (!isTheirs(tree, moved, change)) return undefined;
  const there = statOf(tree, change.path);
  if (there === "nothing") {
    putBack(tree, moved, change.path);
    return undefined;
  }
  // A crash came between its first name and its second.
  if (there !== "blocked" && isSameFile(lstatSync(tree.at(moved)), there)) return undefined;
  for (let turn = 0; ; turn++) {
    const kept = keptPath(keepAt.txId, keepAt.index, turn);
    const isFree = orElse(
      () => !tree.has(kept),
      isStageGone,
      () => undefined,
    );
    if (isFree === undefined) return moved;
    if (!isFree) continue;
    return orElse(
      () => {
        renameSync(tree.at(moved), tree.at(kept));
        return kept;
      },
      isStageGone,
      () => moved, // beside its path, where nothing of this name is removed that is not known
    );
  }
}

const isStageGone = hasCode("EXDEV", "ENOENT", "ENOTDIR", "ELOOP");

/** A file that is none of before or of after, or a folder with something in it; a link holds nothing. */
function isTheirs(tree: Tree, moved: string, change: Change): boolean {
  const stat = orElse(
    () => lstatSync(tree.at(moved), { throwIfNoEntry: false }),
    isStageGone,
    () => undefined,
  );
  if (stat?.isDirectory()) return change.kind === "rmdir" && tree.list(moved).length > 0;
  return stat?.isFile() === true && !isKnown(tree.look(moved), change);
}

function statOf(tree: Tree, path: string): Stats | "nothing" | "blocked" {
  return orElse<Stats | "nothing" | "blocked">(
    () => lstatSync(tree.at(path), { throwIfNoEntry: false }) ?? "nothing",
    (error) => isPathBlocked(error) || hasCode("ENOENT")(error),
    (error) => (isPathBlocked(error) ? "blocked" : "nothing"),
  );
}

function putBack(tree: Tree, moved: string, path: string): void {
  if (lstatSync(tree.at(moved)).isDirectory()) renameSync(tree.at(moved), tree.touch(path));
  else placeNew(tree, path, moved);
}
