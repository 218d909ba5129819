import { sha256 } from "../core/sha256.ts";
import type { Change, ChangeSet, FileState } from "./change.ts";

/** Folders come before what goes into them and go after what was in them. */
const RANK = { mkdir: 0, create: 1, update: 2, delete: 3, rmdir: 4 } as const;

/** Orders changes so that they can be made one after another, and names them by their hash. */
export function buildChangeSet(
  unordered: readonly Change[],
  contents: ReadonlyMap<string, Uint8Array>,
  notes: readonly string[] = [],
): ChangeSet {
  const changes = unordered.toSorted(compareChanges);
  return { id: changeSetId(changes), changes, contents, notes };
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
  const before = "before" in change ? [change.before.sha256, change.before.mode] : null;
  const after = "after" in change ? [change.after.sha256, change.after.mode] : null;
  return [kind, path, before, after];
}
