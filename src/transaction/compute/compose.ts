import type { Note } from "../../texts/notes/notes.ts";
import type { Change, ChangeSet, FileState } from "../change.ts";
import { buildChangeSet } from "../change-set.ts";
import { isOnModes } from "../mode-notes.ts";
import { isFresh, withRightsOfRenamed } from "./rights.ts";

/** Two change sets as one, or the paths that no single change set can express. */
export type Composed =
  | { readonly ok: true; readonly changeSet: ChangeSet }
  | { readonly ok: false; readonly paths: readonly string[] };

/**
 * One change set that does what `first` and then `second` do: from what each path was before the
 * first to what it is after the second. What comes and goes again has no part in it, and its id
 * is the same as if it had been proposed as one.
 *
 * A change set makes folders before files and removes them after: so a file that becomes a folder,
 * a folder that becomes a file, or one that comes back with other rights needs more than one.
 *
 * @throws Error when `second` was not made for what `first` leaves
 */
export function composeChangeSets(first: ChangeSet, second: ChangeSet): Composed {
  const before = new Map(first.changes.map((change) => [change.path, change]));
  const after = new Map(second.changes.map((change) => [change.path, change]));
  const changes: Change[] = [];
  const paths: string[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const one = join(before.get(path), after.get(path));
    if (one === "impossible") paths.push(path);
    else if (one !== "nothing") changes.push(one);
  }
  if (paths.length > 0) return { ok: false, paths: paths.toSorted() };
  const contents = contentsOf(changes, [first, second]);
  return { ok: true, changeSet: buildChangeSet(changes, contents, notesOf([first, second])) };
}

/**
 * The same of what is proposed as one in the end: a file that comes with the one and is, as a preview
 * shows it, what goes with the other by a new name has the rights of that.
 */
export function composeAsOne(first: ChangeSet, second: ChangeSet): Composed {
  const composed = composeChangeSets(first, second);
  if (!composed.ok) return composed;
  const kinds = new Map(first.changes.map(({ path, kind }) => [path, kind]));
  const isOfFirst = ({ kind, path }: Change) => kinds.get(path) === kind;
  const { changeSet } = composed;
  return {
    ok: true,
    changeSet: withRightsOfRenamed(changeSet, {
      // Of two in the same one it is settled.
      mayTake: (come, gone) => isOfFirst(come) !== isOfFirst(gone) && isFresh(come),
    }),
  };
}

function join(
  first: Change | undefined,
  second: Change | undefined,
): Change | "nothing" | "impossible" {
  if (!first || !second) return first ?? second ?? "nothing";
  const { path } = first;
  switch (first.kind) {
    case "mkdir":
      if (second.kind === "rmdir" && second.mode === first.mode) return "nothing";
      break;
    case "rmdir":
      if (second.kind === "create") return "impossible";
      if (second.kind === "mkdir") return second.mode === first.mode ? "nothing" : "impossible";
      break;
    case "create":
      if (!startsFrom(second, first.after)) break;
      return second.kind === "delete" ? "nothing" : { kind: "create", path, after: second.after };
    case "update":
      if (!startsFrom(second, first.after)) break;
      if (second.kind === "delete") return { kind: "delete", path, before: first.before };
      return updateOf(path, first.before, second.after);
    case "delete":
      if (second.kind === "mkdir") return "impossible";
      if (second.kind === "create") return updateOf(path, first.before, second.after);
      break;
    default:
      return first satisfies never;
  }
  throw new Error(`"${path}": ${second.kind} does not go on from ${first.kind}`);
}

function startsFrom(
  change: Change,
  state: FileState,
): change is Extract<Change, { kind: "update" | "delete" }> {
  return (change.kind === "update" || change.kind === "delete") && isSame(change.before, state);
}

function updateOf(path: string, before: FileState, after: FileState): Change | "nothing" {
  return isSame(before, after) ? "nothing" : { kind: "update", path, before, after };
}

function isSame(a: FileState, b: FileState): boolean {
  return a.sha256 === b.sha256 && a.mode === b.mode && a.special === b.special;
}

function contentsOf(
  changes: readonly Change[],
  from: readonly ChangeSet[],
): ReadonlyMap<string, Uint8Array> {
  const hashes = changes.flatMap((change) => [
    ...("before" in change ? [change.before.sha256] : []),
    ...("after" in change ? [change.after.sha256] : []),
  ]);
  return new Map(
    hashes.flatMap((hash) => {
      const bytes = from.map(({ contents }) => contents.get(hash)).find((each) => each);
      return bytes ? [[hash, bytes] as const] : [];
    }),
  );
}

/** Those on special bits are made anew for what is left. */
function notesOf(from: readonly ChangeSet[]): readonly Note[] {
  return from.flatMap(({ notes }) => notes.filter((note) => !isOnModes(note)));
}
