/**
 * What a reader cannot see or what reorders what they see: control, format, bidirectional and
 * other default-ignorable characters, blanks that look like a space, lone surrogates. Left
 * alone: tab, line feed, CRLF, the ideographic space, and the selector after an emoji.
 */
const HIDDEN =
  /(?!\t|\n|\r\n| |\u3000|(?<=\p{Extended_Pictographic})\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Text for somebody who is about to approve it: every hidden character as `\u{202e}`. */
export function toVisibleText(text: string): string {
  return text.replace(HIDDEN, escape);
}

/** Text without its hidden characters, for what strangers say of themselves; blanks stay blanks. */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, (character) => (/\s/u.test(character) ? " " : ""));
}

/** Control characters but tab, line feed and CRLF: what could command a terminal. */
const CONTROL = /(?!\t|\n|\r\n)\p{Cc}/gu;

/** Text that a terminal prints and never obeys; for what models and programs say. */
export function toPrintableText(text: string): string {
  return text.replace(CONTROL, escape);
}

function escape(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
