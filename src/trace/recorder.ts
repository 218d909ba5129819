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
    /** What was written to in this tick; without it every trace opens its segment. */
    held?: HeldSegment;
  },
): void {
  const { trace_id: id, ...fields } = trace;
  try {
    if (!OWN_ID.test(id)) throw new Error("its id is none of papa-yu's");
    const segments = { day: dayOf(id), home: options.home() };
    const line = toLine(id, toRecord(fields, options));
    const name = [workspace.root, segments.day, segments.home].join("\n");
    if (options.held?.append(name, line)) return;
    const keep: Keep = (fd, sizeBytes) => options.held?.hold(name, fd, sizeBytes) ?? false;
    if (!appendToExisting(workspace, segments, line, keep)) {
      inStateSubfolder(workspace.root, "traces", (folder) =>
        append(folder, segments, line, FLAGS | constants.O_CREAT, keep),
      );
    }
  } catch (error) {
    options.log("TRACE_NOT_WRITTEN", { trace_id: id, reason: errorMessage(error) });
  }
}

/** Whether the file is somebody else's to close from now on. */
type Keep = (fd: number, sizeBytes: number) => boolean;

/** The segment that was written to last, open until the event loop turns: a crowd's traces come together. */
export interface HeldSegment {
  /** False: it is another's turn to be written to. */
  append(name: string, line: Buffer): boolean;
  hold(name: string, fd: number, sizeBytes: number): true;
}

/** Holds none. */
export function createHeldSegment(): HeldSegment {
  let held: { readonly name: string; readonly fd: number; sizeBytes: number } | undefined;
  function close(): void {
    if (held) closeSync(held.fd);
    held = undefined;
  }
  return {
    append(name, line) {
      if (held?.name !== name || held.sizeBytes + line.length > FULL_SEGMENT_BYTES) return false;
      writeWhole(held.fd, line);
      held.sizeBytes += line.length;
      return true;
    },
    hold(name, fd, sizeBytes) {
      if (held) close();
      else setImmediate(close);
      held = { name, fd, sizeBytes };
      return true;
    },
  };
}

/** False: none is there yet. A folder with one was looked at when that was made. */
function appendToExisting(
  workspace: Workspace,
  segments: Segments,
  line: Buffer,
  keep: Keep,
): boolean {
  let folder: PinnedDir | undefined;
  try {
    folder = openStateSubfolder(workspace.root, "traces");
    if (folder) append(folder, segments, line, FLAGS, keep);
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

function append(
  folder: PinnedDir,
  { day, home }: Segments,
  line: Buffer,
  flags: number,
  keep: Keep,
): void {
  for (let part = 1; part <= MOST_PARTS; part++) {
    const fd = openSync(folder.entry(segmentName(day, home, part)), flags, 0o600);
    let isKept = false;
    try {
      const stat = fstatSync(fd);
      const isOwn = stat.isFile() && stat.nlink === 1; // a second name may be in another's folder
      if (!isOwn || stat.size + line.length > FULL_SEGMENT_BYTES) continue;
      if ((stat.mode & 0o777) !== 0o600) fchmodSync(fd, 0o600); // regardless of the umask
      writeWhole(fd, line);
      isKept = keep(fd, stat.size + line.length);
      return;
    } finally {
      if (!isKept) closeSync(fd);
    }
  }
  throw new Error(`there are ${MOST_PARTS} full segments of ${day}`);
}

/** The rest of it in a second write could stand behind another's line. */
function writeWhole(fd: number, line: Buffer): void {
  if (writeSync(fd, line) < line.length) throw new Error("no space was left for all of it");
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
