import { lstatSync, mkdtempSync, rmdirSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { listFiles } from "../../workspace/files.ts";
import { inStateSubfolder } from "../../workspace/state-folder.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** More are not compared: a command must not wait for a disk. */
const MAX_FILES = 20_000;
const PARALLEL_STATS = 64;

/** A file seen from outside. */
interface Look {
  /** Changes with the contents, but not with the name or the mode. */
  readonly contents: string;
  readonly mode: number;
  /** Milliseconds; 0 where the disk does not know. */
  readonly bornAt: number;
  readonly changedAt: number;
}

/** What the files of a folder look like from outside, by path. */
export interface Snapshot {
  readonly files: ReadonlyMap<string, Look>;
  readonly isWhole: boolean;
  /** By the clock of the disk. */
  readonly takenAt: number;
}

/** A file that is not as it was. */
export type ChangedFile =
  | { readonly kind: "created" | "modified" | "deleted"; readonly path: string }
  | { readonly kind: "renamed"; readonly path: string; readonly from: string }
  | { readonly kind: "mode of"; readonly path: string; readonly oldMode: number };

/** Sizes, times and modes of the files that `listFiles` finds; no contents. */
export async function takeSnapshot(workspace: Workspace): Promise<Snapshot> {
  const { root } = workspace;
  const takenAt = diskTime(workspace);
  const { items, leftOut } = await listFiles(root, { limit: MAX_FILES, isShort: true });
  const isWhole = leftOut.length === 0;
  return { files: await lookAt(root, items), isWhole, takenAt };
}

function diskTime(workspace: Workspace): number {
  return inStateSubfolder(workspace.root, "cache", (cache) => {
    const probe = mkdtempSync(cache.entry("now-"));
    try {
      return Math.floor(lstatSync(probe).ctimeMs);
    } finally {
      rmdirSync(probe);
    }
  });
}

async function lookAt(root: string, paths: readonly string[]): Promise<Map<string, Look>> {
  const files = new Map<string, Look>();
  for (let start = 0; start < paths.length; start += PARALLEL_STATS) {
    const batch = paths.slice(start, start + PARALLEL_STATS);
    const looks = await Promise.all(batch.map((path) => look(join(root, path))));
    for (const [index, path] of batch.entries()) {
      const seen = looks[index];
      if (seen !== undefined) files.set(path, seen);
    }
  }
  return files;
}

async function look(path: string): Promise<Look | undefined> {
  try {
    const stat = await lstat(path, { bigint: true });
    if (!stat.isFile()) return undefined;
    return {
      contents: `${stat.ino} ${stat.size} ${stat.mtimeNs}`,
      mode: Number(stat.mode) & 0o7777,
      bornAt: Number(stat.birthtimeMs),
      changedAt: Number(stat.ctimeMs),
    };
  } catch {
    return undefined; // gone since it was listed
  }
}

/** What differs between two snapshots, by path. */
export async function compareSnapshots(
  root: string,
  before: Snapshot,
  after: Snapshot,
): Promise<readonly ChangedFile[]> {
  // A command can have changed what is listed at all.
  const unlisted = [...before.files.keys()].filter((path) => !after.files.has(path));
  const now = new Map([...after.files, ...(await lookAt(root, unlisted))]);
  const moved = new Map<string, string>();
  for (const [path, { contents }] of now) {
    if (before.files.get(path)?.contents !== contents) moved.set(contents, path);
  }
  const changed: ChangedFile[] = [];
  for (const [from, { contents }] of before.files) {
    if (now.has(from)) continue;
    const path = moved.get(contents);
    changed.push(
      path === undefined ? { path: from, kind: "deleted" } : { path, kind: "renamed", from },
    );
  }
  const arrived = new Set(changed.map(({ path }) => path));
  for (const [path, seen] of now) {
    const known = before.files.get(path);
    if (known) changed.push(...compareLooks(path, known, seen));
    else if (!arrived.has(path)) changed.push(...listNew(path, seen, before.takenAt));
  }
  return changed.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function compareLooks(path: string, known: Look, seen: Look): readonly ChangedFile[] {
  if (known.contents !== seen.contents) return [{ path, kind: "modified" }];
  if (known.mode !== seen.mode) return [{ path, kind: "mode of", oldMode: known.mode }];
  return known.changedAt === seen.changedAt ? [] : [{ path, kind: "modified" }];
}

/** A file that is older than the command was there before, ignored by git or somewhere else. */
function listNew(
  path: string,
  { bornAt, changedAt }: Look,
  startedAt: number,
): readonly ChangedFile[] {
  if (changedAt < startedAt) return [];
  const isOld = bornAt > 0 && bornAt < startedAt;
  return [{ path, kind: isOld ? "modified" : "created" }];
}
