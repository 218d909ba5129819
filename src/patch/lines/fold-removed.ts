import { foldQuotes } from "./fold-line.ts";

const LITERAL = /("[^"]*"|'[^']*'|`[^`]*`)/;
const LONE_QUOTE = /["'`\u2018-\u201F\u2032\u2033\u00AB\u00BB]/;
/** Blanks between two words and between two operators are needed, all others are layout. */
const LAYOUT = / (?!(?<=[\p{L}\p{N}_$] )[\p{L}\p{N}_$]|(?<=[-+*/%&|^~!?<>=] )[-+*/%&|^~!?<>=])/gu;

/**
 * A line up to layout and quote style: as much as a line that is taken away may differ.
 *
 * Blanks inside a string literal are no layout. Where the quotes do not pair, every blank may be
 * inside of one.
 */
export function foldRemoved(line: string): string {
  const parts = line.trim().split(LITERAL);
  const isCode = (_: string, i: number) => i % 2 === 0;
  if (parts.filter(isCode).some((part) => LONE_QUOTE.test(part))) return foldQuotes(line.trim());
  return parts
    .map((part, i) => (isCode(part, i) ? part.replace(/[ \t]+/g, " ").replace(LAYOUT, "") : part))
    .map(foldQuotes)
    .join("");
}
