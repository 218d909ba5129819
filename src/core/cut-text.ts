import { toVisibleText } from "./visible-text.ts";

/**
 * What was cut is marked, so that masking, which may come later, knows that a part of a secret may be
 * next to it (`security/redact/cut-secrets`). All text that is shortened for people, models, logs
 * or traces is shortened here.
 */
const CUT = "…";

/** The first `maxLength` UTF-16 units of a text; no half character at the end, and no mark. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const isInside = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff;
  return text.slice(0, isInside ? maxLength - 1 : maxLength);
}

/** The first `most` UTF-16 units and the mark of a cut; a shorter text as it is. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${cutText(text, most)}${CUT}`;
}

/** Words of others within a text of ours: on one line, quoted as code, with all that is hidden. */
export function toCode(text: string, maxChars: number): string {
  const line = toVisibleText(text)
    .replaceAll(/[`\s]+/gu, " ")
    .trim();
  return `\`${shorten(line, maxChars)}\``;
}

/**
 * The mark of a cut and the last `most` UTF-16 units, from a word's beginning on: of a key that is
 * cut, nothing tells that its end is one.
 */
export function keepEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most).toWellFormed();
  const isInWord = WORD.test(text.charAt(text.length - most - 1));
  const start = isInWord ? end.search(/[^\x21-\x7e]/u) : 0;
  return CUT + end.slice(Math.max(0, start));
}

/** What keys and tokens are made of. */
const WORD = /[\x21-\x7e]/u;
