import type { Hunk, HunkLine } from "../hunks/hunks.ts";
import {
  isCompletion,
  isLikest,
  isNewForm,
  isSameLine,
  isSameShape,
  likeness,
} from "../lines/lines.ts";

/** A line that a hunk adds at its edge, and where the file has it already, right beside the hunk. */
export interface Repeat {
  readonly text: string;
  /** Index of a line of the file. */
  readonly line: number;
  /** It is only like that line, as its new form would be. */
  readonly isNearly?: boolean;
}

/** More lines at an edge are not compared. */
const MOST_LINES = 20;
/** So many lines on both sides of one show whether lines there are alike. */
const ROW = 3;
/** What has fewer letters and digits is often there twice. */
const TELLING = 4;

/**
 * The added line at the edge of a hunk at `start` that the file has beside the hunk: its author
 * stopped quoting too early, and added again what is there. Nothing is said of an insertion that is
 * there as a whole.
 */
export function findRepeat(
  lines: readonly string[],
  { lines: own, before }: Pick<Hunk, "lines" | "before">,
  start: number,
): Repeat | undefined {
  if (before.length === 0) return undefined;
  const below = start + before.length;
  const kept = own.findIndex(({ kind }) => kind === "keep");
  const last = own.slice(own.findLastIndex(({ kind }) => kind === "keep") + 1).filter(isAdded);
  const first = own.slice(0, kept < 0 ? own.length : kept).filter(isAdded);
  const changes = own.filter(({ kind }) => kind !== "keep").length;
  for (const { edge, isBelow } of [
    { edge: last.map(({ text }) => text), isBelow: true },
    { edge: first.map(({ text }) => text), isBelow: false },
  ]) {
    for (let count = Math.min(edge.length, MOST_LINES); count > 0; count--) {
      if (count === changes) continue;
      const added = isBelow ? edge.slice(-count) : edge.slice(0, count);
      const at = added.findIndex((text) => isTelling(text));
      if (at < 0) continue;
      const from = isBelow
        ? [below, skipBlanks(lines, below, 1)]
        : [start - count, skipBlanks(lines, start - 1, -1) - count + 1];
      const there = from.find((line) => isThere(lines, added, line));
      if (there !== undefined) return { text: added[at] ?? "", line: there + at };
    }
  }
  return undefined;
}

/**
 * The added line at the edge of a hunk at `start` that is a new form of the line of the file beside the
 * hunk, rather than of any that is quoted: its author stopped quoting too early. Where nothing goes, it
 * has to have all words of that line, or the other way round: lines in a row are often alike.
 */
export function findNearRepeat(
  lines: readonly string[],
  { lines: own, before, unmarked = false }: Pick<Hunk, "lines" | "before" | "unmarked">,
  start: number,
): Repeat | undefined {
  if (before.length === 0) return undefined;
  const below = skipBlanks(lines, start + before.length, 1);
  const above = skipBlanks(lines, start - 1, -1);
  const kept = own.findIndex(({ kind }) => kind === "keep");
  const last = own.slice(own.findLastIndex(({ kind }) => kind === "keep") + 1);
  const first = own.slice(0, kept < 0 ? own.length : kept);
  for (const [edge, line] of [[last, below] as const, [first, above] as const]) {
    const theirs = lines[line];
    if (theirs === undefined || !isTelling(theirs)) continue;
    const removed = edge.filter(({ kind }) => kind === "remove").length;
    const added = edge.filter(({ kind, text }) => kind === "add" && isTelling(text));
    // Line for line each is the new form of one that goes.
    if (added.length <= removed) continue;
    const near = (line === below ? added.slice(-MOST_LINES) : added.slice(0, MOST_LINES)).find(
      ({ text }) => {
        // In a row of lines that are alike one more is no sign of anything.
        const others = [
          ...before,
          ...lines.slice(Math.max(0, line - ROW), line),
          ...lines.slice(line + 1, line + 1 + ROW),
          ...added.flatMap((one) => (one.text === text ? [] : [one.text])),
        ];
        // Of a short line nothing but its signs is left when its names are others. An edit may well
        // end at its change; there it has to be the only such line.
        const isShape = (other: string) => isSameShape(text, other);
        if (removed > 0 && isShape(theirs) && !(unmarked && others.some(isShape))) return true;
        return isFormOf(text, theirs, others, removed > 0);
      },
    );
    if (near !== undefined) {
      return { text: near.text, line, isNearly: !isSameLine(near.text, theirs) };
    }
  }
  return undefined;
}

/**
 * The line of the file next to a hunk at `start` that is among its added lines, where they adjoin what it
 * quotes: its author had a blank line there in mind, and that line behind it.
 */
export function findTuckedIn(
  lines: readonly string[],
  { lines: own, before }: Pick<Hunk, "lines" | "before">,
  start: number,
): Repeat | undefined {
  const kept = own.findIndex(({ kind }) => kind !== "add");
  const above = own.slice(0, Math.max(0, kept)).toReversed();
  const below = own.slice(own.findLastIndex(({ kind }) => kind !== "add") + 1);
  for (const [edge, line] of [
    [above, start - 1] as const,
    [below, start + before.length] as const,
  ]) {
    const [first] = edge;
    const theirs = lines[line];
    if (first === undefined || theirs === undefined || !isTelling(theirs)) continue;
    if (isSameLine(first.text, theirs)) return { text: first.text, line };
  }
  return undefined;
}

/** Whether an added line is the line beside its hunk again, or a new form of that. */
function isFormOf(
  text: string,
  theirs: string,
  others: readonly string[],
  isReplacement: boolean,
): boolean {
  if (isSameLine(text, theirs)) {
    return isReplacement && !others.some((other) => isSameLine(other, theirs));
  }
  if (likeness(text, theirs) === 0) return false;
  if (isCompletion(text, theirs, others)) return true;
  return isReplacement && (isNewForm(text, theirs, others) || isLikest(text, theirs, others));
}

/** The next line that is not blank. */
function skipBlanks(lines: readonly string[], from: number, step: 1 | -1): number {
  let at = from;
  while (lines[at]?.trim() === "") at += step;
  return at;
}

function isAdded({ kind }: HunkLine): boolean {
  return kind === "add";
}

function isThere(lines: readonly string[], block: readonly string[], from: number): boolean {
  return block.every((text, k) => {
    const line = lines[from + k];
    return line !== undefined && isSameLine(line, text);
  });
}

function isTelling(text: string): boolean {
  return text.replace(/[^\p{L}\p{N}]/gu, "").length >= TELLING;
}
