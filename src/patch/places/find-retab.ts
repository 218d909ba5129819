import type { Finder } from "./find-places.ts";
import { findScale, findTabs, indentOf, type Reindent } from "./indent/indent.ts";

/**
 * How all that is quoted of a file has tabs for its blanks, the other way round, or steps of
 * another width.
 *
 * What some lines show holds for the others as well: a hunk or an edit that quotes no indented line
 * may still add some. Undefined where lines that occur once in the file disagree.
 */
export function findRetab(
  quoted: readonly string[],
  lines: readonly string[],
  finder: Finder,
): Reindent | undefined {
  const pairs = quoted.flatMap((text) => {
    const [at, other] = text.trim() === "" ? [] : finder.positions(text);
    if (at === undefined || other !== undefined) return [];
    return [{ mine: indentOf(text), theirs: indentOf(lines[at] ?? "") }];
  });
  return findTabs(pairs) ?? findScale(pairs);
}
