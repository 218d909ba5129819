import { closeSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { idsFrom, instantOf } from "../core/ids.ts";
import { MAX_TRACE_BYTES } from "./segments.ts";
import { parseTrace, type StoredTrace } from "./stored-trace.ts";
import { reasonOf, type TraceFile, type TraceFiles } from "./trace-files.ts";

/** The traces in the segments of one day. */
export interface Day extends Disposable {
  /**
   * Finds out where each is, without looking at what it holds. Of two of one id the later counts.
   *
   * @throws the signal's reason
   */
  scan(signal: AbortSignal): Promise<void>;
  /** What was found, in no order. */
  readonly ids: () => Iterable<string>;
  readonly has: (id: string) => boolean;
  /**
   * What the line of an id holds that was found.
   *
   * @throws Error when it is no JSON, as what was cut off, or the trace of another id
   */
  readWhole(id: string): TraceFile;
  /** Undefined: its line is no trace, which {@link takeFaults} tells. */
  read(id: string): StoredTrace | undefined;
  /** Segments with something that is no trace, each once, found since this was asked last. */
  takeFaults(): readonly Fault[];
}

/** A segment, and what is wrong with lines of it. */
export interface Fault {
  readonly file: string;
  readonly reason: string;
}

interface Place {
  readonly file: string;
  readonly line: Line;
}

/** What fits into memory, whatever a stranger put there; nobody asks as often on one day. */
const MOST_OF_A_DAY = 500_000;

const DAY_MS = 86_400_000;

/** Opens no file yet. */
export function openDay(files: TraceFiles, day: string, names: readonly string[]): Day {
  const start = Date.parse(day);
  const [from, to] = [idsFrom("trace", start), idsFrom("trace", start + DAY_MS)];
  const places = new Map<string, Place>();
  const faults = countFaults();
  const open = openOneByOne(files);
  const note = (file: string, line: Line): void => {
    const { id, offset } = line;
    if (id === undefined || id < from || id >= to) {
      faults.add(file, `what is at byte ${offset} begins with no id of that day`);
    } else if (places.size >= MOST_OF_A_DAY && !places.has(id)) {
      faults.add(file, `there are more than ${MOST_OF_A_DAY} traces of that day`);
    } else places.set(id, { file, line });
  };
  const readWhole = (id: string, { file, line }: Place): TraceFile => ({
    value: readLine(open.get(file), id, line),
    writtenAt: instantOf(id),
  });
  return {
    async scan(signal) {
      for (const file of names) {
        try {
          for await (const lines of scanLines(open.get(file), signal)) {
            for (const line of lines) note(file, line);
          }
        } catch (error) {
          signal.throwIfAborted();
          faults.add(file, reasonOf(error));
        }
      }
    },
    ids: () => places.keys(),
    has: (id) => places.has(id),
    readWhole(id) {
      const place = places.get(id);
      if (!place) throw new Error("it was not found");
      return readWhole(id, place);
    },
    read(id) {
      const place = places.get(id);
      if (!place) return undefined;
      try {
        return parseTrace(id, readWhole(id, place));
      } catch (error) {
        faults.add(place.file, `${id}: ${reasonOf(error)}`);
        return undefined;
      }
    },
    takeFaults: () => faults.take(),
    [Symbol.dispose]: () => open.close(),
  };
}

/** However many segments a day has, one is open at a time. */
function openOneByOne(files: TraceFiles): { get(file: string): number; close(): void } {
  let current: { readonly file: string; readonly fd: number } | undefined;
  const close = (): void => {
    if (current) closeSync(current.fd);
    current = undefined;
  };
  return {
    get(file) {
      if (current?.file === file) return current.fd;
      close();
      current = { file, fd: files.openSegment(file) };
      return current.fd;
    },
    close,
  };
}

/** However many lines of a segment are none, it is named once with the first of them. */
function countFaults(): { add(file: string, reason: string): void; take(): readonly Fault[] } {
  const found = new Map<string, { readonly first: string; count: number }>();
  return {
    add(file, reason) {
      found.getOrInsertComputed(file, () => ({ first: reason, count: 0 })).count += 1;
    },
    take() {
      const faults = Array.from(found, ([file, { first, count }]) => {
        const more = count === 1 ? "" : ` (and ${count - 1} more of its lines are no traces)`;
        return { file, reason: `${first}${more}` };
      });
      found.clear();
      return faults;
    },
  };
}

/** Where a line is in its segment, in bytes, without its end; no id: it does not begin with one. */
interface Line {
  readonly id: string | undefined;
  readonly offset: number;
  readonly length: number;
}

/** Long enough to be few reads, short enough for others to get their turn. */
const PIECE_BYTES = 1024 * 1024;

/**
 * The lines of a segment from its beginning, piece by piece, but for empty ones; what is in them is
 * not looked at. One that is too long for a trace comes as several without an id.
 */
async function* scanLines(
  fd: number,
  signal: AbortSignal,
): AsyncGenerator<readonly Line[], void, undefined> {
  let buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; ; ) {
    await setImmediate();
    signal.throwIfAborted();
    const bytes = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, at));
    const isEnd = bytes.length < buffer.length;
    const { lines, end } = splitLines(bytes, at, isEnd);
    const isTooLong = !isEnd && end === 0 && buffer.length >= MAX_TRACE_BYTES;
    yield isTooLong ? [{ id: undefined, offset: at, length: bytes.length }] : lines;
    if (isEnd) return;
    if (end === 0 && !isTooLong) buffer = Buffer.allocUnsafe(2 * buffer.length);
    at += isTooLong ? bytes.length : end;
  }
}

/** `end`: behind the last line that is whole; at the end of the file what is left counts as one. */
function splitLines(
  bytes: Buffer,
  offset: number,
  isEnd: boolean,
): { readonly lines: readonly Line[]; readonly end: number } {
  const lines: Line[] = [];
  for (let start = 0; ; ) {
    const found = bytes.indexOf(LINE_END, start);
    const end = found === -1 && isEnd ? bytes.length : found;
    if (end > start) {
      const [, id] = BEGINNING.exec(bytes.toString("latin1", start, start + BEGINNING_CHARS)) ?? [];
      lines.push({ id, offset: offset + start, length: end - start });
    }
    if (found === -1) return { lines, end: start };
    start = found + 1;
  }
}

const LINE_END = 10;

/** As toLine() writes it. */
const BEGINNING = /^\{"trace_id":"(trace_[0-9a-hjkmnp-tv-z]{16})"/;
const BEGINNING_CHARS = '{"trace_id":"trace_0123456789abcdef"'.length;

/**
 * What a line holds.
 *
 * @throws Error when it is no JSON, as what was cut off, or the trace of another id
 */
function readLine(fd: number, id: string, { offset, length }: Line): unknown {
  const bytes = Buffer.alloc(length);
  readSync(fd, bytes, 0, length, offset);
  const value: unknown = JSON.parse(bytes.toString());
  // Of two fields of one name the last counts.
  if (typeof value === "object" && value !== null && Reflect.get(value, "trace_id") === id) {
    return value;
  }
  throw new Error("it is of another id than it begins with");
}
