import { statedStart } from "../hunks/hunks.ts";
import { type Finder, MOST_PLACES, type Place } from "./find-places.ts";
import type { Slot } from "./find-slot.ts";
import { nextSibling, sectionEnd } from "./section-end.ts";

/** The decided hunks next to one. */
interface SurroundingHunks {
  readonly previous: Slot | undefined;
  readonly next: Slot | undefined;
}

interface Search {
  readonly lines: readonly string[];
  readonly finder: Finder;
  /** How many lines may still be looked at for the ends of sections. */
  looks: number;
}

type Rule = (slot: Slot, surrounding: SurroundingHunks, search: Search) => readonly Place[];

/** A heading that occurs more often says too little. */
const MOST_HEADINGS = 10;
/** A bound on hostile patches. */
const MOST_LOOKS = 300_000;
/** A place this many times nearer than the next one is the one that a line number refers to. */
const FAR_NEARER = 8;

/**
 * Leaves of several places those that further evidence speaks for, strongest evidence first: the
 * heading, the order of the hunks, the line number, a heading that is only somewhere above. A rule
 * that would leave nothing is ignored.
 */
export function narrowPlaces(
  slots: readonly Slot[],
  lines: readonly string[],
  finder: Finder,
): void {
  const search = { lines, finder, looks: MOST_LOOKS };
  for (const rule of [byHeading, byOrder, byLine, byHeadingAbove] satisfies readonly Rule[]) {
    const nexts = nextSettled(slots);
    let previous: Slot | undefined;
    for (const [i, slot] of slots.entries()) {
      // A list that was cut off may lack the right place.
      if (slot.places.length > 1 && slot.places.length < MOST_PLACES) {
        const left = rule(slot, { previous, next: nexts[i] }, search);
        if (left.length > 0) slot.places = left;
      }
      if (slot.places.length === 1) previous = slot;
    }
  }
}

/** For each slot the first decided one after it. */
function nextSettled(slots: readonly Slot[]): readonly (Slot | undefined)[] {
  let next: Slot | undefined;
  return slots
    .toReversed()
    .map((slot) => {
      const behind = next;
      if (slot.places.length === 1) next = slot;
      return behind;
    })
    .toReversed();
}

/** Places inside a section that begins with the heading of the hunk. */
function byHeading(slot: Slot, _surrounding: SurroundingHunks, search: Search): readonly Place[] {
  return placesBelow(slot, search, sectionEnd);
}

/** Places below the heading and above the next one like it: tools name the last line above. */
function byHeadingAbove(
  slot: Slot,
  _surrounding: SurroundingHunks,
  search: Search,
): readonly Place[] {
  return placesBelow(slot, search, nextSibling);
}

/** Places between a line that is the heading of the hunk and where that line's section ends. */
function placesBelow(
  { hunk: { heading }, places }: Slot,
  search: Search,
  endOf: (lines: readonly string[], from: number) => number,
): readonly Place[] {
  if (heading === "" || search.looks <= 0) return places;
  const headings = search.finder.positions(heading).subarray(0, MOST_HEADINGS);
  const sections = Array.from(headings, (from) => {
    const to = endOf(search.lines, from);
    search.looks -= to - from;
    return { from, to };
  });
  // Both ascend: one pass, however many there are.
  let [next, end] = [0, 0];
  return places.filter(({ start }) => {
    for (; (sections[next]?.from ?? start) < start; next++) {
      end = Math.max(end, sections[next]?.to ?? 0);
    }
    return start < end;
  });
}

/** Places between the neighbours of the hunk, when those are in the order of the patch. */
function byOrder(slot: Slot, { previous, next }: SurroundingHunks): readonly Place[] {
  const from = previous === undefined ? 0 : settledStart(previous) + sideOf(previous).length;
  const to = next === undefined ? Number.POSITIVE_INFINITY : settledStart(next);
  return slot.places.filter(({ start }) => from <= start && start + sideOf(slot).length <= to);
}

/**
 * The place at the stated line, or one that is far nearer to it than any other. It is expected as
 * far from its stated line as its neighbours are from theirs.
 */
function byLine(slot: Slot, { previous, next }: SurroundingHunks): readonly Place[] {
  const stated = statedStart(slot.hunk);
  if (stated === undefined) return slot.places;
  const drifts = [previous, next].flatMap((neighbour) => (neighbour && driftOf(neighbour)) ?? []);
  const [low, high] = drifts.length > 0 ? [Math.min(...drifts), Math.max(...drifts)] : [0, 0];
  const away = ({ start }: Place) => Math.max(stated + low - start, start - stated - high, 0);
  const [first, second] = slot.places.toSorted((a, b) => away(a) - away(b));
  if (first === undefined || second === undefined) return slot.places;
  const clear =
    away(first) === 0 ? away(second) > 0 : (away(first) + 1) * FAR_NEARER <= away(second);
  return clear ? [first] : slot.places;
}

function settledStart(slot: Slot): number {
  return slot.places[0]?.start ?? 0;
}

/** The lines that are at the places of a slot. */
function sideOf({ hunk, done }: Slot): readonly string[] {
  return done ? hunk.after : hunk.before;
}

/** How far from its stated line a decided hunk is; undefined where nothing is known. */
export function driftOf(slot: Slot): number | undefined {
  const stated = statedStart(slot.hunk);
  const [place, other] = slot.places;
  // The first line of a misquoted block may be one that the file has not.
  const isVague = slot.done || place?.match === "misquoted";
  if (isVague || stated === undefined || other !== undefined) return undefined;
  return place && place.start - stated;
}
