import { lstatSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { idsFrom } from "../core/ids.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { MAX_TRACE_BYTES, OWN_ID, openTraceFolder } from "./trace-files.ts";

/** What one step over the traces of a folder came to. */
export interface TraceStep {
  readonly removed: number;
  /** Of the traces that stay: when each was written, and how large it is. */
  readonly kept: readonly { readonly at: number; readonly bytes: number }[];
}

/** Files of one step. */
const MOST_FILES = 500;

/**
 * Removes the traces of a workspace that were written before an instant, in small steps; the age is
 * in their ids. A file of another name and a folder are somebody's own: they stay and do not count,
 * for nothing else may go to make room for them.
 *
 * @throws AppError ERR_IO when the folder is none, and what the disk says when it refuses
 */
export async function* forgetTraces(
  workspace: Workspace,
  before: number | undefined,
): AsyncGenerator<TraceStep, void, undefined> {
  const dir = openTraceFolder(workspace);
  if (!dir) return;
  try {
    const names = (await readdir(dir.entry("."))).filter(isOwnName);
    const limit = before === undefined ? "" : idsFrom("trace", before);
    for (let start = 0; start < names.length; start += MOST_FILES) {
      const step = { removed: 0, kept: [] as { at: number; bytes: number }[] };
      for (const name of names.slice(start, start + MOST_FILES)) {
        const path = dir.entry(name);
        const stat = lstatSync(path, { throwIfNoEntry: false });
        if (!stat || stat.isDirectory()) continue;
        if (name < limit) {
          rmSync(path, { force: true }); // another home's pass may have been here just now
          step.removed += 1;
        } else step.kept.push({ at: stat.mtimeMs, bytes: Math.min(stat.size, MAX_TRACE_BYTES) });
      }
      yield step;
    }
  } finally {
    dir.close();
  }
}

function isOwnName(name: string): boolean {
  return name.endsWith(".json") && OWN_ID.test(name.slice(0, -".json".length));
}
