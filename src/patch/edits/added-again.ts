import type { Hunk } from "../hunks/hunks.ts";
import { isAlike } from "../lines/lines.ts";
import { findNearRepeat, findRepeat, findTuckedIn, type Repeat } from "../places/places.ts";
import type { Edit } from "./edit.ts";
import { toHunk } from "./edit-hunk.ts";
import type { Search } from "./find-before.ts";
import { lineAt, type Span } from "./flat-text.ts";

/** So many lines on both sides are looked at for the edges of the new text. */
const NEAR = 20;

/**
 * The line that an edit of whole lines adds at its edge although the file has it right beside them,
 * or has what it is a new form of.
 */
export function findAddedAgain(search: Search, { start, end }: Span): Repeat | undefined {
  const { text, before, after, number } = search;
  const { flat, starts, origin } = text;
  // A line end that both begin with is that of the line above.
  const isBelow = before.startsWith("\n") && after.startsWith("\n");
  const tail = sharedTail(search);
  if (tail > 0 && end < flat.length && flat[end] !== "\n") {
    const cut = { ...search, before: before.slice(0, -tail), after: after.slice(0, -tail) };
    return findAddedAgain(cut, { start, end: end - tail });
  }
  const from = lineAt(text, isBelow ? start + 1 : start);
  const isWhole =
    (isBelow || flat.slice(starts[from], start).trim() === "") &&
    (before.endsWith("\n") || end === flat.length || flat[end] === "\n");
  if (!isWhole) return undefined;
  const [old, renewed] = [edgesOf(before), edgesOf(after)];
  const behind = lineAt(text, Math.max(start, end - 1)) + 1;
  const above = origin.lines.slice(Math.max(0, from - NEAR), from);
  const below = origin.lines.slice(behind, behind + NEAR);
  const isGap = quotesGap(search, origin.lines[from - 1], origin.lines[behind]);
  const isIn = (lines: readonly string[], line: string) => lines.some((own) => isAlike(own, line));
  const mayRepeat =
    (renewed.last !== old.last && isIn(below, renewed.last)) ||
    (renewed.first !== old.first && isIn(above, renewed.first));
  if (!mayRepeat && !isGap) return undefined;
  const cut = isBelow ? { before: before.slice(1), after: after.slice(1) } : search;
  const hunk = toHunk(cut, number);
  return findRepeated(origin.lines, hunk, from, isGap);
}

/** What a hunk of an edit adds although the file has it beside the hunk, or a form of it. */
export function findRepeated(
  lines: readonly string[],
  hunk: Hunk,
  start: number,
  isGap: boolean,
): Repeat | undefined {
  return (
    findRepeat(lines, hunk, start) ??
    findNearRepeat(lines, hunk, start) ??
    (isGap ? findTuckedIn(lines, hunk, start) : undefined)
  );
}

/** Whether an edit quotes a blank line at an edge where the file has words. */
export function quotesGap(
  { before }: Pick<Edit, "before">,
  above: string | undefined,
  below: string | undefined,
): boolean {
  const [first, ...more] = before.split("\n");
  const isAbove = first?.trim() === "" && more.length > 0 && (above ?? "").trim() !== "";
  const isBelow = /\n[ \t]*\n[ \t]*$/.test(before) && (below ?? "").trim() !== "";
  return isAbove || isBelow;
}

/** The length of the beginning of a line that both texts end with, if they do. */
function sharedTail({ before, after }: Search): number {
  const tail = before.slice(before.lastIndexOf("\n") + 1);
  const isShared = tail.length < before.length && after.endsWith(`\n${tail}`);
  return isShared ? tail.length : 0;
}

function edgesOf(text: string): { readonly first: string; readonly last: string } {
  const words = text.trim();
  return {
    first: words.slice(0, (words.indexOf("\n") + 1 || words.length + 1) - 1),
    last: words.slice(words.lastIndexOf("\n") + 1),
  };
}
