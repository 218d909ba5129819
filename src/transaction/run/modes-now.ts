import { hasCode, orElse } from "../../core/app-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Change, ChangeSet, FileState } from "../change.ts";
import { buildChangeSet, keepsMode } from "../change-set.ts";
import { rightsOf, withRightsOfRenamed } from "../compute/compute.ts";
import { isOnModes } from "../mode-notes.ts";
import { type Found, hasContent, holds, openTree, type Tree } from "../tree.ts";

/** Whether a path is what a change starts from; of a mode that the change leaves any will do. */
export function isBefore(found: Found, change: Change): boolean {
  if (change.kind === "rmdir") return found.kind === "folder";
  if (!("before" in change)) return found.kind === "nothing";
  return keepsMode(change) ? holdsInAnyMode(found, change.before) : holds(found, change.before);
}

/** Whether a path is what a change makes of it; of a mode that it leaves any will do. */
export function isAfter(found: Found, change: Change): boolean {
  if (change.kind === "mkdir") return found.kind === "folder";
  if (!("after" in change)) return found.kind === "nothing";
  if (change.kind === "create") return isMade(found, change.after);
  return keepsMode(change) ? holdsInAnyMode(found, change.after) : holds(found, change.after);
}

/** A new file has no more than its mode says, and maybe less: the umask of whoever made it. */
function isMade(found: Found, after: FileState): boolean {
  return (
    found.kind === "file" && holdsInAnyMode(found, after) && (found.state.mode & ~after.mode) === 0
  );
}

function holdsInAnyMode(found: Found, state: FileState): boolean {
  return hasContent(found, state) && found.kind === "file" && found.state.special === state.special;
}

/**
 * The change set for the modes that files have now: whoever gave one other rights since, with the
 * same content, keeps them. A file of which more than that changed is as it was in it.
 */
export function withModesNow({ root }: Pick<Workspace, "root">, changeSet: ChangeSet): ChangeSet {
  const { changes, contents, notes } = changeSet;
  const now = changesNow(root, changes);
  const isSame = now.every((change, index) => change === changes[index]);
  if (isSame) return changeSet;
  const then = new Map(changes.map((change) => [change.path, change]));
  const others = notes.filter((note) => !isOnModes(note)); // those are made anew
  return withRightsOfRenamed(buildChangeSet(now, contents, others), {
    // One of which an action says whose rights it has is none of those that had them of this file.
    mayTake(come, gone) {
      const before = then.get(gone.path);
      return before?.kind === "delete" && rightsOf(before.before).mode === come.after.mode;
    },
  });
}

/** The same of the changes alone. */
export function changesNow(root: string, changes: readonly Change[]): readonly Change[] {
  using tree = openTree(root);
  return changes.map((change) => changeNow(tree, change));
}

/** What is at a path, also where a folder on the way to it is a link or a file by now. */
export function lookThrough(tree: Tree, path: string): Found {
  return orElse(
    () => tree.look(path),
    hasCode("ENOTDIR", "ELOOP"),
    () => ({ kind: "other", what: "below what is no folder" }),
  );
}

function changeNow(tree: Tree, change: Change): Change {
  if (!keepsMode(change) || !("before" in change)) return change;
  const found = lookThrough(tree, change.path);
  if (found.kind !== "file" || !holdsInAnyMode(found, change.before)) return change;
  const { mode, unlisted, uid, gid } = found.state;
  const { before: old } = change;
  const isOwned = old.uid === undefined || (old.uid === uid && old.gid === gid);
  if (mode === old.mode && unlisted === old.unlisted && isOwned) return change;
  const { unlisted: _, ...state } = old;
  const owner = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
  const before = { ...state, mode, ...(unlisted !== undefined && { unlisted }), ...owner };
  return change.kind === "update"
    ? { ...change, before, after: { ...change.after, mode } }
    : { ...change, before };
}
