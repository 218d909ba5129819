import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { isProtectedPath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Block } from "./block.ts";
import { readFileBlock } from "./file-block.ts";

/** Most files that are shown, and that are read to find so many with text in them. */
const MOST_FILES = 2;
const MOST_READ = 6;
/** Most files that are looked at: what a disk tells in a moment. */
const MOST_LOOKED_AT = 10_000;
/** A larger file costs more than a guess is worth. */
const MOST_BYTES = 16 * 1024;
/** A checkout writes all its files in one go; an edit comes later. */
const AFTER_CHECKOUT_MS = 60_000;
const PRIORITY = 3;

/**
 * The files that were changed last and are not among the `shown`, newest first. In a fresh
 * checkout there are none, for age says nothing there: a file counts when it is clearly newer
 * than half of the others.
 */
export async function readRecentFiles(
  workspace: Workspace,
  paths: readonly string[],
  shown: ReadonlySet<string>,
): Promise<readonly Block[]> {
  const recent: string[] = [];
  for (const path of await findNewer(workspace.root, paths)) {
    if (recent.length === MOST_READ) break;
    const isTheirs = !isProtectedPath(path, workspace.protectedPaths, "write");
    if (isTheirs && !shown.has(path)) recent.push(path);
  }
  const blocks = await Promise.all(recent.map((path) => readFileBlock(workspace, path, PRIORITY)));
  // Nobody asked for these, so nobody needs to know why one cannot be shown.
  return blocks.filter(({ kind }) => kind === "file").slice(0, MOST_FILES);
}

async function findNewer(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const looks = paths.slice(0, MOST_LOOKED_AT).map((path) => look(root, path));
  const files = (await Promise.all(looks)).flat().toSorted((a, b) => b.changedAt - a.changedAt);
  const bulkAt = files[Math.floor(files.length / 2)]?.changedAt ?? 0;
  return files
    .filter(({ changedAt }) => changedAt >= bulkAt + AFTER_CHECKOUT_MS)
    .filter(({ sizeBytes }) => sizeBytes > 0 && sizeBytes <= MOST_BYTES)
    .map(({ path }) => path);
}

async function look(root: string, path: string) {
  const stat = await lstat(join(root, path)).catch(() => undefined); // gone since it was listed
  return stat?.isFile() ? [{ path, changedAt: stat.mtimeMs, sizeBytes: stat.size }] : [];
}
