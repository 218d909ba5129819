import { type Hunk, partsByHunk, statedStart } from "../hunks/hunks.ts";
import { exactly, matchesAt, type Place } from "./find-places.ts";
import type { Placement, Slot } from "./find-slot.ts";
import { driftOf } from "./narrow-places.ts";

/** Whether a hunk quotes nothing that stays. */
export function isWithoutContext({ lines }: Hunk): boolean {
  return lines.every(({ kind }) => kind !== "keep");
}

/**
 * A patch without any context that was made before: it has no other sign of that than its new lines,
 * all exactly where it says they will be. Lines put in below the same ones are not: diffs put them
 * below the last.
 */
export function placeAsMade(
  lines: readonly string[],
  hunks: readonly Hunk[],
): readonly Placement[] | undefined {
  // What changes is perhaps only how the file ends.
  if (hunks.some((hunk) => hunk.oldUnterminated || hunk.newUnterminated)) return undefined;
  if (!hunks.every(isWithoutContext) || !hunks.some(({ after }) => after.length > 0)) {
    return undefined;
  }
  const placements = hunks.map((hunk) => ({ hunk, place: exactly(newStart(hunk)), done: true }));
  const isMade = placements.every(({ hunk, place }) => matchesAt(lines, hunk.after, place.start));
  return isMade ? placements : undefined;
}

/** Index of the line at which the header says the new side will begin. */
function newStart({ stated, after }: Hunk): number {
  return (stated?.newStart ?? 0) - (after.length === 0 ? 0 : 1);
}

/**
 * Where one hunk was made before, the others probably were: those are there whose new side is
 * exactly where the header says, though its lines alone would prove nothing.
 */
export function settleMade(slots: Slot[], hunks: readonly Hunk[], lines: readonly string[]): void {
  if (!slots.some(({ done }) => done)) return;
  const byNumber = new Map(hunks.map((hunk) => [hunk.number, hunk]));
  const parts = partsByHunk(slots);
  for (const [i, slot] of slots.entries()) {
    // As it was before it was laid on the file.
    const hunk = byNumber.get(slot.hunk.number);
    const isWhole = parts.get(slot.hunk.number)?.length === 1;
    if (!slot.done && isWhole && hunk !== undefined && isMadeAt(lines, hunk, newStart(hunk))) {
      slots[i] = { hunk, places: [exactly(newStart(hunk))], done: true };
    }
  }
}

/** Whether the new side is at a line, and not the old one as well. */
function isMadeAt(
  lines: readonly string[],
  { before, after, lines: own }: Hunk,
  start: number,
): boolean {
  if (after.length === 0 || !matchesAt(lines, after, start)) return false;
  // Without context below, the old side was the end of the file.
  const isEnd = own.at(-1)?.kind === "add" && start + after.length === lines.length;
  return isEnd || before.length === 0 || !matchesAt(lines, before, start);
}

/** Indexes of the lines with hunks that were made before and are exactly where their headers say. */
export function madeLines(slots: readonly Slot[]): readonly number[] {
  return slots.flatMap(({ hunk, places, done }) => {
    const start = newStart(hunk);
    return done && places[0]?.start === start ? [start] : [];
  });
}

/**
 * Whether a hunk of a patch that was made in part would go to other lines than it says: perhaps it
 * was made as well, and changes what is like it.
 */
export function isStrayRest({ hunk, done }: Slot, { start }: Place): boolean {
  const stated = statedStart(hunk);
  if (done || stated === undefined) return false;
  const renewed = newStart(hunk);
  return start < Math.min(stated, renewed) || start > Math.max(stated, renewed);
}

/**
 * Whether a hunk only deletes, without context, and not at its stated line: perhaps it was made
 * before, and what is elsewhere is only like that. Another hunk as far off explains it.
 */
export function isStrayDeletion(slot: Slot, { start }: Place, slots: readonly Slot[]): boolean {
  const { hunk, done } = slot;
  const stated = statedStart(hunk);
  if (done || stated === undefined || stated === start || hunk.after.length > 0) return false;
  const drift = driftOf(slot);
  return !slots.some((other) => other !== slot && drift !== undefined && driftOf(other) === drift);
}
