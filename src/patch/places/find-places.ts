import type { Hunk, HunkLine } from "../hunks/hunks.ts";
import type { LineEdit } from "../lines/lines.ts";
import { createLineIndex, foldLine, foldRemoved, type LineIndex } from "../lines/lines.ts";
import { type Goal, goalOf } from "./goal.ts";
import { asWritten, findReindent, type Reindent } from "./indent/indent.ts";

/**
 * How a block is recognised: as quoted; up to blanks at line ends and indentation; up to all
 * blanks, quote style and Unicode forms; but for blank lines; but for a few lines of context.
 */
export type Match = "quoted" | "blanks" | "signs" | "spaced" | "misquoted";

/** One place of the source where a block is. */
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
  /** The lines with text: where they are, and an index of them up to layout. */
  worded(): WordedLines;
  /** What a line that stays is compared by; each is folded once. */
  readonly fold: Fold;
  /** What a line that goes is compared by; each is folded once. */
  readonly foldRemoved: Fold;
  /** What all hunks are about together. */
  readonly goal: Goal;
  /** A finder for `lines`, which are those of this one with one edit made. */
  after(edit: LineEdit, lines: readonly string[]): Finder;
}

interface WordedLines {
  readonly at: Int32Array;
  readonly index: LineIndex;
}

type Fold = (line: string) => string;

/** An index that is built at the first question. */
interface LazyIndex {
  get(): LineIndex;
  after(edit: LineEdit, lines: readonly string[]): LazyIndex;
}

/** What a finder looks places up with. */
interface FinderParts {
  /** Lines as they are, without the blanks around them, and up to layout. */
  readonly quoted: LazyIndex;
  readonly trimmed: LazyIndex;
  readonly folded: LazyIndex;
  readonly fold: Fold;
  readonly foldRemoved: Fold;
  readonly goal: Goal;
  readonly budget: { rivalLinesLeft: number };
}

/** More places are not even listed, which bounds the work. */
export const MOST_PLACES = 1000;
/** Most lines of rivals compared for all hunks together; only hostile patches need more. */
const MOST_RIVAL_LINES = 300_000;

/**
 * A finder for the lines of one source. Other lines than those of `hunks` may be looked for as
 * well, but it costs more. `changes` are the lines of the hunks where those are not known yet.
 */
export function createFinder(
  lines: readonly string[],
  hunks?: readonly Hunk[],
  changes = (): readonly (readonly HunkLine[])[] => hunks?.map((hunk) => hunk.lines) ?? [],
): Finder {
  const wanted = hunks?.flatMap((hunk) => [hunk.heading, ...hunk.lines.map(({ text }) => text)]);
  const indexBy = (key: Fold) => lazyIndex(key, () => createLineIndex(lines, key, wanted));
  const fold = memoize(foldLine);
  return finderOf(lines, {
    quoted: indexBy((line) => line),
    trimmed: indexBy((line) => line.trim()),
    folded: indexBy(fold),
    fold,
    foldRemoved: memoize(foldRemoved),
    goal: goalOf(changes),
    budget: { rivalLinesLeft: MOST_RIVAL_LINES },
  });
}

function finderOf(lines: readonly string[], parts: FinderParts): Finder {
  const { quoted, trimmed, folded } = parts;
  const placesOf = new Map<readonly number[], readonly Place[]>();
  let worded: WordedLines | undefined;
  return {
    fold: parts.fold,
    foldRemoved: parts.foldRemoved,
    goal: parts.goal,
    exact(block) {
      const starts = quoted.get().find(block, MOST_PLACES);
      const places = placesOf.get(starts) ?? starts.map(exactly);
      placesOf.set(starts, places);
      return places;
    },
    tolerant(hunk) {
      const near = toPlaces(startsIn(trimmed.get(), hunk.before, parts), lines, hunk, "blanks");
      if (near.length > 0) return near;
      return toPlaces(startsIn(folded.get(), hunk.before, parts), lines, hunk, "signs").filter(
        ({ start }) => mayRemove(lines, hunk, start, parts.foldRemoved),
      );
    },
    positions: (line) => trimmed.get().positions(line),
    worded: () => (worded ??= indexWorded(lines, parts.fold)),
    after: (edit, renewed) =>
      finderOf(renewed, {
        ...parts,
        quoted: quoted.after(edit, renewed),
        trimmed: trimmed.after(edit, renewed),
        folded: folded.after(edit, renewed),
      }),
  };
}

function indexWorded(lines: readonly string[], fold: Fold): WordedLines {
  const at = Int32Array.from(lines.flatMap((line, index) => (line.trim() === "" ? [] : [index])));
  const texts = Array.from(at, (index) => lines[index] ?? "");
  return { at, index: createLineIndex(texts, fold) };
}

/** A place where a block is as quoted. */
export function exactly(start: number): Place {
  return { start, match: "quoted", reindent: asWritten };
}

/** Where a block is; nowhere where it occurs too often to compare all places. */
function startsIn(
  index: LineIndex,
  block: readonly string[],
  { budget }: FinderParts,
): readonly number[] {
  const starts = index.find(block, MOST_PLACES);
  const rivalLines = Math.max(0, starts.length - 1) * block.length;
  // Of a list that was cut off the one place that suits may not be the only one.
  if (starts.length === MOST_PLACES || rivalLines > budget.rivalLinesLeft) return [];
  budget.rivalLinesLeft -= rivalLines;
  return starts;
}

/**
 * Places for the starts of a block; none where its indentation differs line by line, and none at
 * all where that is unsure at one of them: it is a rival of the others.
 */
function toPlaces(
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
export function mayRemove(
  lines: readonly string[],
  hunk: Hunk,
  start: number,
  fold: Fold,
): boolean {
  let index = start;
  for (const { kind, text } of hunk.lines) {
    if (kind === "add") continue;
    const theirs = lines[index++] ?? "";
    if (kind === "remove" && fold(text) !== fold(theirs)) return false;
  }
  return true;
}

/** Whether a block is at `start` as quoted. */
export function matchesAt(
  lines: readonly string[],
  block: readonly string[],
  start: number,
): boolean {
  if (start < 0 || start + block.length > lines.length) return false;
  for (let k = 0; k < block.length; k++) if (lines[start + k] !== block[k]) return false;
  return true;
}

function lazyIndex(key: Fold, build: () => LineIndex, known?: LineIndex): LazyIndex {
  let built = known;
  return {
    get: () => (built ??= build()),
    after: (edit, renewed) =>
      lazyIndex(key, () => createLineIndex(renewed, key), built?.after(edit)),
  };
}

/** Lines repeat: each is folded once. */
function memoize(fold: Fold): Fold {
  const known = new Map<string, string>();
  return (line) => {
    let result = known.get(line);
    if (result === undefined) known.set(line, (result = fold(line)));
    return result;
  };
}
