import { type Hunk, hasWords, statedStart } from "../hunks/hunks.ts";
import { madeAt } from "./already-there.ts";
import type { Slot } from "./find-slot.ts";
import { driftOf } from "./narrow-places.ts";

/** Line numbers of models are often a line or two off. */
const NEARBY = 2;
/** This part of the old side has to be left at the stated line to be what was intended. */
const MOST = 0.7;

/**
 * What is where a header points, though its hunk would go elsewhere: the new side, so that the
 * change was perhaps made before, or most of the old side, so that the file was perhaps edited
 * since. `line` is an index.
 */
export interface StatedRival {
  readonly kind: "new side" | "old side";
  readonly line: number;
}

/**
 * Says for decided slots what is evidence against their place. Another hunk that is as far off from
 * its stated line explains the distance; then nothing does.
 */
export function createRivals(
  lines: readonly string[],
  slots: readonly Slot[],
): (slot: Slot) => StatedRival | undefined {
  let shared: ReadonlySet<number> | undefined;
  return (slot) => {
    const start = slot.places[0]?.start;
    if (slot.done || start === undefined || start === statedStart(slot.hunk)) return undefined;
    const rival = findRival(lines, slot.hunk);
    if (rival === undefined) return undefined;
    // An insertion that was made before leaves its old side beside the new one.
    if (rival.kind === "old side" && overlaps(slot.hunk, start, rival.line)) return undefined;
    const drift = driftOf(slot);
    return drift !== undefined && (shared ??= sharedDrifts(slots)).has(drift) ? undefined : rival;
  };
}

function findRival(lines: readonly string[], hunk: Hunk): StatedRival | undefined {
  const made = madeAt(lines, hunk);
  if (made !== undefined) return { kind: "new side", line: made };
  const line = leftAt(lines, hunk);
  return line === undefined ? undefined : { kind: "old side", line };
}

/** Where most lines of the old side are, at or near the stated line. */
function leftAt(lines: readonly string[], hunk: Hunk): number | undefined {
  const stated = statedStart(hunk);
  if (stated === undefined) return undefined;
  const quoted = hunk.before.flatMap((line, k) => (line.trim() === "" ? [] : [{ k, line }]));
  for (let start = stated - NEARBY; start <= stated + NEARBY; start++) {
    const left = quoted.filter(({ k, line }) => lines[start + k]?.trim() === line.trim());
    const isMost = left.length >= quoted.length * MOST;
    // A whole one was among the places, and other evidence was against it.
    if (isMost && left.filter(({ line }) => hasWords(line)).length > 1) {
      return left.length === quoted.length ? undefined : Math.max(0, start);
    }
  }
  return undefined;
}

function overlaps({ before }: Hunk, start: number, line: number): boolean {
  return start < line + before.length && line < start + before.length;
}

/** How far off more than one hunk is. */
function sharedDrifts(slots: readonly Slot[]): ReadonlySet<number> {
  const seen = new Set<number>();
  const shared = new Set<number>();
  for (const slot of slots) {
    const drift = driftOf(slot);
    if (drift !== undefined && seen.size === seen.add(drift).size) shared.add(drift);
  }
  return shared;
}
