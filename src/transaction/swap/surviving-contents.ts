import type { Change } from "../change.ts";
import { hasContent, type Tree } from "../tree.ts";

/** Contents from before, by sha256, that are in no archive and that files of the change still hold. */
export type SurvivingContents = ReadonlyMap<string, Uint8Array>;

/**
 * What a roll-back can do without an archive: a rename leaves the old content under the new name,
 * and a change of the mode leaves it where it was. Nothing is read where the archive has it.
 */
export function readSurviving(
  tree: Tree,
  changes: readonly Change[],
  read: (hash: string) => Uint8Array | undefined,
): SurvivingContents {
  const befores = new Set(changes.flatMap((each) => ("before" in each ? each.before.sha256 : [])));
  const surviving = new Map<string, Uint8Array>();
  for (const change of changes) {
    if (!("after" in change)) continue;
    const { sha256: hash } = change.after;
    if (!befores.has(hash) || surviving.has(hash) || isStored(hash, read)) continue;
    try {
      const found = tree.look(change.path);
      if (found.kind === "file" && hasContent(found, change.after))
        surviving.set(hash, found.bytes);
    } catch {
      // a file that cannot be read restores nothing
    }
  }
  return surviving;
}

/**
 * The changes from the last to the first; but what is brought back from another file of the
 * change comes before that file is taken away, so that a crash in between loses nothing.
 */
export function inOrder(
  changes: readonly Change[],
  surviving: SurvivingContents,
): readonly { readonly index: number; readonly change: Change }[] {
  const all = changes.map((change, index) => ({ index, change })).toReversed();
  const isFirst = ({ change }: { readonly change: Change }) =>
    change.kind === "rmdir" || ("before" in change && surviving.has(change.before.sha256));
  return [...all.filter(isFirst), ...all.filter((each) => !isFirst(each))];
}

function isStored(hash: string, read: (hash: string) => Uint8Array | undefined): boolean {
  try {
    return read(hash) !== undefined;
  } catch {
    return true; // it is there, and may be readable again
  }
}
