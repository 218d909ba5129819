import type { Hunk } from "./hunk.ts";
import { createLineIndex, type LineIndex } from "./line-index.ts";
import { asWritten, findReindent, type Reindent } from "./reindent.ts";

/** One place of the source where a block stands. */
export interface Place {
  /** Index of its first line. */
  readonly start: number;
  /** Whether it stands there as quoted; otherwise up to blanks. */
  readonly exact: boolean;
  readonly reindent: Reindent;
}

/** Looks blocks up in one source; what it needs for that is built at the first question. */
export interface Finder {
  /** As quoted. */
  exact(block: readonly string[]): readonly Place[];
  /** The old side of a hunk, up to trailing blanks and a uniform re-indent. */
  tolerant(hunk: Hunk): readonly Place[];
  /** Lines that are `line` up to the blanks around it. */
  positions(line: string): Int32Array;
}

/** So many places are not told apart: the rest is not even listed, which bounds the work. */
export const MOST_PLACES = 1000;

/** A finder for the lines of one source. */
export function createFinder(lines: readonly string[]): Finder {
  const quoted = once(() => createLineIndex(lines, (line) => line));
  const trimmed = once(() => createLineIndex(lines, (line) => line.trim()));
  return {
    exact: (block) =>
      quoted()
        .find(block, MOST_PLACES)
        .map((start) => ({ start, exact: true, reindent: asWritten })),
    tolerant(hunk) {
      const starts = trimmed().find(hunk.before, MOST_PLACES);
      // Of a list that was cut off the one place that suits may not be the only one.
      if (starts.length === MOST_PLACES) return [];
      return starts.flatMap((start) => {
        const reindent = findReindent(lines, start, hunk);
        return reindent === undefined ? [] : [{ start, exact: false, reindent }];
      });
    },
    positions: (line) => trimmed().positions(line),
  };
}

/** Whether a block stands at `start` as quoted. */
export function standsAt(
  lines: readonly string[],
  block: readonly string[],
  start: number,
): boolean {
  if (start < 0 || start + block.length > lines.length) return false;
  for (let k = 0; k < block.length; k++) if (lines[start + k] !== block[k]) return false;
  return true;
}

function once(build: () => LineIndex): () => LineIndex {
  let built: LineIndex | undefined;
  return () => (built ??= build());
}
