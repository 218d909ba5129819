import type { Action } from "../../protocol/response.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Change, ChangeSet, FileState } from "../change.ts";
import { buildChangeSet } from "../change-set.ts";
import { isOnModes } from "../mode-notes.ts";
import type { BaseTree } from "./base-tree.ts";
import { type Fault, fault } from "./fault.ts";
import { findRenames } from "./renames.ts";

/** Of a file that is no other file's by a new name. */
const NEW_FILE_MODE = 0o644;
/** Of the folders that such files are in. */
export const NEW_FOLDER_MODE = 0o755;

/** The mode of a file that an action makes. */
export type Rights = { readonly mode: number } | { readonly fault: Fault };

/**
 * Who may do what with a file that an action makes: what the action says it is made from may be
 * for few eyes, and its lines are no less so under another name.
 */
export function rightsOfNew(workspace: Workspace, tree: BaseTree, action: Action): Rights {
  const from = action.kind === "CREATE_FILE" ? action.rights_of : undefined;
  if (from === undefined) return { mode: NEW_FILE_MODE };
  const guarded = resolvePath(workspace, from, "tool"); // models name none
  const found = guarded.ok ? tree.look(guarded.path) : undefined;
  if (found?.kind === "file") return { mode: modeOfNew(found.state) };
  return {
    fault: fault("ERR_NOT_FOUND", action, `"${from}", whose rights it is to have, is no file`),
  };
}

/**
 * The same change set, but a file that comes has the mode of the one that goes where a preview shows
 * the two as one by a new name. Of the paths in `settled` it is known already.
 */
export function withRightsOfRenamed(changeSet: ChangeSet, settled: ReadonlySet<string>): ChangeSet {
  const { changes, contents, notes } = changeSet;
  if (!changes.some(isUncommon)) return changeSet; // as nearly always: nothing is to be compared
  const modes = new Map(
    findRenames(changeSet).flatMap(({ from, to }) => {
      const [gone, come] = [changes[from], changes[to]];
      if (gone?.kind !== "delete" || !come || settled.has(come.path)) return [];
      return [[come.path, modeOfNew(gone.before)] as const];
    }),
  );
  const kept = changes.map((change) => withMode(change, modes.get(change.path)));
  const others = notes.filter((note) => !isOnModes(note)); // those are made anew
  return buildChangeSet(kept, contents, others);
}

/**
 * What a change set makes with the mode of all that is new, which says nothing of it in particular: the
 * rules of its folder and the umask of whoever applies it may take something away. They have no say in
 * the change set, so that it is the same for a terminal and for a daemon.
 */
export function newPathsIn(changeSet: ChangeSet): ReadonlySet<string> {
  const { changes } = changeSet;
  const renamed = new Set(findRenames(changeSet).map(({ to }) => changes[to]?.path));
  const isNew = (change: Change) =>
    change.kind === "mkdir"
      ? change.mode === NEW_FOLDER_MODE
      : change.kind === "create" && change.after.mode === NEW_FILE_MODE;
  const fresh = changes.filter((change) => isNew(change) && !renamed.has(change.path));
  return new Set(fresh.map(({ path }) => path));
}

/** No access list goes with a name, nor what only that would give. */
function modeOfNew({ mode, unlisted = mode }: FileState): number {
  return unlisted;
}

function withMode(change: Change, mode: number | undefined): Change {
  if (change.kind !== "create" || mode === undefined) return change;
  return { ...change, after: { ...change.after, mode } };
}

function isUncommon(change: Change): boolean {
  return change.kind === "delete" && modeOfNew(change.before) !== NEW_FILE_MODE;
}
