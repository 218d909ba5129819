import type { Hunk, HunkLine } from "../hunks/hunks.ts";
import { isSameLine } from "../lines/lines.ts";

/** A line that a hunk adds at its edge, and where the file has it already, right beside the hunk. */
export interface Repeat {
  readonly text: string;
  /** Index of a line of the file. */
  readonly line: number;
}

/** More lines at an edge are not compared. */
const MOST_LINES = 20;
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
