import { diffArrays } from "diff";
import { shorten } from "../../core/cut-text.ts";
import { type Hunk, hasWords, statedStart } from "../hunks/hunks.ts";
import { eachInEnglish } from "../in-english.ts";
import { wordsOf } from "../lines/lines.ts";
import { Notes } from "./align/align.ts";
import type { Finder } from "./find-places.ts";
import { voteForStarts } from "./nearest-start.ts";

/** So many lines of the file are shown on both sides of the first one that differs. */
const AROUND = 5;
const MOST_CHARS = 160;
/** This many of its longest words decide which lines may be most like a line. */
const TELLING = 8;
/** So many quoted lines are compared, and so many lines of the file on both sides of them. */
const MOST_COMPARED = 200;
const MARGIN = 3;
const MOST_NOTES = 4;

/**
 * The block of the source that has most lines in common with a hunk that fits nowhere, or else the
 * line that has most words in common: lines with their numbers, and what differs. For the author of
 * the repair.
 */
export function describeNearest(
  lines: readonly string[],
  hunk: Hunk,
  finder: Finder,
  what = `Hunk ${hunk.number}`,
): string {
  const near = statedStart(hunk) ?? 0;
  const start = voteForStarts(hunk, finder, { near })[0]?.start ?? likestLine(lines, hunk, near);
  if (start === undefined) return `${what} quotes nothing that is in the file`;
  const { line, notes } = compare(lines, hunk, Math.max(0, start));
  const { first, last, block } = blockAround(lines, line);
  return [`${what} comes nearest to lines ${first}-${last}:`, ...block, ...notes].join("\n");
}

/** The lines of a file around one of them, an index, with their numbers. */
export function showAround(lines: readonly string[], line: number): string {
  const { first, last, block } = blockAround(lines, line);
  return [`Lines ${first}-${last} of the file:`, ...block].join("\n");
}

function blockAround(lines: readonly string[], line: number) {
  const from = Math.max(0, line - AROUND);
  const to = Math.min(lines.length, line + AROUND + 1);
  const block = lines.slice(from, to).map((text, k) => `${from + k + 1}|${clip(text)}`);
  return { first: from + 1, last: to, block };
}

/** How the lines of the file differ from the quoted ones; `line` is the index of the first. */
function compare(lines: readonly string[], hunk: Hunk, start: number) {
  const quoted = hunk.before.slice(0, MOST_COMPARED);
  const from = Math.max(0, start - MARGIN);
  const block = lines.slice(from, start + quoted.length + MARGIN);
  const changes = diffArrays(quoted.map(trim), block.map(trim));
  if (!changes.some((change) => isSame(change) && change.value.some(hasWords))) {
    return compareInRow(lines, hunk, start);
  }
  const end = changes.at(-1)?.added ? changes.length - 1 : changes.length;
  const notes = notesFrom(from, hunk);
  let [at, differs] = [from, -1];
  for (let i = 0; i < end; i++) {
    const change = changes[i];
    if (change === undefined) continue;
    const below = changes[i + 1];
    // What the file has above the first quoted line is not left out.
    const isAbove = i === 0 && change.added;
    if (!isSame(change) && !isAbove && differs < 0) differs = at;
    if (isSame(change) || isAbove) for (const _ of change.value) notes.pass();
    else i += note(notes, change, i + 1 < end ? below : endOf(change, below));
    if (!change.removed) at += change.value.length;
    else if (below?.added && i < end) at += below.value.length;
  }
  const said = eachInEnglish(notes.all().slice(0, MOST_NOTES));
  const nothing =
    differs < 0 ? "Only blanks at the beginning or end of lines differ" : "Only blank lines differ";
  return { line: differs < 0 ? start : differs, notes: said.length > 0 ? said : [nothing] };
}

/** Nothing is as quoted: line by line, from where the likest one is. */
function compareInRow(lines: readonly string[], hunk: Hunk, start: number) {
  const notes = notesFrom(start, hunk);
  for (const [k, text] of hunk.before.slice(0, MOST_NOTES).entries()) {
    const theirs = lines[start + k];
    if (theirs === undefined) notes.invented(text);
    else if (theirs.trim() === text.trim()) notes.pass();
    else notes.misquoted(text, theirs);
  }
  return { line: start, notes: eachInEnglish(notes.all()) };
}

/** Nothing was repaired that matters here. */
function notesFrom(line: number, { unmarked = false }: Hunk): Notes {
  return new Notes(line, { unmarked });
}

/** Below the last line that differs: as many lines as are quoted there stand for those. */
function endOf({ value }: Change, below: Change | undefined): Change | undefined {
  return below?.added ? { ...below, value: below.value.slice(0, value.length) } : undefined;
}

function isSame({ added, removed }: Change): boolean {
  return !added && !removed;
}

interface Change {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: readonly string[];
}

/** Notes lines that only one side has, or that stand for each other; the number of changes below that were used. */
function note(notes: Notes, change: Change, below: Change | undefined): number {
  const mine = change.removed ? change.value : [];
  const isPair = change.removed && below?.added === true;
  const theirs = change.removed ? (isPair ? below.value : []) : change.value;
  for (let k = 0; k < Math.max(mine.length, theirs.length); k++) {
    const [own, other] = [mine[k], theirs[k]];
    if (own !== undefined && other !== undefined) notes.misquoted(own, other);
    else if (own !== undefined) notes.invented(own);
    else if (other !== undefined) notes.leftOut(other);
  }
  return isPair ? 1 : 0;
}

function trim(line: string): string {
  return line.trim();
}

/** Where a block begins by the line that shares most words with the longest line of the block. */
function likestLine(lines: readonly string[], hunk: Hunk, near: number): number | undefined {
  const longest = hunk.before.reduce((a, b) => (b.trim().length > a.trim().length ? b : a), "");
  const wanted = new Set(wordsOf(longest));
  let best: { at: number; score: number } | undefined;
  const telling = [...wanted].toSorted((a, b) => b.length - a.length).slice(0, TELLING);
  for (const [at, line] of lines.entries()) {
    // Far cheaper than to cut every line into words.
    if (!telling.some((word) => line.includes(word))) continue;
    const words = new Set(wordsOf(line));
    const shared = [...wanted].filter((word) => words.has(word)).length;
    const score = (2 * shared) / (wanted.size + words.size);
    const nearer = best?.score === score && Math.abs(at - near) < Math.abs(best.at - near);
    if (shared > 0 && (best === undefined || score > best.score || nearer)) best = { at, score };
  }
  return best && Math.max(0, best.at - hunk.before.indexOf(longest));
}

function clip(line: string): string {
  return shorten(line, MOST_CHARS);
}
