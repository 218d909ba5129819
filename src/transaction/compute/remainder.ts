import type { Change, ChangeSet, FileState } from "../change.ts";
import { buildChangeSet, contentOf } from "../change-set.ts";

/**
 * The change set that is left to do when `first` is done and `whole` is wanted, both of them made
 * for the same files: the second part of what composing gives back. `whole` was composed of `first`,
 * so that no path is a file in the one and a folder in the other.
 */
export function remainderOf(first: ChangeSet, whole: ChangeSet): ChangeSet {
  const changes = remainingChanges(first.changes, whole.changes);
  return buildChangeSet(changes, contentsOf(changes, first, whole));
}

/** The same of the changes alone, each path at most once among them. */
export function remainingChanges(first: readonly Change[], whole: readonly Change[]): Change[] {
  const done = new Map(first.map((change) => [change.path, change]));
  const wanted = new Map(whole.map((change) => [change.path, change]));
  return [...new Set([...done.keys(), ...wanted.keys()])].flatMap(
    (path) => leftOf(path, done.get(path), wanted.get(path)) ?? [],
  );
}

/** What leads from the state after `done` to the one after `wanted`; missing ones change nothing. */
function leftOf(path: string, done?: Change, wanted?: Change): Change | undefined {
  if (!done) return wanted;
  const isFolder = done.kind === "mkdir" || done.kind === "rmdir";
  if (isFolder || wanted?.kind === "mkdir" || wanted?.kind === "rmdir") {
    if (wanted) return wanted.kind === done.kind ? undefined : wanted;
    if (done.kind === "mkdir") return { kind: "rmdir", path, mode: done.mode };
    return done.kind === "rmdir" ? { kind: "mkdir", path, mode: done.mode } : undefined;
  }
  const now = "after" in done ? done.after : undefined;
  const then = wanted ? afterOf(wanted) : "before" in done ? done.before : undefined;
  return between(path, now, then);
}

function afterOf(change: Change): FileState | undefined {
  return "after" in change ? change.after : undefined;
}

function between(path: string, before?: FileState, after?: FileState): Change | undefined {
  if (!before) return after && { kind: "create", path, after };
  if (!after) return { kind: "delete", path, before };
  const isSame = before.sha256 === after.sha256 && before.mode === after.mode;
  return isSame ? undefined : { kind: "update", path, before, after };
}

function contentsOf(
  changes: readonly Change[],
  first: ChangeSet,
  whole: ChangeSet,
): ReadonlyMap<string, Uint8Array> {
  const states = changes.flatMap((change) => [
    ...("before" in change ? [change.before] : []),
    ...("after" in change ? [change.after] : []),
  ]);
  return new Map(
    states.map((state) => {
      const from = first.contents.has(state.sha256) ? first : whole;
      return [state.sha256, contentOf(from, state)] as const;
    }),
  );
}
