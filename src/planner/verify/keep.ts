import type { Change, ChangeSet } from "../../transaction/change.ts";
import { buildChangeSet } from "../../transaction/change-set.ts";
import { composeChangeSets } from "../../transaction/compute/compute.ts";
import type { View } from "../../transaction/view/view.ts";

/** What checks changed in a view, on top of the change set that they checked. */
type Effects = Pick<Awaited<ReturnType<View["sideEffects"]>>, "changes" | "contents" | "isCut">;

/** A change set with the part of the side effects that belongs to it. */
export interface WithKept {
  readonly changeSet: ChangeSet;
  /** What was added; undefined: nothing. */
  readonly added?: ChangeSet;
  /** Paths of the side effects that are in it. */
  readonly kept: ReadonlySet<string>;
}

/** More than this is no lock file and no snapshot: it is left out. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Adds to a change set what its checks wrote in files that fit one of `globs`, which start at the
 * workspace's root, where `mayWrite` lets it. Folders come with what is in them; one that would
 * go stays, since only papa-yu's view of it was emptied. What cannot be said in one change set with
 * the rest, or was not seen whole, is left out whole.
 */
export function withKept(
  changeSet: ChangeSet,
  { changes, contents, isCut }: Effects,
  globs: readonly string[],
  mayWrite: (path: string) => boolean,
): WithKept {
  const none: WithKept = { changeSet, kept: new Set() };
  const patterns = globs.map((glob) => new Bun.Glob(glob));
  const files = changes.filter(({ kind, path }) => {
    if (kind === "mkdir" || kind === "rmdir") return false;
    return patterns.some((pattern) => pattern.match(path)) && mayWrite(path);
  });
  if (files.length === 0 || isCut) return none;
  const folders = changes.filter(
    ({ kind, path }) => kind === "mkdir" && files.some((file) => file.path.startsWith(`${path}/`)),
  );
  const chosen = [...folders, ...files];
  const used = new Map(
    chosen.flatMap(hashesOf).flatMap((hash) => {
      const bytes = contents.get(hash) ?? changeSet.contents.get(hash);
      return bytes ? [[hash, bytes] as const] : [];
    }),
  );
  if (!chosen.flatMap(hashesOf).every((hash) => used.has(hash))) return none; // too large to be read
  const sizeBytes = [...used.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0);
  if (sizeBytes > MOST_KEPT_BYTES) return none;
  const added = buildChangeSet(chosen, used);
  const composed = composeChangeSets(changeSet, added);
  if (!composed.ok) return none;
  return { changeSet: composed.changeSet, added, kept: new Set(chosen.map(({ path }) => path)) };
}

/** What was added one after the other, as one. */
export function joinAdded(
  first: ChangeSet | undefined,
  second: ChangeSet | undefined,
): ChangeSet | undefined {
  if (!first || !second) return first ?? second;
  const joined = composeChangeSets(first, second);
  if (!joined.ok) throw new Error("what was kept of checks was composed with it before");
  return joined.changeSet;
}

function hashesOf(change: Change): readonly string[] {
  return [
    ...("before" in change ? [change.before.sha256] : []),
    ...("after" in change ? [change.after.sha256] : []),
  ];
}
