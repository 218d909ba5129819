import { sha256 } from "../core/sha256.ts";
import type { Change, ChangeSet, FileState } from "./change.ts";
import { notesOnSpecial } from "./special-bits.ts";

/** Folders come before what goes into them and go after what was in them. */
const RANK = { mkdir: 0, create: 1, update: 2, delete: 3, rmdir: 4 } as const;

/** Orders changes so that they can be made one after another, and names them by their hash. */
export function buildChangeSet(
  unordered: readonly Change[],
  contents: ReadonlyMap<string, Uint8Array>,
  notes: readonly string[] = [],
): ChangeSet {
  const changes = unordered.toSorted(compareChanges);
  const all = [...notes, ...notesOnSpecial(changes)];
  return { id: changeSetId(changes), changes, contents, notes: all };
}

/** The bytes of a state that the change set mentions. */
export function contentOf({ id, contents }: ChangeSet, state: FileState): Uint8Array {
  const bytes = contents.get(state.sha256);
  if (!bytes) throw new Error(`change set ${id} lacks the content ${state.sha256}`);
  return bytes;
}

function compareChanges(a: Change, b: Change): number {
  if (a.kind !== b.kind) return RANK[a.kind] - RANK[b.kind];
  const byPath = a.path < b.path ? -1 : 1;
  return a.kind === "rmdir" ? -byPath : byPath;
}

function changeSetId(changes: readonly Change[]): string {
  return sha256(JSON.stringify(changes.map(toCanonical)));
}

function toCanonical(change: Change): readonly unknown[] {
  const { kind, path } = change;
  if (kind === "mkdir" || kind === "rmdir") return [kind, path, change.mode];
  const before = "before" in change ? toCanonicalState(change.before) : null;
  const after = "after" in change ? toCanonicalState(change.after) : null;
  return [kind, path, before, after];
}

/** The special bits a file loses are shown for approval, so they are part of the id. */
function toCanonicalState({ sha256: hash, mode, special }: FileState): readonly unknown[] {
  return special === undefined ? [hash, mode] : [hash, mode, special];
}
