import { closeSync, fstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { AppError, errorMessage, systemErrorCode } from "../core/app-error.ts";
import type { PinnedDir } from "../system/pinned-dir.ts";
import { openPlainFile } from "../system/plain-file.ts";
import { openStateSubfolder } from "../workspace/state-folder.ts";
import { STATE_DIR, type Workspace } from "../workspace/workspace.ts";
import { dayOfSegment, MAX_SEGMENT_BYTES, MAX_TRACE_BYTES } from "./segments.ts";

/** Whether a text may name a trace; no path can be spelt with it. */
export function isTraceId(text: string): boolean {
  return /^[\w-]{1,128}$/.test(text);
}

/** The folder of a workspace's traces, held open: no link leads a reader out of it. */
export interface TraceFiles extends Disposable {
  /** What is in it, in no order. */
  list(): TraceNames;
  /**
   * A trace that is a file of its own, as those before there were segments.
   *
   * @throws Error when its name is no id, and when it is no regular file, too large, or no JSON
   */
  read(traceId: string): TraceFile;
  /**
   * A descriptor for the caller to close.
   *
   * @throws Error when it is no regular file, or larger than segments become
   */
  openSegment(name: string): number;
}

/** What is in a folder of traces. */
export interface TraceNames {
  /** Names of files with one trace, without their ending. */
  readonly ids: readonly string[];
  /** Names of segments by their day. */
  readonly segments: ReadonlyMap<string, readonly string[]>;
}

/** What stands for a trace, of any kind. */
export interface TraceFile {
  readonly value: unknown;
  /** Milliseconds since 1970, UTC. */
  readonly writtenAt: number;
}

/**
 * Opens the traces of a workspace; undefined: there are none yet.
 *
 * @throws AppError ERR_IO when something else than a folder is in their place
 */
export function openTraces(workspace: Workspace): TraceFiles | undefined {
  const dir = openTraceFolder(workspace);
  if (!dir) return undefined;
  return {
    list: () => sortNames(readdirSync(dir.entry("."))),
    read(traceId) {
      if (!isTraceId(traceId)) throw new Error("its name is no id");
      return readRecord(dir.entry(`${traceId}.json`));
    },
    openSegment: (name) => openBounded(dir.entry(name), MAX_SEGMENT_BYTES).fd,
    [Symbol.dispose]: () => dir.close(),
  };
}

/** Not what is only just being written: `trace_1.json.0a1b2c.tmp`. */
const TRACE_FILE = /^[^.].*\.json$/s;

function sortNames(names: readonly string[]): TraceNames {
  const [ids, segments] = [[] as string[], new Map<string, string[]>()];
  for (const name of names) {
    const day = dayOfSegment(name);
    if (day !== undefined) segments.getOrInsertComputed(day, () => []).push(name);
    else if (TRACE_FILE.test(name)) ids.push(name.slice(0, -5));
  }
  return { ids, segments };
}

/**
 * The folder itself, held open; undefined: there is none yet.
 *
 * @throws AppError ERR_IO when something else than a folder is in its place
 */
export function openTraceFolder({ root }: Workspace): PinnedDir | undefined {
  try {
    return openStateSubfolder(root, "traces");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    const message = `Cannot read the traces of "${root}": ${errorMessage(error)}; ${STATE_DIR} and traces in it must be folders`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}

/** Why something in it could not be read: by its name, not by the descriptor that it was reached by. */
export function reasonOf(error: unknown): string {
  return errorMessage(error).replaceAll(/\/proc\/self\/fd\/\d+\//gu, "");
}

function readRecord(path: string): TraceFile {
  const { fd, stat } = openBounded(path, MAX_TRACE_BYTES);
  try {
    return { value: JSON.parse(readFileSync(fd, "utf8")), writtenAt: stat.mtimeMs };
  } finally {
    closeSync(fd);
  }
}

function openBounded(
  path: string,
  mostBytes: number,
): { readonly fd: number; readonly stat: Stats } {
  const fd = openPlainFile(path);
  const stat = fstatSync(fd);
  if (stat.size <= mostBytes) return { fd, stat };
  closeSync(fd);
  throw new Error(`it is over ${mostBytes} bytes`);
}
