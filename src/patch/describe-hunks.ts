import { type Hunk, partsByHunk, statedStart } from "./hunks/hunks.ts";
import type { AppliedHunk } from "./patch-result.ts";
import type { Match, Placement } from "./places/places.ts";

const DIFFERS = {
  quoted: undefined,
  blanks: "blanks at line ends or indentation differ",
  signs: "blanks, quotes or Unicode forms differ",
  spaced: "blank lines differ",
  misquoted: "a few context lines differ",
} as const satisfies Record<Match, string | undefined>;

const SKIPPED = {
  there: "already there, nothing to do",
  twice: "written twice, applied once",
} as const;

/**
 * What was done with each hunk, in the order of the patch: where it went and all that was
 * tolerated.
 */
export function describeHunks(
  placements: readonly Placement[],
  skipped: ReadonlyMap<Hunk, "there" | "twice">,
): readonly AppliedHunk[] {
  // The most frequent patch by far; grouping costs more than all the rest here.
  if (placements.length === 1) return [describeHunk(placements, skipped)];
  return Array.from(partsByHunk(placements))
    .toSorted(([a], [b]) => a - b)
    .map(([, own]) => describeHunk(own, skipped));
}

/** One hunk, or its parts where lines were left out. */
function describeHunk(
  parts: readonly Placement[],
  skipped: ReadonlyMap<Hunk, "there" | "twice">,
): AppliedHunk {
  const [first] = parts;
  const line = (first?.place.start ?? 0) + 1;
  if (first !== undefined && isPlain(first) && !skipped.has(first.hunk)) {
    return { line, matched: "exact" };
  }
  const tolerated = describeTolerance(parts);
  const drift = first === undefined ? 0 : driftOf(first);
  const matched = tolerated.length > 0 ? "tolerant" : drift === 0 ? "exact" : "drifted";
  const skip = first && skipped.get(first.hunk);
  if (skip !== undefined && parts.every(({ hunk }) => skipped.get(hunk) === skip)) {
    return { line, matched, note: SKIPPED[skip] };
  }
  if (matched === "exact") return { line, matched };
  const moved = drift === 0 ? [] : [describeDrift(drift)];
  return { line, matched, note: [...moved, ...tolerated].join(", ") };
}

/** Most hunks are as quoted at the lines that they state. */
function isPlain({ hunk, place }: Placement): boolean {
  return (
    place.match === "quoted" && hunk.repairs === undefined && place.start === statedStart(hunk)
  );
}

/** For people: in what ways the quotations of these places are not as the source has them. */
export function describeTolerance(placements: readonly Placement[]): readonly string[] {
  const notes = placements.flatMap(({ hunk, place }) => {
    const differs = DIFFERS[place.match];
    return [...(hunk.repairs ?? []), ...(differs === undefined ? [] : [differs])];
  });
  return [...new Set(notes)];
}

/** Nothing is known where no line is stated, or the first line may not be the file's. */
function driftOf({ hunk, place }: Placement): number {
  const stated = place.match === "misquoted" ? undefined : statedStart(hunk);
  return stated === undefined ? 0 : place.start - stated;
}

function describeDrift(drift: number): string {
  const lines = Math.abs(drift) === 1 ? "line" : "lines";
  return `found ${Math.abs(drift)} ${lines} ${drift > 0 ? "lower" : "higher"}`;
}
