import type { Finder } from "./find-places.ts";
import { type Hunk, statedStart } from "./hunk.ts";

/** A line that stands oftener says little about where a block is. */
const OFTEN = 50;
const MOST_LINES = 14;
const MOST_CHARS = 160;

/**
 * The block of the source that has most lines in common with a hunk that fits nowhere: its lines
 * with their numbers, and the first line that differs. For the one who has to mend the patch.
 */
export function describeNearest(lines: readonly string[], hunk: Hunk, finder: Finder): string {
  const start = nearestStart(hunk, finder);
  if (start === undefined) {
    return `None of the lines that hunk ${hunk.number} quotes is in the file`;
  }
  const words = hunk.before.findIndex((line, k) => line.trim() !== lines[start + k]?.trim());
  const differs = words < 0 ? hunk.before.findIndex((line, k) => line !== lines[start + k]) : words;
  const first = Math.max(0, start, start + differs - MOST_LINES / 2);
  const last = Math.min(lines.length, start + hunk.before.length, first + MOST_LINES);
  const block = lines.slice(first, last).map((line, k) => `${first + k + 1}|${clip(line)}`);
  const wanted = hunk.before[differs] ?? "";
  const found = lines[start + differs];
  const has = found === undefined ? "the file has no such line" : `the file has "${clip(found)}"`;
  return [
    `Hunk ${hunk.number} comes nearest to lines ${first + 1}-${last}:`,
    ...block,
    `At line ${start + differs + 1} ${has}, the hunk "${clip(wanted)}"`,
  ].join("\n");
}

/** Every quoted line votes for the start that it implies; ties go to the stated line. */
function nearestStart(hunk: Hunk, finder: Finder): number | undefined {
  const votes = new Map<number, number>();
  for (const [offset, line] of hunk.before.entries()) {
    if (line.trim() === "") continue;
    const places = finder.positions(line);
    if (places.length > OFTEN) continue;
    for (const at of places) votes.set(at - offset, (votes.get(at - offset) ?? 0) + 1);
  }
  const stated = statedStart(hunk) ?? 0;
  const better = (a: [number, number], b: [number, number]) =>
    b[1] - a[1] || Math.abs(a[0] - stated) - Math.abs(b[0] - stated);
  return [...votes].toSorted(better)[0]?.[0];
}

function clip(line: string): string {
  return line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS)}…` : line;
}
