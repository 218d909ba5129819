import { isSameLine } from "../lines/lines.ts";
import { findRepeat, type Repeat } from "../places/places.ts";
import { toHunk } from "./edit-hunk.ts";
import type { Search } from "./find-before.ts";
import { lineAt, type Span } from "./flat-text.ts";

/** So many lines on both sides are looked at for the edges of the new text. */
const NEAR = 20;

/**
 * The line that an edit of whole lines adds at its edge although the file has it right beside them.
 */
export function findAddedAgain(search: Search, { start, end }: Span): Repeat | undefined {
  const { text, before, after, number } = search;
  const { flat, starts, origin } = text;
  const from = lineAt(text, start);
  const isWhole =
    flat.slice(starts[from], start).trim() === "" &&
    (before.endsWith("\n") || end === flat.length || flat[end] === "\n");
  if (!isWhole) return undefined;
  const [old, renewed] = [edgesOf(before), edgesOf(after)];
  const behind = lineAt(text, Math.max(start, end - 1)) + 1;
  const above = origin.lines.slice(Math.max(0, from - NEAR), from);
  const below = origin.lines.slice(behind, behind + NEAR);
  const isIn = (lines: readonly string[], line: string) =>
    lines.some((own) => isSameLine(own, line));
  const mayRepeat =
    (renewed.last !== old.last && isIn(below, renewed.last)) ||
    (renewed.first !== old.first && isIn(above, renewed.first));
  return mayRepeat ? findRepeat(origin.lines, toHunk(search, number), from) : undefined;
}

function edgesOf(text: string): { readonly first: string; readonly last: string } {
  const words = text.trim();
  return {
    first: words.slice(0, (words.indexOf("\n") + 1 || words.length + 1) - 1),
    last: words.slice(words.lastIndexOf("\n") + 1),
  };
}
