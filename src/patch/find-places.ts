import { foldLine } from "./fold-line.ts";
import { foldRemoved } from "./fold-removed.ts";
import type { Hunk } from "./hunk.ts";
import { createLineIndex, type LineIndex } from "./line-index.ts";
import { asWritten, findReindent, type Reindent } from "./reindent.ts";

/**
 * How a block is recognised: as quoted; up to blanks at line ends and indentation; up to all
 * blanks, quote style and Unicode forms; but for a few lines of context.
 */
export type Match = "quoted" | "blanks" | "signs" | "misquoted";

/** One place of the source where a block stands. */
export interface Place {
  /** Index of its first line. */
  readonly start: number;
  readonly match: Match;
  readonly reindent: Reindent;
}

/** Looks blocks up in one source; what it needs for that is built at the first question. */
export interface Finder {
  /** As quoted. */
  exact(block: readonly string[]): readonly Place[];
  /**
   * The old side of a hunk, up to trailing blanks and a uniform re-indent; where that is nowhere,
   * up to blanks, quote style and in kept lines Unicode forms as well.
   */
  tolerant(hunk: Hunk): readonly Place[];
  /** Lines that are `line` up to the blanks around it. */
  positions(line: string): Int32Array;
  /** What a line that stays is compared by; each is folded once. */
  readonly fold: (line: string) => string;
  /** What a line that goes is compared by; each is folded once. */
  readonly foldRemoved: (line: string) => string;
}

/** So many places are not told apart: the rest is not even listed, which bounds the work. */
export const MOST_PLACES = 1000;
/** So many lines of rivals are compared for all hunks together; only hostile patches need more. */
const MOST_RIVAL_LINES = 300_000;

/**
 * A finder for the lines of one source. Lines beside those of `hunks` may be looked for as well,
 * but it costs more.
 */
export function createFinder(lines: readonly string[], hunks?: readonly Hunk[]): Finder {
  const wanted = hunks?.flatMap((hunk) => [hunk.heading, ...hunk.lines.map(({ text }) => text)]);
  const indexBy = (key: (line: string) => string) =>
    once(() => createLineIndex(lines, key, wanted));
  const fold = remembering(foldLine);
  const removed = remembering(foldRemoved);
  const quoted = indexBy((line) => line);
  const trimmed = indexBy((line) => line.trim());
  const folded = indexBy(fold);
  const quotedAt = new Map<readonly number[], readonly Place[]>();
  let rivalLinesLeft = MOST_RIVAL_LINES;
  const startsIn = (index: LineIndex, block: readonly string[]) => {
    const starts = index.find(block, MOST_PLACES);
    const rivalLines = Math.max(0, starts.length - 1) * block.length;
    // Of a list that was cut off the one place that suits may not be the only one.
    if (starts.length === MOST_PLACES || rivalLines > rivalLinesLeft) return [];
    rivalLinesLeft -= rivalLines;
    return starts;
  };
  return {
    fold,
    foldRemoved: removed,
    exact(block) {
      const starts = quoted().find(block, MOST_PLACES);
      const places =
        quotedAt.get(starts) ??
        starts.map((start): Place => ({ start, match: "quoted", reindent: asWritten }));
      quotedAt.set(starts, places);
      return places;
    },
    tolerant(hunk) {
      const places = among(startsIn(trimmed(), hunk.before), lines, hunk, "blanks");
      if (places.length > 0) return places;
      return among(startsIn(folded(), hunk.before), lines, hunk, "signs").filter(({ start }) =>
        mayRemove(lines, hunk, start, removed),
      );
    },
    positions: (line) => trimmed().positions(line),
  };
}

/**
 * Places for the starts of a block; none where its indentation differs line by line, and none at
 * all where that is unsure at one of them: it is a rival of the others.
 */
function among(
  starts: readonly number[],
  lines: readonly string[],
  hunk: Hunk,
  match: Match,
): readonly Place[] {
  const places: Place[] = [];
  for (const start of starts) {
    const reindent = findReindent(lines, start, hunk);
    if (reindent === "unsure") return [];
    if (reindent !== undefined) places.push({ start, match, reindent });
  }
  return places;
}

/** Whether the lines that a hunk removes at `start` differ in layout and quote style only. */
function mayRemove(
  lines: readonly string[],
  hunk: Hunk,
  start: number,
  fold: (line: string) => string,
): boolean {
  let index = start;
  for (const { kind, text } of hunk.lines) {
    if (kind === "add") continue;
    const theirs = lines[index++] ?? "";
    if (kind === "remove" && fold(text) !== fold(theirs)) return false;
  }
  return true;
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

/** Lines repeat: each is folded once. */
function remembering(fold: (line: string) => string): (line: string) => string {
  const known = new Map<string, string>();
  return (line) => {
    let result = known.get(line);
    if (result === undefined) known.set(line, (result = fold(line)));
    return result;
  };
}
