import type { Action } from "../../protocol/response.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Change, ChangeSet, FileRights, FileState } from "../change.ts";
import { buildChangeSet } from "../change-set.ts";
import { isOnModes } from "../mode-notes.ts";
import { parentOf } from "../tree.ts";
import type { BaseTree } from "./base-tree.ts";
import { type Fault, fault } from "./fault.ts";
import { findRenames } from "./renames.ts";

/** Of a file that is no other file's by a new name. */
const NEW_FILE_MODE = 0o644;
/** Of the folders that such files are in. */
export const NEW_FOLDER_MODE = 0o755;

/** Those of a file that an action makes. */
export type Rights = FileRights | { readonly fault: Fault };

/**
 * Who may do what with a file that an action makes: what the action says it is made from may be
 * for few eyes, and its lines are no less so under another name.
 */
export function rightsOfNew(workspace: Workspace, tree: BaseTree, action: Action): Rights {
  const from = action.kind === "CREATE_FILE" ? action.rights_of : undefined;
  if (from === undefined) return { mode: NEW_FILE_MODE };
  const guarded = resolvePath(workspace, from, "tool"); // models name none
  const found = guarded.ok ? tree.look(guarded.path) : undefined;
  if (found?.kind === "file") return rightsOf(found.state);
  return {
    fault: fault("ERR_NOT_FOUND", action, `"${from}", whose rights it is to have, is no file`),
  };
}

/** How files that come are held against those that go. */
export interface Renaming {
  /** Whether the one that comes may have its rights of the other; without it each may. */
  readonly mayTake?: (come: Create, gone: Delete) => boolean;
  /** What it has of that one; without it all. */
  readonly take?: (come: Create, gone: Delete) => FileRights;
  /** The mode of a folder that is there and stays; undefined where that is not known. */
  readonly modeOf?: (folder: string) => number | undefined;
}

type Create = Extract<Change, { kind: "create" }>;
type Delete = Extract<Change, { kind: "delete" }>;

/**
 * The same change set, but a file that comes has the mode, the owner and the group of the one that goes
 * where a preview shows the two as one by a new name; and a folder that is made for it lets nobody in
 * whom those that it was in kept out.
 */
export function withRightsOfRenamed(changeSet: ChangeSet, renaming: Renaming = {}): ChangeSet {
  const { changes, contents, notes } = changeSet;
  const folders = new Map(
    changes.flatMap((each) => (each.kind === "rmdir" ? [[each.path, each.mode] as const] : [])),
  );
  const modeOf = (path: string) => folders.get(path) ?? renaming.modeOf?.(path) ?? NEW_FOLDER_MODE;
  if (!changes.some((change) => isUncommon(change, modeOf))) return changeSet; // as nearly always
  const { mayTake = () => true, take = (_: Create, gone: Delete) => rightsOf(gone.before) } =
    renaming;
  const rights = new Map<string, FileRights>();
  const modes = new Map<string, number>();
  for (const { from, to } of findRenames(changeSet)) {
    const [gone, come] = [changes[from], changes[to]];
    if (gone?.kind !== "delete" || come?.kind !== "create" || !mayTake(come, gone)) continue;
    rights.set(come.path, take(come, gone));
    narrowFolders(changes, modes, { from: gone.path, to: come.path, modeOf });
  }
  const kept = changes.map((change) => withRights(change, rights.get(change.path), modes));
  const others = notes.filter((note) => !isOnModes(note)); // those are made anew
  return buildChangeSet(kept, contents, others);
}

/** Each folder that is made for a file is held against the one in its place; further ones count with the topmost. */
function narrowFolders(
  changes: readonly Change[],
  modes: Map<string, number>,
  { from, to, modeOf }: { from: string; to: string; modeOf: (path: string) => number },
): void {
  const isNew = (path: string) =>
    changes.some((each) => each.kind === "mkdir" && each.path === path && isOfNewFolder(each.mode));
  const made = foldersOf(to).filter(isNew);
  const left = foldersOf(from).filter((folder) => !to.startsWith(`${folder}/`));
  for (const [at, folder] of left.entries()) {
    const path = made[Math.min(at, made.length - 1)];
    if (path !== undefined) modes.set(path, (modes.get(path) ?? NEW_FOLDER_MODE) & modeOf(folder));
  }
}

/** From the one that it is in up. */
function foldersOf(path: string): readonly string[] {
  const folder = parentOf(path);
  return folder === "" ? [] : [folder, ...foldersOf(folder)];
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
      ? isOfNewFolder(change.mode)
      : change.kind === "create" && isFresh(change);
  const fresh = changes.filter((change) => isNew(change) && !renamed.has(change.path));
  return new Set(fresh.map(({ path }) => path));
}

/** Whether a file has the rights of new ones, and of no other file. */
export function isFresh({ after }: Pick<Create, "after">): boolean {
  return after.mode === NEW_FILE_MODE && after.uid === undefined;
}

function isOfNewFolder(mode: number): boolean {
  return mode === NEW_FOLDER_MODE;
}

/** No access list goes with a name, nor what only that would give. */
export function rightsOf({ mode, unlisted = mode, uid, gid }: FileState): FileRights {
  return { mode: unlisted, ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
}

function withRights(
  change: Change,
  rights: FileRights | undefined,
  modes: ReadonlyMap<string, number>,
): Change {
  if (change.kind === "mkdir") return { ...change, mode: modes.get(change.path) ?? change.mode };
  if (change.kind !== "create" || rights === undefined) return change;
  return { ...change, after: { ...change.after, ...rights } };
}

/** Whether a file goes whose rights, or whose folder's, are others than a new one's. */
function isUncommon(change: Change, modeOf: (folder: string) => number): boolean {
  if (change.kind !== "delete") return false;
  const { mode, uid, gid } = rightsOf(change.before);
  const isOthers =
    uid !== undefined && (uid !== process.geteuid?.() || gid !== process.getegid?.());
  const isPrivate = (folder: string) => (NEW_FOLDER_MODE & ~modeOf(folder)) !== 0;
  return mode !== NEW_FILE_MODE || isOthers || foldersOf(change.path).some(isPrivate);
}
