import { setImmediate } from "node:timers/promises";
import { idsFrom } from "../core/ids.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Fault, openDay } from "./read-day.ts";
import { OWN_ID } from "./segments.ts";
import { parseTrace, type StoredTrace } from "./stored-trace.ts";
import { openTraces, reasonOf, type TraceFiles } from "./trace-files.ts";

/** What is found among the traces: one of them, or why a file, or lines of it, are none. */
export type Reading = { readonly kind: "trace"; readonly trace: StoredTrace } | Unreadable;

/** A file that is no trace, or a segment in which something is none. */
export interface Unreadable extends Fault {
  readonly kind: "unreadable";
}

/** A place in the order of {@link readTraces}: what comes behind it is older. */
export interface TracePlace {
  /** What traces are sorted by: their time as ids write it. */
  readonly age: string;
  readonly id: string;
}

/** What is read, and when. */
export interface ReadOptions {
  readonly now: number;
  readonly signal: AbortSignal;
  /** Only what is older than this. */
  readonly before?: TracePlace | undefined;
}

/** A reading, with its place; what is no trace has none. */
interface Placed {
  readonly reading: Reading;
  readonly place?: TracePlace;
}

/** A reading out of several workspaces. */
export interface MergedReading extends Placed {
  readonly workspace: Workspace;
}

/** Traces read before the rest of the program, and a signal, get their turn. */
const READS_A_TURN = 64;

/**
 * Reads the traces of a workspace, newest first, one at a time: a reader who stops early has not
 * paid for the rest. Of their number only the ids of one day stay in memory, and those of traces
 * that are files of their own.
 *
 * The day of a trace is in the name of its segment, its age in its id; only files of foreign names
 * are opened to learn theirs. What is no trace does not end the reading.
 *
 * @throws AppError ERR_IO when the folder cannot be read, and the signal's reason
 */
export async function* readTraces(
  workspace: Workspace,
  options: ReadOptions,
): AsyncGenerator<Reading, void, undefined> {
  for await (const { reading } of readPlaced(workspace, options)) yield reading;
}

/**
 * The same over several workspaces, the newest of all first. Each has one segment open and the ids
 * of one day in memory.
 *
 * @throws AppError ERR_IO when a folder cannot be read, and the signal's reason
 */
export async function* readMerged(
  workspaces: readonly Workspace[],
  options: ReadOptions,
): AsyncGenerator<MergedReading, void, undefined> {
  const sources = workspaces.map((workspace) => ({
    workspace,
    readings: readPlaced(workspace, options),
  }));
  const heads: (MergedReading & { readonly next: () => Promise<Placed | undefined> })[] = [];
  const advance = async (workspace: Workspace, next: () => Promise<Placed | undefined>) => {
    const placed = await next();
    if (placed) heads.push({ ...placed, workspace, next });
  };
  try {
    for (const { workspace, readings } of sources) {
      await advance(workspace, async () => {
        const { value } = await readings.next();
        return value ?? undefined;
      });
    }
    while (heads.length > 0) {
      const newest = heads.reduce((a, b) => (isBefore(b, a) ? b : a));
      heads.splice(heads.indexOf(newest), 1);
      const { next, ...reading } = newest;
      yield reading;
      await advance(newest.workspace, next);
    }
  } finally {
    for (const { readings } of sources) await readings.return();
  }
}

/** What has no place is told at once. */
function isBefore({ place: a }: Placed, { place: b }: Placed): boolean {
  return b !== undefined && (a === undefined || byAge(a, b) < 0);
}

async function* readPlaced(
  workspace: Workspace,
  options: ReadOptions,
): AsyncGenerator<Placed, void, undefined> {
  using files = openTraces(workspace);
  if (!files) return;
  const { signal, before } = options;
  const isOlder = (dated: TracePlace) => before === undefined || byAge(before, dated) < 0;
  const { ids, segments } = files.list();
  const alone = (await newestFirst(files, ids, options)).filter(isOlder);
  const fromFile = (id: string): Reading => readOne(files, id);
  let done = 0;
  for (const [name, parts] of [...segments].toSorted(([a], [b]) => (a < b ? 1 : -1))) {
    const begin = timePart(Date.parse(name));
    if (before !== undefined && begin > before.age) continue;
    using day = openDay(files, name, parts);
    await day.scan(signal);
    // Named with the page on which the day begins.
    const faults = day.takeFaults();
    if (before === undefined || dayEnd(name) < before.age) yield* toPlaced(faults);
    const first = done;
    while ((alone[done]?.age ?? "") >= begin) done += 1;
    const others = alone.slice(first, done).filter(({ id }) => !day.has(id));
    const own = Array.from(day.ids(), (id) => ({ id, age: id })).filter(isOlder);
    const all = [...others, ...own].toSorted(byAge);
    const read = (id: string): Reading | undefined => {
      if (!day.has(id)) return fromFile(id);
      const trace = day.read(id);
      return trace && { kind: "trace", trace };
    };
    yield* readAll(all, read, signal);
    yield* toPlaced(day.takeFaults());
  }
  yield* readAll(alone.slice(done), fromFile, signal);
}

/** What no id of a day reaches. */
function dayEnd(day: string): string {
  return timePart(Date.parse(day) + DAY_MS);
}

/**
 * How many traces a workspace has, by their ids: what is in them is not looked at, so that a line
 * that {@link readTraces} would name as none counts, too.
 *
 * @throws AppError ERR_IO when the folder cannot be read, and the signal's reason
 */
export async function countTraces(workspace: Workspace, signal: AbortSignal): Promise<number> {
  using files = openTraces(workspace);
  if (!files) return 0;
  const { ids, segments } = files.list();
  const alone = new Set(ids);
  let count = alone.size;
  for (const [name, parts] of segments) {
    using day = openDay(files, name, parts);
    await day.scan(signal);
    for (const id of day.ids()) if (!alone.has(id)) count += 1;
  }
  return count;
}

function toPlaced(faults: readonly Fault[]): readonly Placed[] {
  return faults.map((fault) => ({ reading: { kind: "unreadable", ...fault } }));
}

/** Traces that are files of their own. */
async function newestFirst(
  files: TraceFiles,
  ids: readonly string[],
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<readonly TracePlace[]> {
  const [oldest, newest] = [timePart(PROGRAM_BORN_AT), timePart(now + DAY_MS)];
  const dated: TracePlace[] = [];
  const foreign: TracePlace[] = [];
  for (const id of ids) {
    const isDated = OWN_ID.test(id) && id > oldest && id < newest;
    (isDated ? dated : foreign).push({ id, age: id });
  }
  const read = (id: string): Reading => readOne(files, id);
  for await (const { reading } of readAll(foreign, read, signal)) dated.push(toDated(reading));
  return dated.toSorted(byAge);
}

const PROGRAM_BORN_AT = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

function timePart(instant: number): string {
  return idsFrom("trace", instant);
}

/** What cannot be read comes first, so that it is named however few are asked for. */
function toDated(reading: Reading): TracePlace {
  if (reading.kind === "unreadable") return { id: reading.file.slice(0, -5), age: "~" };
  const { trace_id: id, started_at } = reading.trace;
  return { id, age: timePart(Date.parse(started_at)) };
}

/** The newest first; of the same age in one and the same order every time. */
function byAge(a: TracePlace, b: TracePlace): number {
  if (a.age !== b.age) return a.age < b.age ? 1 : -1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? 1 : -1;
}

async function* readAll(
  dated: readonly TracePlace[],
  read: (id: string) => Reading | undefined,
  signal: AbortSignal,
): AsyncGenerator<Placed, void, undefined> {
  for (const [index, place] of dated.entries()) {
    if (index % READS_A_TURN === 0) await setImmediate();
    signal.throwIfAborted();
    const reading = read(place.id);
    // What turned out to be none is told once, before all others.
    if (reading) yield reading.kind === "trace" ? { reading, place } : { reading };
  }
}

function readOne(files: TraceFiles, id: string): Reading {
  try {
    return { kind: "trace", trace: parseTrace(id, files.read(id)) };
  } catch (error) {
    return { kind: "unreadable", file: `${id}.json`, reason: reasonOf(error) };
  }
}
