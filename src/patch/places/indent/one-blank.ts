import type { Hunk, HunkLine } from "../../hunks/hunks.ts";
import { indentOf } from "./indents.ts";

/**
 * Whether every added line begins with one blank more than lines of its hunk do, as where a blank was
 * put behind each marker (`+ text`) though the context has none: how deep they go is not known then.
 * Known it is of a line that goes and comes back deeper, and of one behind an open bracket.
 */
export function hasOneBlankMore(hunks: readonly Hunk[]): boolean {
  let count = 0;
  for (const { lines, before } of hunks) {
    const known = new Set(before.filter((line) => line.trim() !== "").map(indentOf));
    for (const [at, { kind, text }] of lines.entries()) {
      if (kind !== "add" || text.trim() === "") continue;
      const indent = indentOf(text);
      // A star below the beginning of a comment is where it belongs.
      const isMore = indent.startsWith(" ") && !known.has(indent) && known.has(indent.slice(1));
      if (!isMore || text.trimStart().startsWith("*")) return false;
      if (isMoved(lines, text) || isAligned(lines.slice(0, at), indent)) return false;
      count++;
    }
  }
  return count > 0;
}

/** Nothing else is changed in it: to be deeper is what it is there for. */
function isMoved(lines: readonly HunkLine[], added: string): boolean {
  return lines.some(({ kind, text }) => kind === "remove" && text.trim() === added.trim());
}

/** Whether the line above begins with a bracket, one blank less deep, that it leaves open. */
function isAligned(above: readonly HunkLine[], indent: string): boolean {
  const line = above.findLast(({ kind, text }) => kind !== "remove" && text.trim() !== "")?.text;
  if (line === undefined || !line.startsWith(indent.slice(1))) return false;
  const words = line.slice(indent.length - 1);
  const count = (signs: RegExp) => words.match(signs)?.length ?? 0;
  return /^[([{<](?=\S)/.test(words) && count(/[([{<]/g) > count(/[)\]}>]/g);
}
