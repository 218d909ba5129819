import { shorten } from "../../core/cut-text.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { firstOf } from "../../core/few.ts";
import { type Hunk, statedStart, withLines } from "../hunks/hunks.ts";
import { decodeSigns } from "./decode-signs.ts";
import { describeNearest, showAround } from "./describe-nearest.ts";
import {
  createFinder,
  exactly,
  type Finder,
  MOST_PLACES,
  matchesAt,
  type Place,
} from "./find-places.ts";
import { findRetab } from "./find-retab.ts";
import { findSlots, type Placement, type Slot } from "./find-slot.ts";
import {
  isStrayDeletion,
  isStrayRest,
  isWithoutContext,
  madeLines,
  placeAsMade,
  settleMade,
} from "./made-before.ts";
import { driftOf, narrowPlaces } from "./narrow-places.ts";
import { findNearRepeat, findRepeat, type Repeat } from "./repeats.ts";
import { createRivals, type StatedRival } from "./stated-rival.ts";

/** Why one hunk goes nowhere. */
export interface Misfit {
  readonly hunk: Hunk;
  readonly code: Extract<ErrorCode, "ERR_PATCH_APPLY_FAILED" | "ERR_PATCH_AMBIGUOUS">;
  readonly reason: string;
  readonly hint?: string;
}

/** A place for every hunk, or what is wrong with the first ones that have none. */
export type Placing =
  | { readonly kind: "placed"; readonly placements: readonly Placement[] }
  | { readonly kind: "misfits"; readonly misfits: readonly Misfit[] };

/** Enough to repair a patch; more would only cost. */
const MOST_MISFITS = 3;

/**
 * Finds the one place of every hunk, by its whole old side. Where all hunks are as quoted at their
 * stated lines nothing else is asked; what fits several places is narrowed down or refused.
 */
export function placeHunks(lines: readonly string[], hunks: readonly Hunk[]): Placing {
  const made = placeAsMade(lines, hunks);
  if (made !== undefined) return { kind: "placed", placements: made };
  const stated = placeAsStated(lines, hunks);
  if (stated !== undefined) return doubtRepeats(lines, stated);
  const finder = createFinder(lines, hunks);
  const slots: Slot[] = [];
  const misfits: Misfit[] = [];
  const restored = inStatedOrder(retab(lines, decodeSigns(hunks, finder), finder));
  for (const hunk of restored) {
    const found = findSlots(lines, hunk, finder);
    slots.push(...found);
    const lost = found.find((slot) => slot.places.length === 0 && slot.hunk.before.length > 0);
    if (lost !== undefined) misfits.push(fitsNowhere(lines, lost.hunk, finder));
    if (misfits.length === MOST_MISFITS) break;
  }
  if (misfits.length > 0) return { kind: "misfits", misfits };
  settleMade(slots, restored, lines);
  narrowPlaces(slots, lines, finder);
  placeInsertions(slots, lines);
  return gather(slots, lines);
}

function placeAsStated(
  lines: readonly string[],
  hunks: readonly Hunk[],
): readonly Placement[] | undefined {
  const placements: Placement[] = [];
  for (const hunk of hunks) {
    const start = lines.length === 0 ? 0 : statedStart(hunk);
    if (start === undefined || !matchesAt(lines, hunk.before, start)) return undefined;
    placements.push({ hunk, place: exactly(start), done: false });
  }
  return placements;
}

/** The hunks with the file's kind of indentation, where the patch as a whole has the other one. */
function retab(lines: readonly string[], hunks: readonly Hunk[], finder: Finder): readonly Hunk[] {
  const isQuoted = ({ before }: Hunk) => before.length === 0 || finder.exact(before).length > 0;
  if (hunks.length === 1 || hunks.every(isQuoted)) return hunks;
  const quoted = hunks.flatMap(({ before }) => before);
  const convert = findRetab(quoted, lines, finder);
  if (convert === undefined) return hunks;
  return hunks.map((hunk) => withLines(hunk, (text) => convert(text) ?? text, "tabs"));
}

/** By their line numbers where all have some, so that hunks may come in any order. */
function inStatedOrder(hunks: readonly Hunk[]): readonly Hunk[] {
  const keyed = hunks.map((hunk) => ({ hunk, stated: statedStart(hunk) ?? Number.NaN }));
  if (keyed.some(({ stated }) => Number.isNaN(stated))) return hunks;
  return keyed.toSorted((a, b) => a.stated - b.stated).map(({ hunk }) => hunk);
}

/** Lines without any context go to their stated line, moved as far as both neighbours moved. */
function placeInsertions(slots: readonly Slot[], lines: readonly string[]): void {
  const above = lastDrifts(slots);
  const below = lastDrifts(slots.toReversed()).toReversed();
  for (const [i, slot] of slots.entries()) {
    const stated = statedStart(slot.hunk);
    if (slot.hunk.before.length > 0 || stated === undefined) continue;
    const drift = above[i] ?? below[i] ?? 0;
    const start = stated + drift;
    const agreed = drift === (below[i] ?? drift);
    if (agreed && start >= 0 && start <= lines.length) slot.places = [exactly(start)];
  }
}

/** For each slot the drift of the last slot before it that has one. */
function lastDrifts(slots: readonly Slot[]): readonly (number | undefined)[] {
  let last: number | undefined;
  return slots.map((slot) => {
    const drift = last;
    last = driftOf(slot) ?? last;
    return drift;
  });
}

/** The placements, unless one of them adds what is beside it already. */
function doubtRepeats(lines: readonly string[], placements: readonly Placement[]): Placing {
  const isQuoted = (line: number) =>
    placements.some(
      ({ hunk, place }) => place.start <= line && line < place.start + hunk.before.length,
    );
  const isWhole = (hunk: Hunk) =>
    placements.every((other) => other.hunk === hunk || other.hunk.number !== hunk.number);
  const nearRepeat = (hunk: Hunk, start: number) => {
    const repeat = findNearRepeat(lines, hunk, start);
    // What another hunk is about, or what the patch leaves out on purpose, was not forgotten.
    return repeat && !isWithoutContext(hunk) && isWhole(hunk) && !isQuoted(repeat.line)
      ? repeat
      : undefined;
  };
  const misfits = placements.flatMap(({ hunk, place, done }) => {
    // Without any context at its stated line it is as `diff -U0` writes it.
    const isBare = place.start === statedStart(hunk) && isWithoutContext(hunk);
    if (done || isBare) return [];
    const repeat = findRepeat(lines, hunk, place.start) ?? nearRepeat(hunk, place.start);
    return repeat === undefined ? [] : [addsAgain(lines, hunk, repeat)];
  });
  return misfits.length > 0 ? { kind: "misfits", misfits } : { kind: "placed", placements };
}

function addsAgain(
  lines: readonly string[],
  hunk: Hunk,
  { text, line, isNearly = false }: Repeat,
): Misfit {
  const added = JSON.stringify(shorten(text.trim(), 80));
  const reason = isNearly
    ? `it adds ${added}, which is like line ${line + 1}, right beside what it quotes; remove that line if this is its new form, or quote it as well`
    : `it adds ${added}, which is at line ${line + 1} already, right beside what it quotes; leave that out, or quote that line as well`;
  const hint = showAround(lines, line);
  return { hunk, code: "ERR_PATCH_APPLY_FAILED", reason, hint };
}

function gather(slots: readonly Slot[], lines: readonly string[]): Placing {
  const placements: Placement[] = [];
  const misfits: Misfit[] = [];
  const scene = {
    slots,
    lines,
    rivalOf: createRivals(lines, slots),
    made: madeLines(slots),
  };
  for (const slot of slots) {
    const { hunk, done } = slot;
    const [place, other] = slot.places;
    const misfit = findMisfit(slot, placements.at(-1), scene);
    if (misfit !== undefined) misfits.push(misfit);
    else if (place !== undefined && other === undefined) placements.push({ hunk, place, done });
  }
  if (misfits.length === 0) return doubtRepeats(lines, placements);
  return { kind: "misfits", misfits: misfits.slice(0, MOST_MISFITS) };
}

interface Scene {
  readonly slots: readonly Slot[];
  readonly lines: readonly string[];
  readonly rivalOf: (slot: Slot) => StatedRival | undefined;
  /** Indexes of lines with hunks that were made before. */
  readonly made: readonly number[];
}

/** Why a slot is not used, given the placement above it. */
function findMisfit(
  slot: Slot,
  above: Placement | undefined,
  { slots, lines, rivalOf, made }: Scene,
): Misfit | undefined {
  const { hunk, places } = slot;
  const [place, other] = places;
  if (place === undefined) return noContext(hunk);
  // A part that changes nothing is evidence where it is clear, and no harm where it is not.
  if (other !== undefined) return changes(hunk) ? fitsSeveral(lines, hunk, places) : undefined;
  if (above?.hunk.number === hunk.number && isAbove(place, above)) return outOfOrder(hunk);
  if (isStrayDeletion(slot, place, slots)) return onlyDeletes(hunk, place);
  if (made.length > 0 && isStrayRest(slot, place)) return notWhereRestIs(hunk, place, made);
  const rival = changes(hunk) ? rivalOf(slot) : undefined;
  return rival && fitsElsewhere(hunk, place, rival);
}

const FITS_NOWHERE =
  "it fits nowhere as it is quoted; send hunks with three lines of context, copied from the file as it is now";

function fitsNowhere(lines: readonly string[], hunk: Hunk, finder: Finder): Misfit {
  return {
    hunk,
    code: "ERR_PATCH_APPLY_FAILED",
    reason: FITS_NOWHERE,
    hint: describeNearest(lines, hunk, finder),
  };
}

function changes(hunk: Hunk): boolean {
  return hunk.lines.some(({ kind }) => kind !== "keep");
}

/** Whether a part of a hunk is not wholly below the part above it. */
function isAbove({ start }: Place, above: Placement): boolean {
  const { length } = above.done ? above.hunk.after : above.hunk.before;
  return start < above.place.start + length;
}

function outOfOrder(hunk: Hunk): Misfit {
  return {
    hunk,
    code: "ERR_PATCH_APPLY_FAILED",
    reason: "its parts around left-out lines are in another order in the file; quote them whole",
  };
}

function fitsElsewhere(hunk: Hunk, { start }: Place, rival: StatedRival): Misfit {
  const line = rival.line + 1;
  const reason =
    rival.kind === "new side"
      ? `it was perhaps applied before: its new side is at line ${line} as it says, its old side only at line ${start + 1}; leave it out, or state that line`
      : `it fits line ${start + 1}, but it states line ${line}, where most of its lines are; quote that block as it is now, or state the other line`;
  return { hunk, code: "ERR_PATCH_AMBIGUOUS", reason };
}

function notWhereRestIs(hunk: Hunk, { start }: Place, made: readonly number[]): Misfit {
  const shown = made.slice(0, 10).map((line) => line + 1);
  const where = `${made.length === 1 ? "line" : "lines"} ${shown.join(", ")}${made.length > shown.length ? " and more" : ""}`;
  const reason = `others of the patch, at ${where}, were made before, and what it quotes is at line ${start + 1}, not where it says; leave it out if it was made as well, or give it more context`;
  return { hunk, code: "ERR_PATCH_AMBIGUOUS", reason };
}

function onlyDeletes(hunk: Hunk, { start }: Place): Misfit {
  const reason = `it only deletes, without context, and what it deletes is at line ${start + 1}, not where it says; give it context lines`;
  return { hunk, code: "ERR_PATCH_AMBIGUOUS", reason };
}

function noContext(hunk: Hunk): Misfit {
  return {
    hunk,
    code: "ERR_PATCH_APPLY_FAILED",
    reason: "it only adds lines and nothing says where; give it context lines",
  };
}

function fitsSeveral(lines: readonly string[], hunk: Hunk, places: readonly Place[]): Misfit {
  let more = "";
  const some = firstOf(places, 10).take(() => {
    more = " and more"; // the reason says how many
  });
  const shown = some.map(({ start }) => start + 1).join(", ");
  const count = places.length < MOST_PLACES ? `${places.length}` : `${MOST_PLACES} or more`;
  return {
    hunk,
    code: "ERR_PATCH_AMBIGUOUS",
    reason: `it fits ${count} places; give it more context lines`,
    hint: `Hunk ${hunk.number} fits at lines ${shown}${more} of ${lines.length}`,
  };
}
