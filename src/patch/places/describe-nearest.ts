import { shorten } from "../../core/cut-text.ts";
import { type Hunk, statedStart } from "../hunks/hunks.ts";
import type { Finder } from "./find-places.ts";
import { voteForStarts } from "./nearest-start.ts";

const MOST_LINES = 14;
const MOST_CHARS = 160;
/** This many of its longest words decide which lines may be most like a line. */
const TELLING = 8;

/**
 * The block of the source that has most lines in common with a hunk that fits nowhere, or else the
 * line that has most words in common: lines with their numbers, and the first one that differs. For
 * the author of the repair.
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
  const words = hunk.before.findIndex((line, k) => line.trim() !== lines[start + k]?.trim());
  const differs = words < 0 ? hunk.before.findIndex((line, k) => line !== lines[start + k]) : words;
  const first = Math.max(0, start, start + differs - MOST_LINES / 2);
  const last = Math.min(lines.length, start + hunk.before.length, first + MOST_LINES);
  const block = lines.slice(first, last).map((line, k) => `${first + k + 1}|${clip(line)}`);
  const wanted = hunk.before[differs] ?? "";
  const found = lines[start + differs];
  const has = found === undefined ? "the file has no such line" : `the file has "${clip(found)}"`;
  return [
    `${what} comes nearest to lines ${first + 1}-${last}:`,
    ...block,
    `At line ${start + differs + 1} ${has}, the ${hunk.unmarked ? "edit" : "hunk"} "${clip(wanted)}"`,
  ].join("\n");
}

/** Where a block begins by the line that shares most words with the longest line of the block. */
function likestLine(lines: readonly string[], hunk: Hunk, near: number): number | undefined {
  const longest = hunk.before.reduce((a, b) => (b.trim().length > a.trim().length ? b : a), "");
  const wanted = wordsOf(longest);
  let best: { at: number; score: number } | undefined;
  const telling = [...wanted].toSorted((a, b) => b.length - a.length).slice(0, TELLING);
  for (const [at, line] of lines.entries()) {
    // Far cheaper than to cut every line into words.
    if (!telling.some((word) => line.includes(word))) continue;
    const words = wordsOf(line);
    const shared = [...wanted].filter((word) => words.has(word)).length;
    const score = (2 * shared) / (wanted.size + words.size);
    const nearer = best?.score === score && Math.abs(at - near) < Math.abs(best.at - near);
    if (shared > 0 && (best === undefined || score > best.score || nearer)) best = { at, score };
  }
  return best && Math.max(0, best.at - hunk.before.indexOf(longest));
}

/** The first words of a line; very long lines are not compared to their ends. */
function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.slice(0, 4 * MOST_CHARS).match(/[\p{L}\p{N}_]+/gu) ?? []);
}

function clip(line: string): string {
  return shorten(line, MOST_CHARS);
}
