import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { listFiles } from "../workspace/files.ts";

/** More are not compared: a command must not wait for a disk. */
const MAX_FILES = 20_000;
const PARALLEL_STATS = 64;

/** What the files of a folder look like from outside, by path. */
export interface Snapshot {
  readonly files: ReadonlyMap<string, string>;
  readonly truncated: boolean;
}

/** A file that is not as it was. */
export interface ChangedFile {
  readonly path: string;
  readonly kind: "created" | "modified" | "deleted";
}

/** Sizes, times and modes of the files that `listFiles` finds; no contents. */
export async function takeSnapshot(root: string): Promise<Snapshot> {
  const { paths, truncated } = await listFiles(root, { limit: MAX_FILES });
  const files = new Map<string, string>();
  for (let start = 0; start < paths.length; start += PARALLEL_STATS) {
    const batch = paths.slice(start, start + PARALLEL_STATS);
    const looks = await Promise.all(batch.map((path) => look(join(root, path))));
    for (const [index, path] of batch.entries()) {
      const seen = looks[index];
      if (seen !== undefined) files.set(path, seen);
    }
  }
  return { files, truncated };
}

async function look(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mode, mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
    return `${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return undefined; // gone since it was listed
  }
}

/** What differs between two snapshots, by path. */
export function compareSnapshots(before: Snapshot, after: Snapshot): readonly ChangedFile[] {
  const changed: ChangedFile[] = [];
  for (const [path, seen] of after.files) {
    const known = before.files.get(path);
    if (known === undefined) changed.push({ path, kind: "created" });
    else if (known !== seen) changed.push({ path, kind: "modified" });
  }
  for (const path of before.files.keys()) {
    if (!after.files.has(path)) changed.push({ path, kind: "deleted" });
  }
  return changed.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
