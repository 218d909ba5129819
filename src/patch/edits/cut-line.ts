import { createLeaks, type Finder } from "../places/places.ts";
import type { Edit } from "./edit.ts";
import { toHunk } from "./edit-hunk.ts";
import { type FlatText, lineAt, type Span } from "./flat-text.ts";

/**
 * The line of the file, as an index, of which an edit quotes all but some signs at its end, as both of
 * its texts have it, where the edit changes such signs elsewhere: it is quoted as it is to be.
 */
export function findLeakAtEnd(
  text: FlatText,
  { before, after }: Pick<Edit, "before" | "after">,
  { end }: Span,
  finder: Finder,
): number | undefined {
  const { flat, starts } = text;
  const quoted = before.slice(before.lastIndexOf("\n") + 1);
  const isShared = quoted.length < before.length && after.endsWith(`\n${quoted}`);
  if (!isShared || end >= flat.length || flat[end] === "\n") return undefined;
  const line = lineAt(text, end);
  const theirs = flat.slice(starts[line], starts[line + 1]).trimEnd();
  if (/[\p{L}\p{N}_]/u.test(theirs.slice(end - (starts[line] ?? 0)))) return undefined;
  const leaks = createLeaks(toHunk({ before, after }, 1).lines, finder.goal);
  return leaks.misquoted(quoted, theirs) === "slip" ? undefined : line;
}
