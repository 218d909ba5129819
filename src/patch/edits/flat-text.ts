import {
  findText,
  lineEnd,
  lineStart,
  recutSource,
  type SourceText,
  splitSource,
} from "../lines/lines.ts";
import { MOST_PLACES } from "../places/places.ts";

/** What words, numbers and names are made of, as a class of regular expressions. */
export const WORD = "[\\p{L}\\p{N}_$]";
const ENDS_IN_WORD = new RegExp(`${WORD}$`, "u");
const BEGINS_WITH_WORD = new RegExp(`^${WORD}`, "u");

/** A text as models see it: one string with LF only, and the way back to the file's own bytes. */
export interface FlatText {
  readonly origin: SourceText;
  readonly flat: string;
  /** Where each line begins in `flat`, and at the end where the text ends. */
  readonly starts: Uint32Array;
}

/** A stretch of the flat view. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Makes the flat view of a source. */
export function flattenSource(source: string): FlatText {
  const origin = splitSource(source);
  return isFlat(origin) ? flatAsIs(origin) : withStarts(origin, flatten(origin, 0));
}

/** The flat view of a source that differs in the lines from `from` up to `to` only. */
export function reflatten(text: FlatText, source: string, from: number, to: number): FlatText {
  const origin = recutSource(text.origin, source, from, to);
  if (isFlat(origin)) return flatAsIs(origin);
  const end = origin.lines.length - (text.origin.lines.length - to);
  const [head, tail] = [text.flat.slice(0, text.starts[from]), text.flat.slice(text.starts[to])];
  return withStarts(origin, head + flatten(origin, from, end) + tail);
}

/** Whether the flat view of a source is the source itself. */
function isFlat({ source, starts }: SourceText): boolean {
  return starts[0] === 0 && !source.includes("\r");
}

function flatAsIs(origin: SourceText): FlatText {
  return { origin, flat: origin.source, starts: origin.starts };
}

function flatten(origin: SourceText, from: number, to = origin.lines.length): string {
  const lines = origin.source.slice(lineStart(origin, from), lineStart(origin, to));
  return lines.replaceAll("\r\n", "\n");
}

function withStarts(origin: SourceText, flat: string): FlatText {
  const { lines } = origin;
  const starts = new Uint32Array(lines.length + 1);
  for (let i = 0, at = 0; i < lines.length; i++) {
    starts[i] = at;
    at += (lines[i]?.length ?? 0) + 1;
  }
  starts[lines.length] = flat.length;
  return { origin, flat, starts };
}

/** A quotation as the flat view would have it: without a byte order mark and with LF only. */
export function toFlat(quoted: string): string {
  return quoted.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

/**
 * Where `wanted` occurs as quoted and begins between two offsets, overlaps included. A place that
 * splits a word, or that begins with a blank inside an indentation, is none: there the file says
 * something else.
 */
export function findSpans(
  text: FlatText,
  wanted: string,
  from: number,
  to: number,
): readonly Span[] {
  const { length } = wanted;
  const splits = indentSplitter(text, wanted);
  const spans: Span[] = [];
  for (const at of findText(text.flat.slice(from, to + length - 1), wanted, text.flat.length)) {
    const [start, end] = [from + at, from + at + length];
    if (splitsWord(text.flat, start) || splitsWord(text.flat, end) || splits(start)) continue;
    spans.push({ start, end });
    if (spans.length === MOST_PLACES) break;
  }
  return spans;
}

/** Where `wanted` occurs, even as a part of a word, but not within one character. */
export function findCutSpans({ flat }: FlatText, wanted: string): readonly Span[] {
  return findText(flat, wanted, MOST_PLACES)
    .map((at) => ({ start: at, end: at + wanted.length }))
    .filter(({ start, end }) => !splitsPair(flat, start) && !splitsPair(flat, end));
}

/** Whether an offset lies between two characters of one word, or within one character. */
function splitsWord(flat: string, at: number): boolean {
  const isInside = ENDS_IN_WORD.test(flat.slice(Math.max(0, at - 2), at));
  return (isInside && BEGINS_WITH_WORD.test(flat.slice(at, at + 2))) || splitsPair(flat, at);
}

function splitsPair(flat: string, at: number): boolean {
  return /[\uD800-\uDBFF]/.test(flat.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(flat.charAt(at));
}

/** Tells, for ascending offsets, whether a quotation that begins with a blank cuts one off. */
function indentSplitter(text: FlatText, wanted: string): (start: number) => boolean {
  if (!/^[ \t]/.test(wanted) || wanted.trim() === "") return () => false;
  let [line, from, to] = [-1, 0, 0];
  return (start) => {
    const own = lineAt(text, start);
    if (own !== line) {
      line = own;
      from = text.starts[own] ?? 0;
      to = from + (/^[ \t]*/.exec(text.origin.lines[own] ?? "")?.[0].length ?? 0);
    }
    return from < start && start < to;
  };
}

/** Index of the line in which an offset lies. */
export function lineAt({ starts }: FlatText, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The source with one stretch of the flat view replaced; every byte outside stays. */
export function replaceSpan(text: FlatText, { start, end }: Span, after: string): string {
  const { origin } = text;
  const [from, to] = [toSourceOffset(text, start), toSourceOffset(text, end)];
  const line = lineAt(text, start);
  const eol = [line, line - 1, 0].map((near) => lineEnd(origin, near)).find(Boolean) ?? "\n";
  const head = origin.source.slice(0, from) + after.replaceAll("\n", eol);
  if (to < origin.source.length) return head + origin.source.slice(to);
  return keepFinalEol(origin, head, after === "" ? lineEnd(origin, line - 1) : eol);
}

function toSourceOffset(text: FlatText, offset: number): number {
  const line = lineAt(text, offset);
  return lineStart(text.origin, line) + offset - (text.starts[line] ?? 0);
}

/** Whether the last line is terminated is the file's habit, not the edit's business. */
function keepFinalEol({ source, starts }: SourceText, text: string, eol: string): string {
  if (text.length <= (starts[0] ?? 0) || source.endsWith("\n") === text.endsWith("\n")) return text;
  return text.endsWith("\n") ? text.slice(0, text.length - eol.length) : text + eol;
}
