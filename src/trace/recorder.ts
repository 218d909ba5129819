import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from "node:fs";
import { errorMessage, systemErrorCode } from "../core/app-error.ts";
import { shorten } from "../core/cut-text.ts";
import type { Log } from "../core/log.ts";
import type { PinnedDir } from "../system/pinned-dir.ts";
import { inStateSubfolder, openStateSubfolder } from "../workspace/state-folder.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { dayOf, FULL_SEGMENT_BYTES, MOST_PARTS, OWN_ID, segmentName, toLine } from "./segments.ts";
import type { Trace } from "./trace.ts";

const PREVIEW_CHARS = 200;

/**
 * Adds a trace to the segment of the day on which it began, masked, in one write: of two processes
 * that do so at once none cuts into the line of the other. The disk is not waited for.
 * It never throws: a trace that cannot be written is one log line, TRACE_NOT_WRITTEN.
 */
export function writeTrace(
  workspace: Workspace,
  trace: Trace,
  options: {
    /** Which home's segments, in eight hexadecimal digits: nothing that others could know. */
    home: () => string;
    redact: (text: string) => string;
    log: Log;
    /** `trace.raw`: keep all of what the model wrote. */
    raw: boolean;
  },
): void {
  const { trace_id: id, ...fields } = trace;
  try {
    if (!OWN_ID.test(id)) throw new Error("its id is none of papa-yu's");
    const segments = { day: dayOf(id), home: options.home() };
    const line = toLine(id, toRecord(fields, options));
    if (!appendToExisting(workspace, segments, line)) {
      inStateSubfolder(workspace.root, "traces", (folder) =>
        append(folder, segments, line, FLAGS | constants.O_CREAT),
      );
    }
  } catch (error) {
    options.log("TRACE_NOT_WRITTEN", { trace_id: id, reason: errorMessage(error) });
  }
}

/** False: none is there yet. A folder with one was looked at when that was made. */
function appendToExisting(workspace: Workspace, segments: Segments, line: Buffer): boolean {
  let folder: PinnedDir | undefined;
  try {
    folder = openStateSubfolder(workspace.root, "traces");
    if (folder) append(folder, segments, line, FLAGS);
    return folder !== undefined;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw error;
  } finally {
    folder?.close();
  }
}

/** Segments of one day and home. */
interface Segments {
  readonly day: string;
  readonly home: string;
}

/** A link planted in their place would carry the trace out of the workspace, a pipe stop everything. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function append(folder: PinnedDir, { day, home }: Segments, line: Buffer, flags: number): void {
  for (let part = 1; part <= MOST_PARTS; part++) {
    const fd = openSync(folder.entry(segmentName(day, home, part)), flags, 0o600);
    try {
      const stat = fstatSync(fd);
      const isOwn = stat.isFile() && stat.nlink === 1; // a second name may be in another's folder
      if (!isOwn || stat.size + line.length > FULL_SEGMENT_BYTES) continue;
      if ((stat.mode & 0o777) !== 0o600) fchmodSync(fd, 0o600); // regardless of the umask
      // The rest of it in a second write could stand behind another's line.
      if (writeSync(fd, line) < line.length) throw new Error("no space was left for all of it");
      return;
    } finally {
      closeSync(fd);
    }
  }
  throw new Error(`there are ${MOST_PARTS} full segments of ${day}`);
}

/** Masked first and cut then: a secret cut in half would pass the mask. */
function toRecord(
  { raw_content: content, ...rest }: Omit<Trace, "trace_id">,
  options: { redact: (text: string) => string; raw: boolean },
): object {
  const masked = Object.assign({}, mask(rest, options.redact));
  if (content === undefined) return masked;
  const raw = options.redact(content);
  if (options.raw) return { ...masked, raw_content: raw };
  return { ...masked, raw_preview: shorten(raw, PREVIEW_CHARS) };
}

function mask(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => mask(item, redact));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [redact(key), mask(item, redact)]));
}
