import { setImmediate } from "node:timers/promises";
import { errorMessage } from "../core/app-error.ts";
import { idsFrom } from "../core/ids.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { parseTrace, type StoredTrace } from "./stored-trace.ts";
import { OWN_ID, openTraces, type TraceFiles } from "./trace-files.ts";

/** One file among the traces: a trace, or why it cannot be read as one. */
export type Reading = { readonly kind: "trace"; readonly trace: StoredTrace } | Unreadable;

/** A file that is no trace. */
export interface Unreadable {
  readonly kind: "unreadable";
  readonly file: string;
  readonly reason: string;
}

/** Files read before the rest of the program, and a signal, get their turn. */
const READS_A_TURN = 64;

/**
 * Reads the traces of a workspace, newest first, one at a time: a reader who stops early has not
 * paid for the rest, and of their number only the ids stay in memory.
 *
 * The age of a trace is in its id; only files of foreign names are opened to learn theirs. A file
 * that is no trace does not end the reading.
 *
 * @throws AppError ERR_IO when the folder cannot be read, and the signal's reason
 */
export async function* readTraces(
  workspace: Workspace,
  options: { readonly now: number; readonly signal: AbortSignal },
): AsyncGenerator<Reading, void, undefined> {
  using files = openTraces(workspace);
  if (!files) return;
  yield* readAll(files, await newestFirst(files, options), options.signal);
}

async function newestFirst(
  files: TraceFiles,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const [oldest, newest] = [timePart(PROGRAM_BORN_AT), timePart(now + DAY_MS)];
  const dated: Dated[] = [];
  const foreign: string[] = [];
  for (const id of files.listIds()) {
    if (OWN_ID.test(id) && id > oldest && id < newest) dated.push({ id, age: id });
    else foreign.push(id);
  }
  for await (const reading of readAll(files, foreign, signal)) dated.push(toDated(reading));
  return dated.toSorted(byAge).map(({ id }) => id);
}

const PROGRAM_BORN_AT = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** A trace's id, and the text by which it is sorted. */
interface Dated {
  readonly id: string;
  readonly age: string;
}

function timePart(instant: number): string {
  return idsFrom("trace", instant);
}

/** What cannot be read comes first, so that it is named however few are asked for. */
function toDated(reading: Reading): Dated {
  if (reading.kind === "unreadable") return { id: reading.file.slice(0, -5), age: "~" };
  const { trace_id: id, started_at } = reading.trace;
  return { id, age: timePart(Date.parse(started_at)) };
}

/** The newest first; of the same age in one and the same order every time. */
function byAge(a: Dated, b: Dated): number {
  if (a.age !== b.age) return a.age < b.age ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

async function* readAll(
  files: TraceFiles,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Reading, void, undefined> {
  for (const [index, id] of ids.entries()) {
    if (index % READS_A_TURN === 0) await setImmediate();
    signal.throwIfAborted();
    yield readOne(files, id);
  }
}

function readOne(files: TraceFiles, id: string): Reading {
  try {
    return { kind: "trace", trace: parseTrace(id, files.read(id)) };
  } catch (error) {
    return { kind: "unreadable", file: `${id}.json`, reason: errorMessage(error) };
  }
}
