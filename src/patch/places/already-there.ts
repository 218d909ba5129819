import { type Hunk, type HunkLine, hasWords } from "../hunks/hunks.ts";
import { createLineIndex, foldLine } from "../lines/lines.ts";
import { matchesAt, type Place } from "./find-places.ts";

/**
 * Whether the new side of a hunk proves by being in the file that the change was made: added lines
 * with words in them, or for a mere deletion context on both sides of the gap.
 */
export function saysSomething(hunk: Hunk): boolean {
  if (isPiece(hunk.after, hunk.before)) return false;
  const added = hunk.lines.filter((line) => line.kind === "add");
  if (added.length > 0) return added.some((line) => hasWords(line.text));
  const removed = ({ kind }: HunkLine) => kind === "remove";
  const above = hunk.lines.slice(0, hunk.lines.findIndex(removed));
  const below = hunk.lines.slice(hunk.lines.findLastIndex(removed) + 1);
  return [above, below].every((side) => side.some(({ text }) => hasWords(text)));
}

function isPiece(block: readonly string[], lines: readonly string[]): boolean {
  if (block.length > lines.length) return false;
  return createLineIndex(lines, (line) => line).find(block, 1).length > 0;
}

/** Where the new side is exactly as the header says it will be. All lines are indexes. */
export function madeAt(
  lines: readonly string[],
  { after, stated }: Pick<Hunk, "after" | "stated">,
): number | undefined {
  const start = (stated?.newStart ?? 0) - 1;
  return after.some(hasWords) && matchesAt(lines, after, start) ? start : undefined;
}

/**
 * Where the new side of an insertion is that was made before. At the edge of its hunk that leaves
 * the old side in place, so only the inserted lines next to it show it.
 */
export function insertedAt(lines: readonly string[], hunk: Hunk, place: Place): number | undefined {
  if (hunk.lines.some((line) => line.kind === "remove")) return undefined;
  const isWhole = hunk.before.length === 0 && hunk.after.length === lines.length;
  // A diff without context below is about the end of the file.
  const isEnd =
    hunk.lines.at(-1)?.kind === "add" && place.start + hunk.after.length === lines.length;
  const says =
    isWhole || isEnd || hunk.lines.some((line) => line.kind === "add" && hasWords(line.text));
  if (!says) return undefined;
  const isAt = (start: number) =>
    place.match === "quoted"
      ? matchesAt(lines, hunk.after, start)
      : hunk.after.every((line, k) => foldLine(line) === foldLine(lines[start + k] ?? ""));
  if (hunk.lines.at(-1)?.kind === "add" && isAt(place.start)) return place.start;
  // Lines without context that are the same as those above them go below those: so diffs have it.
  if (hunk.before.length === 0) return undefined;
  const above = place.start + hunk.before.length - hunk.after.length;
  return hunk.lines[0]?.kind === "add" && isAt(above) ? above : undefined;
}

/** The lines that a hunk has added where its new side is at `start`. */
export function addedLines({ lines }: Hunk, start: number): readonly number[] {
  const renewed = lines.filter(({ kind }) => kind !== "remove");
  return renewed.flatMap(({ kind }, k) => (kind === "add" ? [start + k] : []));
}

/** The lines that a hunk removes where its old side is at `start`. */
export function removedLines({ lines }: Hunk, start: number): readonly number[] {
  const quoted = lines.filter(({ kind }) => kind !== "add");
  return quoted.flatMap(({ kind }, k) => (kind === "remove" ? [start + k] : []));
}
