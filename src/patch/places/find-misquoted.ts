import { type Hunk, statedStart } from "../hunks/hunks.ts";
import { alignHunk } from "./align/align.ts";
import type { Finder, Place } from "./find-places.ts";
import { type Vote, voteForStarts } from "./nearest-start.ts";

/** Evidence that a place needs: one line with words and a bit. */
const LEAST_WEIGHT = 1.5;
/** How much of that may be evidence for another place. */
const MOST_RIVAL = 0.5;

/** A hunk with the file's own lines as context, and its place. */
export interface Misquoted {
  readonly hunk: Hunk;
  readonly place: Place;
}

/**
 * The one place of a hunk that has a few lines of context misquoted, left out or invented.
 *
 * `pick` leaves the places that may be intended; the others are rivals still. Where half as much of
 * the quotation is elsewhere nothing is certain.
 */
export function findMisquoted(
  lines: readonly string[],
  hunk: Hunk,
  finder: Finder,
  pick: (votes: readonly Vote[]) => readonly Vote[] = (votes) => votes,
): Misquoted | undefined {
  const [best] = pick(voteForStarts(hunk, finder, { near: statedStart(hunk) ?? 0 }));
  if (best === undefined || best.weight < LEAST_WEIGHT) return undefined;
  const aligned = alignHunk(lines, hunk, best.start, finder);
  if (aligned === undefined) return undefined;
  const { start, reindent } = aligned;
  const except = { start, end: start + aligned.hunk.before.length };
  const [rival] = voteForStarts(hunk, finder, { except });
  if (rival !== undefined && rival.weight > best.weight * MOST_RIVAL) return undefined;
  return { hunk: aligned.hunk, place: { start, match: "misquoted", reindent } };
}
