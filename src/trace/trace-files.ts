import { closeSync, fstatSync, readdirSync, readFileSync } from "node:fs";
import { AppError, errorMessage, systemErrorCode } from "../core/app-error.ts";
import type { PinnedDir } from "../system/pinned-dir.ts";
import { openPlainFile } from "../system/plain-file.ts";
import { openStateFolder } from "../workspace/state-folder.ts";
import { STATE_DIR, type Workspace } from "../workspace/workspace.ts";

/** No trace of an answer within the protocol's bounds is longer. */
export const MAX_TRACE_BYTES = 16 * 1024 * 1024;

/** Whether a text may name a trace; no path can be spelt with it. */
export function isTraceId(text: string): boolean {
  return /^[\w-]{1,128}$/.test(text);
}

/** The folder of a workspace's traces, held open: no link leads a reader out of it. */
export interface TraceFiles extends Disposable {
  /** Names of all files without their ending, in no order. */
  listIds(): readonly string[];
  /** @throws Error when its name is no id, and when it is no regular file, too large, or no JSON */
  read(traceId: string): TraceFile;
}

/** What is in a file among the traces, of any kind. */
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
    listIds() {
      const names = readdirSync(dir.entry("."));
      return names.filter((name) => TRACE_FILE.test(name)).map((name) => name.slice(0, -5));
    },
    read(traceId) {
      if (!isTraceId(traceId)) throw new Error("its name is no id");
      return readRecord(dir.entry(`${traceId}.json`));
    },
    [Symbol.dispose]: () => dir.close(),
  };
}

/** Not what is only just being written: `trace_1.json.0a1b2c.tmp`. */
const TRACE_FILE = /^[^.].*\.json$/s;

/** An id of this program: its time, then 7 characters of chance. */
export const OWN_ID = /^trace_[0-9a-hjkmnp-tv-z]{16}$/;

/**
 * The folder itself, held open; undefined: there is none yet.
 *
 * @throws AppError ERR_IO when something else than a folder is in its place
 */
export function openTraceFolder({ root }: Workspace): PinnedDir | undefined {
  try {
    const outer = openStateFolder(root);
    return outer && stepInto(outer, "traces");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    const message = `Cannot read the traces of "${root}": ${errorMessage(error)}; ${STATE_DIR} and traces in it must be folders`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}

function stepInto(outer: PinnedDir, name: string): PinnedDir {
  try {
    return outer.open(name);
  } finally {
    outer.close();
  }
}

function readRecord(path: string): TraceFile {
  const fd = openPlainFile(path);
  try {
    const stat = fstatSync(fd);
    if (stat.size > MAX_TRACE_BYTES) throw new Error(`it is over ${MAX_TRACE_BYTES} bytes`);
    return { value: JSON.parse(readFileSync(fd, "utf8")), writtenAt: stat.mtimeMs };
  } finally {
    closeSync(fd);
  }
}
