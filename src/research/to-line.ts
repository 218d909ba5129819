import { cutText } from "../core/cut-text.ts";

/** Text of several lines without what nobody sees, and with one kind of break and of space. */
export function toProse(text: string): string {
  return text
    .replace(/\r\n?|[\v\f\u{85}\p{Zl}\p{Zp}]/gu, "\n")
    .replace(/\p{Zs}/gu, " ")
    .replace(/(?![\n\t])\p{Cc}|\p{Cf}/gu, "")
    .trim();
}

/** Text on one line, without what nobody sees, of at most `maxChars` UTF-16 units. */
export function toLine(text: string, maxChars: number): string {
  const line = text.replace(/\p{Cf}+/gu, "").replace(/[\p{Cc}\p{Z}]+/gu, " ");
  return cutText(line.trim(), maxChars).trimEnd();
}
