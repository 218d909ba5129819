import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { listFiles } from "./files.ts";

/** Files looked at side by side. */
const PARALLEL_STATS = 64;

/**
 * A hash that changes when a file of the workspace is added, removed or written:
 * or one of those that fit `glob`: paths, sizes and times, no contents, so that it is cheap enough for every due routine.
 * `isExact` tells also a file whose time of writing was set back, or that took another's place.
 */
export async function readFingerprint(
  root: string,
  signal: AbortSignal,
  glob?: string,
  isExact = false,
): Promise<string> {
  const { paths: all } = await listFiles(root, { signal });
  const pattern = glob === undefined ? undefined : new Bun.Glob(glob);
  const paths = pattern === undefined ? all : all.filter((path) => pattern.match(path));
  const hash = createHash("sha256");
  for (let start = 0; start < paths.length; start += PARALLEL_STATS) {
    signal.throwIfAborted();
    const batch = paths.slice(start, start + PARALLEL_STATS);
    const lines = await Promise.all(batch.map((path) => describe(root, path, isExact)));
    hash.update(lines.join(""));
  }
  return hash.digest("hex");
}

async function describe(root: string, path: string, isExact: boolean): Promise<string> {
  try {
    const { size, mtimeMs, ctimeMs, ino, mode } = await stat(`${root}/${path}`);
    const more = isExact ? `\0${ctimeMs}\0${ino}` : "";
    return `${path}\0${size}\0${mtimeMs}\0${mode}${more}\n`;
  } catch {
    return `${path}\0gone\n`; // removed while we looked: a change like any other
  }
}
