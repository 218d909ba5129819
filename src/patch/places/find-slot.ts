import {
  type Hunk,
  hasWords,
  splitElided,
  statedStart,
  withoutLineNumbers,
} from "../hunks/hunks.ts";
import { madeAt, saysSomething } from "./already-there.ts";
import { findMisquoted } from "./find-misquoted.ts";
import { exactly, type Finder, MOST_PLACES, matchesAt, type Place } from "./find-places.ts";
import { findSpaced } from "./find-spaced.ts";

/** A hunk, or a part of one, with the places that are still possible; one left: it is decided. */
export interface Slot {
  readonly hunk: Hunk;
  places: readonly Place[];
  /** The places hold its new side: there is nothing left to do. */
  readonly done: boolean;
}

/** Where one hunk goes. */
export interface Placement {
  readonly hunk: Hunk;
  readonly place: Place;
  /** What the hunk wants is there already. */
  readonly done: boolean;
}

/**
 * Where the old side of a hunk is, by the first way that finds it: as quoted; up to layout; changed
 * already; without line numbers; up to blank lines; in parts around left-out lines; with a few
 * misquoted lines of context. A hunk without old side gets no place here.
 */
export function findSlots(lines: readonly string[], hunk: Hunk, finder: Finder): readonly Slot[] {
  const whole = findWhole(lines, hunk, finder);
  if (whole.places.length > 0 || hunk.before.length === 0) return [whole];
  const bare = withoutLineNumbers(hunk, (block) => finder.exact(block).length > 0);
  if (bare !== undefined) return findSlots(lines, bare, finder);
  const spaced = findSpaced(lines, hunk, finder);
  if (spaced !== undefined)
    return [isMadeElsewhere(lines, hunk, spaced) ? whole : { ...spaced, done: false }];
  const parts = splitElided(hunk, (line) => finder.positions(line).length > 0);
  if (parts !== undefined) return parts.flatMap((part) => findSlots(lines, part, finder));
  const found = findMisquoted(lines, hunk, finder);
  return found === undefined ? [whole] : [{ hunk: found.hunk, places: [found.place], done: false }];
}

/** The new side is exactly where the header says: what is elsewhere but for blank lines is only like it. */
function isMadeElsewhere(
  lines: readonly string[],
  hunk: Hunk,
  { places }: Pick<Slot, "places">,
): boolean {
  const made = madeAt(lines, hunk);
  return made !== undefined && !places.some(({ start }) => start === made);
}

function findWhole(lines: readonly string[], hunk: Hunk, finder: Finder): Slot {
  const fits = (places: readonly Place[]): Slot => ({ hunk, places, done: false });
  if (hunk.before.length === 0) return fits([]);
  const stated = statedStart(hunk);
  if (stated !== undefined && matchesAt(lines, hunk.before, stated)) {
    const places = finder.exact(hunk.before);
    return fits(places.length < MOST_PLACES ? places : [exactly(stated)]);
  }
  const made = saysSomething(hunk) ? madeAt(lines, hunk) : undefined;
  if (made !== undefined) return { hunk, places: [exactly(made)], done: true };
  const exact = finder.exact(hunk.before);
  if (exact.length > 0) return fits(exact);
  return findChanged(hunk, finder, fits);
}

/** The old side is nowhere as quoted: it is quoted badly, or it was changed already. */
function findChanged(hunk: Hunk, finder: Finder, fits: (places: readonly Place[]) => Slot): Slot {
  const after = saysSomething(hunk) ? finder.exact(hunk.after) : [];
  const tolerant = finder
    .tolerant(hunk)
    .filter((place) => !after.some((other) => overlap(hunk, place, other)));
  if (tolerant.length > 0) return fits(tolerant);
  // One line alone may well be somewhere by chance.
  const there = hunk.after.length < 2 || isStillThere(hunk, after, finder) ? [] : after;
  return { hunk, places: there, done: there.length > 0 };
}

/** What was to go is still elsewhere: its context is misquoted, and nothing was done. */
function isStillThere(hunk: Hunk, after: readonly Place[], finder: Finder): boolean {
  const removed = hunk.lines.filter(({ kind }) => kind === "remove").map(({ text }) => text);
  if (!removed.some(hasWords)) return false;
  const isOutside = ({ start }: Place) =>
    after.every((place) => start < place.start || start >= place.start + hunk.after.length);
  return finder.exact(removed).some(isOutside);
}

function overlap(hunk: Hunk, old: Place, renewed: Place): boolean {
  return (
    old.start < renewed.start + hunk.after.length && renewed.start < old.start + hunk.before.length
  );
}
