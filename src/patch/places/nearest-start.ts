import { type Hunk, hasWords } from "../hunks/hunks.ts";
import type { Finder } from "./find-places.ts";

/** A line that occurs more often says little about where a block is. */
const OFTEN = 50;
/** What a line without words counts, compared to one with words. */
const LITTLE = 0.25;

/** A line at which a block may begin, and how much of what its lines say is for it. */
export interface Vote {
  readonly start: number;
  readonly weight: number;
}

/**
 * Every quoted line votes for the start that it implies; most votes first, ties by nearness to
 * the line `near`. Lines of the file from `except.start` up to `except.end` are not asked.
 */
export function voteForStarts(
  hunk: Hunk,
  finder: Finder,
  { near = 0, except = { start: 0, end: 0 } } = {},
): readonly Vote[] {
  const votes = new Map<number, number>();
  for (const [offset, line] of hunk.before.entries()) {
    if (line.trim() === "") continue;
    const places = finder.positions(line);
    if (places.length > OFTEN) continue;
    const weight = hasWords(line) ? 1 : LITTLE;
    for (const at of places) {
      if (at >= except.start && at < except.end) continue;
      votes.set(at - offset, (votes.get(at - offset) ?? 0) + weight);
    }
  }
  return Array.from(votes, ([start, weight]) => ({ start, weight })).toSorted(
    (a, b) => b.weight - a.weight || Math.abs(a.start - near) - Math.abs(b.start - near),
  );
}
