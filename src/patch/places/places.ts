export { createLeaks } from "./align/align.ts";
export { addedLines, insertedAt, removedLines, saysSomething } from "./already-there.ts";
export { findDecoding } from "./decode-signs.ts";
export { describeNearest, showAround } from "./describe-nearest.ts";
export { findMisquoted } from "./find-misquoted.ts";
export {
  createFinder,
  type Finder,
  type Match,
  MOST_PLACES,
  matchesAt,
  type Place,
} from "./find-places.ts";
export { findRetab } from "./find-retab.ts";
export type { Placement } from "./find-slot.ts";
export { findSpaced } from "./find-spaced.ts";
export { hasOneBlankMore, indentOf } from "./indent/indent.ts";
export { type Misfit, placeHunks } from "./place-hunks.ts";
export { findNearRepeat, findRepeat, findTuckedIn, type Repeat } from "./repeats.ts";
export { blockEnd } from "./section-end.ts";
