/** Where a comment begins, in the languages that people write. */
const OPENING =
  /^(?:\{\/\*+|\/\*+|\/\/+|<!--|<%--|<%#|\{#|\(\*+|\{-|--+|#+|;+|%+|!+|'+|\*|REM\b|dnl\b)\s?/i;
const CLOSING = /\s*(?:\*+\/\}?|-->|--%>|%>|#\}|\*+\)|-\})$/;
const DOTS = /^(?:\.{3}|\u2026)(?:\s|$)/;
const BRACKETED = /^\s*[[(<{].*[\])>}]\s*$/;

/** `@@ ... @@`. */
const BETWEEN_SIGNS = /^@@\s*(?:\.{3}|\u2026)/;

/** Words of which one at least says that lines are left out. */
const KEYS =
  "existing unchanged unmodified untouched omitted elided snipped snip skipped truncated rest remaining remainder previous original other same changes change";
/** Words that such a line may have besides. */
const FILLERS =
  "the a all any of your our this that these here there now still is are was be as it and or no not for in to with above below before after from keep keeps kept leave left goes go stay stays remain remains exactly like brevity needed required made code codes file files function functions method methods class classes component module script implementation import imports content contents line lines logic body field fields property properties test tests definition definitions declaration declarations configuration config setting settings option options statement statements section sections part parts case cases entry entries item items rule rules style styles block blocks route routes handler handlers variable variables constant constants type types row rows column columns table tables markup html css sql document page text stuff everything etc";
const KEY_WORDS = new Set(KEYS.split(" "));
const VOCABULARY = new Set([...KEY_WORDS, ...FILLERS.split(" ")]);

/** Whether a line marks lines that are left out: `...`, `// ... existing code ...`, `@@ ... @@`. */
export function isElision(line: string): boolean {
  const text = line.trim();
  return BETWEEN_SIGNS.test(text) || DOTS.test(text.replace(OPENING, "")) || standsForLines(text);
}

/**
 * Whether a comment or a text in brackets says in words that lines are left out: `# [existing code]`,
 * `// (unchanged)`, `-- rest of the file stays the same`.
 */
export function standsForLines(line: string): boolean {
  const text = line.trim();
  const inside = text.replace(OPENING, "").replace(CLOSING, "");
  if (inside === text && !BRACKETED.test(text) && !DOTS.test(text)) return false;
  const words = inside.toLowerCase().match(/[\p{L}\p{N}_$'\u2019]+/gu) ?? [];
  const signs = inside.replace(/[\p{L}\p{N}_$'\u2019\s.\u2026,:!*~[\](){}<>-]/gu, "");
  const isSaid = signs === "" && words.some((word) => KEY_WORDS.has(word));
  return isSaid && words.every((word) => VOCABULARY.has(word));
}

/** Whether a comment is of dots only: in place of more lines it stands for them. */
export function isDotsComment(line: string): boolean {
  const text = line.trim();
  const inside = text.replace(OPENING, "").replace(CLOSING, "");
  return inside !== text && /^(?:\.{3,}|\u2026)$/.test(inside.trim());
}
