import type { Hunk } from "../../hunks/hunks.ts";
import { indentOf } from "./indents.ts";

/**
 * Whether every added line begins with one blank more than lines of its hunk do, as where a blank was
 * put behind each marker (`+ text`) though the context has none: how deep they go is not known then.
 */
export function hasOneBlankMore(hunks: readonly Hunk[]): boolean {
  let count = 0;
  for (const { lines, before } of hunks) {
    const known = new Set(before.filter((line) => line.trim() !== "").map(indentOf));
    for (const { kind, text } of lines) {
      if (kind !== "add" || text.trim() === "") continue;
      const indent = indentOf(text);
      // A star below the beginning of a comment is where it belongs.
      const isMore = indent.startsWith(" ") && !known.has(indent) && known.has(indent.slice(1));
      if (!isMore || text.trimStart().startsWith("*")) return false;
      count++;
    }
  }
  return count > 0;
}
