import { hasWords } from "../hunks/hunks.ts";
import type { Edit } from "./edit.ts";
import { type FlatText, findSpans, type Span } from "./flat-text.ts";

interface Insertion extends Pick<Edit, "before" | "after"> {
  readonly text: FlatText;
}

/**
 * An insertion leaves its old text in place, so only the new text around it shows that it was made
 * before. A mere copy of the old text shows nothing.
 */
export function isInserted({ text, before, after }: Insertion, { start, end }: Span): boolean {
  const isBehind = after.startsWith(before);
  if (!isBehind && !after.endsWith(before)) return false;
  const added = isBehind ? after.slice(before.length) : after.slice(0, -before.length);
  const from = isBehind ? start : end - after.length;
  if (!added.split("\n").some(hasWords) || added.trim() === before.trim()) return false;
  if (from < 0 || findSpans(text, after, from, from + 1).length === 0) return false;
  // What is added as a line is not there where a line only begins, or ends, like it.
  return isBehind
    ? !isEdge(text, end) || isEdge(text, from + after.length)
    : !isEdge(text, start) || isEdge(text, from);
}

/** Whether a line begins or ends at an offset. */
function isEdge({ flat }: FlatText, at: number): boolean {
  return at === 0 || at === flat.length || flat[at - 1] === "\n" || flat[at] === "\n";
}
