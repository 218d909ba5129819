import { lstatSync, mkdtempSync, rmdirSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { listFiles } from "../../workspace/files.ts";
import { inStateSubfolder } from "../../workspace/state-folder.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** More are not compared: a command must not wait for a disk. */
const MAX_FILES = 20_000;
const PARALLEL_STATS = 64;
/** Of a millisecond or more each; ticks are 1 to 10 ms. */
const MOST_WAITS = 20;

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
}

/** A file that is not as it was. */
export type ChangedFile =
  | { readonly kind: "created" | "modified" | "deleted"; readonly path: string }
  | { readonly kind: "renamed"; readonly path: string; readonly from: string }
  | { readonly kind: "mode of"; readonly path: string; readonly oldMode: number };

/** Sizes, times and modes of the files that `listFiles` finds; no contents. */
export async function takeSnapshot(workspace: Workspace): Promise<Snapshot> {
  const { root } = workspace;
  const { items, leftOut } = await listFiles(root, { limit: MAX_FILES, isShort: true });
  return { files: await lookAt(root, items), isWhole: leftOut.length === 0 };
}

/**
 * The time of the last tick of the disk's clock that is over, in milliseconds: what was written
 * before has that time at most, what is written from now on has a later one. A clock of whole
 * seconds is not waited for: then the two cannot be told apart within one.
 */
export async function passDiskTick(workspace: Workspace): Promise<number> {
  const begunAt = diskTime(workspace);
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    if (diskTime(workspace) > begunAt) break;
    await setTimeout(1);
  }
  return begunAt;
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

/** What differs between two snapshots, by path; between them the disk's clock passed `startedAt`. */
export async function compareSnapshots(
  root: string,
  before: Snapshot,
  after: Snapshot,
  startedAt: number,
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
    else if (!arrived.has(path)) changed.push(...listNew(path, seen, startedAt));
  }
  return changed.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function compareLooks(path: string, known: Look, seen: Look): readonly ChangedFile[] {
  if (known.contents !== seen.contents) return [{ path, kind: "modified" }];
  if (known.mode !== seen.mode) return [{ path, kind: "mode of", oldMode: known.mode }];
  return known.changedAt === seen.changedAt ? [] : [{ path, kind: "modified" }];
}

/**
 * A file that is older than the command was there before, ignored by git or somewhere else. One of
 * the same tick counts as older: who is told to delete a new file must not lose an old one.
 */
function listNew(
  path: string,
  { bornAt, changedAt }: Look,
  startedAt: number,
): readonly ChangedFile[] {
  if (changedAt <= startedAt) return [];
  const isOld = bornAt > 0 && bornAt <= startedAt;
  return [{ path, kind: isOld ? "modified" : "created" }];
}
