import { sha256 } from "../core/sha256.ts";
import type { Note } from "../texts/notes/notes.ts";
import type { Change, ChangeSet, FileState } from "./change.ts";
import { notesOnRights } from "./mode-notes.ts";

/** Folders come before what goes into them and go after what was in them. */
const RANK = { mkdir: 0, create: 1, update: 2, delete: 3, rmdir: 4 } as const;

/** Orders changes so that they can be made one after another, and names them by their hash. */
export function buildChangeSet(
  unordered: readonly Change[],
  contents: ReadonlyMap<string, Uint8Array>,
  notes: readonly Note[] = [],
): ChangeSet {
  const changes = unordered.toSorted(compareChanges);
  const all = [...notes, ...notesOnRights(changes)];
  return { id: changeSetId(changes), changes, contents, notes: all };
}

/**
 * The same hash without the modes that a change leaves as they are: whoever gives a file other rights
 * afterwards keeps them, and what was approved is still the same.
 */
export function contentIdOf(changes: readonly Change[]): string {
  const gone = changes.filter((change) => change.kind === "delete");
  return sha256(JSON.stringify(changes.map((change) => toContent(change, gone))));
}

/** Whether it is none of a file's mode: then whichever the file has by now stays. */
export function keepsMode(change: Change): boolean {
  if (change.kind === "delete") return true;
  return change.kind === "update" && change.before.mode === change.after.mode;
}

/** The bytes of a state that the change set mentions. */
export function contentOf({ id, contents }: ChangeSet, state: FileState): Uint8Array {
  const bytes = contents.get(state.sha256);
  if (!bytes) throw new Error(`change set ${id} lacks the content ${state.sha256}`);
  return bytes;
}

function compareChanges(a: Change, b: Change): number {
  if (a.kind !== b.kind) return RANK[a.kind] - RANK[b.kind];
  const byPath = comparePaths(a, b);
  return a.kind === "rmdir" ? -byPath : byPath;
}

/** Puts what has a path in the order of the paths, by their characters' codes. */
export function comparePaths(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

function changeSetId(changes: readonly Change[]): string {
  return sha256(JSON.stringify(changes.map(toCanonical)));
}

type Gone = Extract<Change, { kind: "delete" }>;

function toContent(change: Change, gone: readonly Gone[]): readonly unknown[] {
  const { kind, path } = change;
  if (kind === "rmdir") return [kind, path];
  if (kind === "create") {
    // What comes by a new name has the rights of the file that goes, whichever those are by then.
    const old = gone.find(({ before }) => (before.unlisted ?? before.mode) === change.after.mode);
    return old ? [kind, path, change.after.sha256, old.path] : toCanonical(change);
  }
  if (!keepsMode(change) || !("before" in change)) return toCanonical(change);
  const states = [change.before, ...("after" in change ? [change.after] : [])];
  return [kind, path, ...states.flatMap(({ sha256: hash, special = 0 }) => [hash, special])];
}

function toCanonical(change: Change): readonly unknown[] {
  const { kind, path } = change;
  if (kind === "mkdir") return [kind, path, change.mode];
  if (kind === "rmdir") return [kind, path, change.mode, ...specialIn(change)];
  const before = "before" in change ? toCanonicalState(change.before) : null;
  const after = "after" in change ? toCanonicalState(change.after) : null;
  return [kind, path, before, after];
}

function specialIn({ special }: Pick<FileState, "special">): readonly number[] {
  return special === undefined ? [] : [special];
}

/** The special bits a file loses are shown for approval, so they are part of the id. */
function toCanonicalState(state: FileState): readonly unknown[] {
  return [state.sha256, state.mode, ...specialIn(state)];
}
