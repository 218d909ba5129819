import { Buffer } from "node:buffer"; // not global in browsers
/** A text cut into lines, able to give back every byte that no change touches. */
export interface SourceText {
  readonly source: string;
  /** Lines without their ends and without the byte order mark. */
  readonly lines: readonly string[];
  /** Where each line begins in `source`, and at the end where the text ends. */
  readonly starts: Uint32Array;
}

/**
 * Cuts at LF and CRLF only: form feeds, U+2028 and a lone CR are part of their line.
 * A text that ends in a line end has no empty last line.
 */
export function splitSource(source: string): SourceText {
  return cut(source, source.startsWith("\uFEFF") ? 1 : 0);
}

/**
 * The cut of a source that differs from `text` in the lines from `from` up to `to` only, for a
 * small part of the time that a new cut takes.
 */
export function recutSource(
  text: SourceText,
  source: string,
  from: number,
  to: number,
): SourceText {
  if (from === 0) return splitSource(source);
  const start = lineStart(text, from);
  const longer = source.length - text.source.length;
  const { lines, starts } = cut(copy(source.slice(start, lineStart(text, to) + longer)), 0);
  const merged = new Uint32Array(text.starts.length - (to - from) + lines.length);
  merged.set(text.starts.subarray(0, from));
  for (let i = 0; i < lines.length; i++) merged[from + i] = (starts[i] ?? 0) + start;
  for (let i = to, k = from + lines.length; k < merged.length; i++, k++) {
    merged[k] = (text.starts[i] ?? 0) + longer;
  }
  const all = text.lines.slice(0, from);
  for (const line of lines) all.push(line);
  for (let i = to; i < text.lines.length; i++) all.push(text.lines[i] ?? "");
  return { source, lines: all, starts: merged };
}

/** A slice would keep the whole of its source in memory, for each of many changes. */
function copy(slice: string): string {
  return Buffer.from(slice, "utf16le").toString("utf16le");
}

function cut(source: string, from: number): SourceText {
  const lines = source.slice(from).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const starts = new Uint32Array(lines.length + 1);
  // An index loop: an iterator costs more than all the rest on a large file.
  for (let i = 0, at = from; i < lines.length; i++) {
    starts[i] = at;
    at += (lines[i]?.length ?? 0) + 1;
  }
  starts[lines.length] = source.length;
  if (source.includes("\r")) dropCarriageReturns(lines, source.endsWith("\n"));
  return { source, lines, starts };
}

/** Takes the CR of every CRLF off its line; a last line without end has none. */
function dropCarriageReturns(lines: string[], terminated: boolean): void {
  const count = terminated ? lines.length : lines.length - 1;
  for (let i = 0; i < count; i++) {
    const line = lines[i];
    if (line?.endsWith("\r")) lines[i] = line.slice(0, -1);
  }
}

/** Offset in the source at which line `index` begins; the end of the text past the last line. */
export function lineStart(text: SourceText, index: number): number {
  return text.starts[index] ?? text.source.length;
}

/** The line end of line `index`: LF, CRLF, or "" where there is none. */
export function lineEnd(text: SourceText, index: number): string {
  const line = text.lines[index];
  if (line === undefined) return "";
  return text.source.slice(lineStart(text, index) + line.length, lineStart(text, index + 1));
}
