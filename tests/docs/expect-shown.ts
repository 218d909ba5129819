import { expect } from "bun:test";
import { stripANSI } from "bun";

/** What differs from run to run, and how it is written down here. */
const VARIES: readonly (readonly [RegExp, string])[] = [
  [/\b(plan|tx|ap|trace|ws)_[0-9a-z]{16}\b/gu, "$1_#"],
  [/\b[0-9a-f]{8,64}\b/gu, "#"],
  [/\b\d+(?:\.\d+)? s\b/gu, "# s"],
  [/\s+/gu, " "],
];

function withoutWhatVaries(text: string): string {
  return VARIES.reduce((all, [pattern, put]) => all.replaceAll(pattern, put), stripANSI(text));
}

/**
 * Expects all that a page shows in what was printed, in the page's order: line by line, a "…" for
 * whatever is between; ids, hashes and times may be others.
 */
export function expectShown(page: string, printed: string): void {
  const actual = withoutWhatVaries(printed);
  let from = 0;
  for (const piece of page.split(/[\n…]/u)) {
    const expected = withoutWhatVaries(piece).trim();
    const at = actual.indexOf(expected, from);
    if (at === -1) expect(actual.slice(from)).toContain(expected);
    from = at + expected.length;
  }
}
