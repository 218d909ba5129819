import { posix } from "node:path";
import { editDistance } from "../../config/nearest-key.ts";
import { listFiles } from "../../workspace/files.ts";
import { classifyName } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Most names that are offered in place of one that does not exist. */
const MOST = 3;
/** Names that are looked at: a listing of more is for nobody to wait for. */
const MAX_LISTED = 20_000;

/**
 * For a model that named what is not there: up to three readable files (or folders) of the workspace
 * that are called so, in another place or nearly, as the end of a sentence; "" where none is.
 */
export async function didYouMean(
  workspace: Workspace,
  path: string,
  what: "file" | "folder",
  signal?: AbortSignal,
): Promise<string> {
  const { items } = await listFiles(workspace.root, {
    limit: MAX_LISTED,
    isShort: true, // nobody is told that there is none
    ...(signal && { signal }),
  });
  const files = items.filter((each) => classifyName(workspace, each) === "readable");
  const known = what === "file" ? files : foldersOf(files);
  // What was named may be there, and was no use.
  const others = known.filter((each) => each !== path);
  const near = nearestPaths(path, others);
  return near.length === 0 ? "" : `; did you mean ${near.map((each) => `"${each}"`).join(" or ")}`;
}

function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = posix.dirname(path); at !== "."; at = posix.dirname(at)) {
      if (folders.has(at)) break;
      folders.add(at);
    }
  }
  return [...folders];
}

function nearestPaths(path: string, known: readonly string[]): readonly string[] {
  const wanted = path.toLowerCase();
  const scored = known.flatMap((each) => {
    const score = scoreOf(wanted, each.toLowerCase());
    return score === undefined ? [] : [{ each, score }];
  });
  return scored
    .toSorted((a, b) => a.score - b.score || a.each.length - b.each.length)
    .slice(0, MOST)
    .map(({ each }) => each);
}

/** How far a path is from the one that was wanted: the name counts, then where it is. */
function scoreOf(wanted: string, path: string): number | undefined {
  const name = posix.basename(path);
  const wantedName = posix.basename(wanted);
  const most = Math.max(2, Math.floor(wantedName.length / 3));
  if (stem(name) !== stem(wantedName) && Math.abs(name.length - wantedName.length) > most) {
    return undefined;
  }
  if (name === wantedName) return 0;
  const distance = editDistance(wantedName, name);
  if (distance <= most) return distance;
  return stem(name) === stem(wantedName) ? most : undefined;
}

function stem(name: string): string {
  return posix.parse(name).name;
}
