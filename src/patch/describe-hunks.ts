import type { HunkNote } from "../texts/notes/notes.ts";
import { type Hunk, partsByHunk, statedStart } from "./hunks/hunks.ts";
import type { PlacedHunk } from "./patch-result.ts";
import type { Match, Placement } from "./places/places.ts";

const DIFFERS = {
  quoted: undefined,
  blanks: "blanks",
  signs: "signs",
  spaced: "blank lines",
  misquoted: "context",
} as const satisfies Record<Match, HunkNote | undefined>;

/**
 * What was done with each hunk, in the order of the patch: where it went and all that was
 * tolerated.
 */
export function describeHunks(
  placements: readonly Placement[],
  skipped: ReadonlyMap<Hunk, "there" | "twice">,
): readonly PlacedHunk[] {
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
): PlacedHunk {
  const [first] = parts;
  const line = (first?.place.start ?? 0) + 1;
  if (first !== undefined && isPlain(first) && !skipped.has(first.hunk)) {
    return { line, matched: "exact", said: [] };
  }
  const tolerated = describeTolerance(parts);
  const drift = first === undefined ? 0 : driftOf(first);
  const matched = tolerated.length > 0 ? "tolerant" : drift === 0 ? "exact" : "drifted";
  const skip = first && skipped.get(first.hunk);
  if (skip !== undefined && parts.every(({ hunk }) => skipped.get(hunk) === skip)) {
    return { line, matched, said: [skip] };
  }
  const moved = drift === 0 ? [] : [{ kind: "moved", facts: { lines: drift } } as const];
  return { line, matched, said: [...moved, ...tolerated] };
}

/** Most hunks are as quoted at the lines that they state. */
function isPlain({ hunk, place }: Placement): boolean {
  return (
    place.match === "quoted" && hunk.repairs === undefined && place.start === statedStart(hunk)
  );
}

/** In what ways the quotations of these places are not as the source has them, each once. */
export function describeTolerance(placements: readonly Placement[]): readonly HunkNote[] {
  const notes = placements.flatMap(({ hunk, place }) => {
    const differs = DIFFERS[place.match];
    return [...(hunk.repairs ?? []), ...(differs === undefined ? [] : [differs])];
  });
  return [...new Map(notes.map((note) => [JSON.stringify(note), note])).values()];
}

/** Nothing is known where no line is stated, or the first line may not be the file's. */
function driftOf({ hunk, place }: Placement): number {
  const stated = place.match === "misquoted" ? undefined : statedStart(hunk);
  return stated === undefined ? 0 : place.start - stated;
}
