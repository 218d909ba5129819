const QUOTES = /["\u2018-\u201F\u2032\u2033\u00AB\u00BB]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const NOT_ASCII = /[^\0-\x7F]/;
const INVISIBLE = /[\u200B-\u200D\u2060\uFEFF]/g;
/** Blanks between two words are needed, all others are layout. */
const LAYOUT = /(?<![\p{L}\p{N}_$]) | (?![\p{L}\p{N}_$])/gu;

/** Longer lines keep their Unicode forms: to unite them takes time in square of the length. */
const MOST_UNITS = 2000;

/** Whether a line has no other Unicode forms. */
function isAscii(line: string): boolean {
  return !NOT_ASCII.test(line);
}

/** A line with one kind of quotes. */
export function foldQuotes(line: string): string {
  return line.replace(QUOTES, "'");
}

/** A line up to blanks and quote style. */
function foldLayout(line: string): string {
  return foldQuotes(line)
    .trim()
    .replace(/\s{2,}|[^\S ]/g, " ")
    .replace(LAYOUT, "");
}

/** Whether two lines are the same up to that; very long ones have to be as they are. */
export function isSameLine(a: string, b: string): boolean {
  if (a === b || a.length > MOST_UNITS || b.length > MOST_UNITS) return a === b;
  return foldLine(a) === foldLine(b);
}

/** A line up to blanks, quote style and Unicode forms: as much as a line that stays may differ. */
export function foldLine(line: string): string {
  if (isAscii(line) || line.length > MOST_UNITS) return foldLayout(line);
  return foldLayout(foldQuotes(line).normalize("NFKC").replace(DASHES, "-").replace(INVISIBLE, ""));
}
