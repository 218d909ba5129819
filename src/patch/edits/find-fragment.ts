import { type FlatText, type Span, WORD } from "./flat-text.ts";

/** A longer fragment is quoted as whole lines; bounds the work on hostile input. */
const MOST_CHARS = 200;
const TOKEN = new RegExp(`${WORD}+|\\S`, "gu");
const IS_WORD = new RegExp(WORD, "u");
const QUOTE = "[\"'\u2018-\u201F]";

/**
 * Where a piece of one line is found, up to blanks between its words and signs and up to quote
 * style, in the lines from `from` up to `to`.
 */
export function findFragments(
  { origin: { lines }, starts }: FlatText,
  wanted: string,
  from: number,
  to: number,
): readonly Span[] {
  if (wanted.includes("\n") || wanted.length > MOST_CHARS || wanted.trim() === "") return [];
  const pattern = toPattern(wanted);
  const spans: Span[] = [];
  for (let i = from; i < to; i++) {
    for (const { 0: found, index } of (lines[i] ?? "").matchAll(pattern)) {
      const start = (starts[i] ?? 0) + index;
      spans.push({ start, end: start + found.length });
    }
  }
  return spans;
}

function toPattern(wanted: string): RegExp {
  const tokens = wanted.match(TOKEN) ?? [];
  const isWord = (token: string | undefined) => token !== undefined && IS_WORD.test(token);
  const parts = tokens.map((token, i) => {
    const gap = i === 0 ? "" : isWord(token) && isWord(tokens[i - 1]) ? "\\s+" : "\\s*";
    const isQuote = new RegExp(QUOTE).test(token);
    return gap + (isQuote ? QUOTE : token.replace(/[\\^$.*+?()[\]{}|]/, "\\$&"));
  });
  const opening = isWord(tokens[0]) ? `(?<!${WORD})` : "";
  const closing = isWord(tokens.at(-1)) ? `(?!${WORD})` : "";
  return new RegExp(opening + parts.join("") + closing, "gu");
}
