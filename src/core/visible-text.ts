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

/** Where the hidden characters of a text are, from and to, for whoever marks what it spells out. */
export function hiddenRanges(text: string): readonly (readonly [from: number, to: number])[] {
  return Array.from(text.matchAll(HIDDEN), ({ index, 0: { length } }) => [index, index + length]);
}

/** A name for a list: one of nothing, with blanks around it or with hidden characters is quoted. */
export function toVisibleName(name: string): string {
  const visible = toVisibleText(name);
  return visible === name && name.trim() === name && name !== "" ? name : `"${visible}"`;
}

/** Text without its hidden characters, for what strangers say of themselves; blanks stay blanks. */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, (character) => (/\s/u.test(character) ? " " : ""));
}

/** Control characters but tab, line feed and CRLF. */
const CONTROL = /(?!\t|\n|\r\n)\p{Cc}/gu;

/** Text without commands to a terminal, for models; what is hidden in it is still to be found. */
export function withoutControls(text: string): string {
  return text.replace(CONTROL, escape);
}

/**
 * What could command a terminal, or is in a text and is not seen. Left alone: tab, line feed, CRLF,
 * blanks of any width, what joins emoji and the letters of scripts that join, and selectors behind
 * emoji and ideographs; a piece of a text may begin or end within such a group.
 */
const UNSEEN = new RegExp(
  [
    String.raw`(?!\t|\n|\r\n)`,
    String.raw`(?!(?<=\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D(?=\p{Extended_Pictographic}|$))`,
    String.raw`(?!(?<=^|[\p{Extended_Pictographic}0-9#*])\uFE0F)`,
    String.raw`(?!(?<=\p{Ideographic})[\u{E0100}-\u{E01EF}])`,
    String.raw`(?!(?<=[\p{Script=Arabic}\p{M}])[\u200C\u200D](?=[\p{Script=Arabic}\p{Lo}]))`,
    String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`,
  ].join(""),
  "gu",
);

/** Text that a terminal prints and never obeys, with nothing unseen; for prose of others. */
export function toPrintableText(text: string): string {
  return text.replace(UNSEEN, escape);
}

/**
 * The colours that we use ourselves; none of them hides anything: of the 256 a word has one only
 * together with a ground on which it is read.
 */
const COLORS = new RegExp(
  [
    String.raw`(\x1b\[(?:[0-4]|7|2[2-47]|3[1256]|39`,
    "48;5;(?:22|52);38;5;(?:153|157|159|189|222|223|252|255)",
    "48;5;(?:194|224);38;5;(?:16|23|24|25|53|58|90|240)",
    "48;5;(?:28|88);38;5;231",
    "48;5;(?:158|217);38;5;16)m)",
  ].join("|"),
  "u",
);

/** {@link toPrintableText} of what is about to be printed, in which our own colours stay. */
export function toTerminalText(text: string): string {
  return text
    .split(COLORS)
    .map((part, index) => (index % 2 === 1 ? part : toPrintableText(part)))
    .join("");
}

function escape(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
