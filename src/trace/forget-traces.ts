import { lstat, readdir, rm } from "node:fs/promises";
import { systemErrorCode } from "../core/app-error.ts";
import { idsFrom } from "../core/ids.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { dayOf, dayOfSegment, MAX_SEGMENT_BYTES, MAX_TRACE_BYTES, OWN_ID } from "./segments.ts";
import { openTraceFolder } from "./trace-files.ts";

/** What one step over the traces of a folder came to. */
export interface TraceStep {
  readonly removed: number;
  /** Of the traces that stay: when each was written, and how large it is. */
  readonly kept: readonly { readonly at: number; readonly bytes: number }[];
}

/** Files of one step. */
const MOST_FILES = 500;

/**
 * Removes the traces of a workspace that were written before an instant, in small steps: segments of
 * whole days, and files of one trace, whose age is in their ids. A file of another name and a folder
 * are somebody's own: they stay and do not count. Others have their turn while the disk is slow.
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
    const names = await readdir(dir.entry("."));
    const limits = toLimits(before);
    for (let start = 0; start < names.length; start += MOST_FILES) {
      const step = { removed: 0, kept: [] as { at: number; bytes: number }[] };
      for (const name of names.slice(start, start + MOST_FILES)) {
        const known = recognise(name, limits);
        const path = dir.entry(name);
        const stat = known && (await lstat(path).catch(undefinedIfGone));
        if (!stat || stat.isDirectory()) continue;
        if (known.isOver) {
          await rm(path, { force: true }); // another home's pass may have been here just now
          step.removed += 1;
        } else {
          const at = known.at ?? stat.mtimeMs;
          step.kept.push({ at, bytes: Math.min(stat.size, known.mostBytes) });
        }
      }
      yield step;
    }
  } finally {
    dir.close();
  }
}

function undefinedIfGone(error: unknown): undefined {
  if (systemErrorCode(error) !== "ENOENT") throw error;
}

/** What is below is over: a day, and a name. */
interface Limits {
  readonly day: string;
  readonly name: string;
}

function toLimits(before: number | undefined): Limits {
  if (before === undefined) return { day: "", name: "" };
  const name = idsFrom("trace", Math.max(0, before));
  return { day: dayOf(name), name };
}

/** A segment, or a file of one trace; undefined: somebody's own. */
function recognise(
  name: string,
  limits: Limits,
): { readonly isOver: boolean; readonly at?: number; readonly mostBytes: number } | undefined {
  const day = dayOfSegment(name);
  if (day !== undefined) {
    return { isOver: day < limits.day, at: Date.parse(day), mostBytes: MAX_SEGMENT_BYTES };
  }
  const isOwn = name.endsWith(".json") && OWN_ID.test(name.slice(0, -".json".length));
  return isOwn ? { isOver: name < limits.name, mostBytes: MAX_TRACE_BYTES } : undefined;
}
