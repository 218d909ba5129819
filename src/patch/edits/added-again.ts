import { isAlike } from "../lines/lines.ts";
import { findNearRepeat, findRepeat, type Repeat } from "../places/places.ts";
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
  const isIn = (lines: readonly string[], line: string) => lines.some((own) => isAlike(own, line));
  const mayRepeat =
    (renewed.last !== old.last && isIn(below, renewed.last)) ||
    (renewed.first !== old.first && isIn(above, renewed.first));
  if (!mayRepeat) return undefined;
  const cut = isBelow ? { before: before.slice(1), after: after.slice(1) } : search;
  const hunk = toHunk(cut, number);
  return findRepeat(origin.lines, hunk, from) ?? findNearRepeat(origin.lines, hunk, from);
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
