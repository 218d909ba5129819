import type { TextBuffer } from "./text-buffer.ts";

const MAX_INDENT = 8;
const MAX_CODE_INDENT = 100;
const FENCE = "```";
/** White space that is not one blank already. */
const FOLDED = /[^\S ]\s*|\s{2,}/g;

/** Scripts whose words have no blanks between them. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}`;
/** One letter alone is often set apart from the rest of its word. */
const ENDS = {
  always: /[\p{L}\p{N})\]]$/u,
  words: new RegExp(`[\\p{L}\\p{N}](?![${UNSPACED}])[\\p{L}\\p{N}]$`, "u"),
};
const BEGINS = new RegExp(`^(?![${UNSPACED}])[\\p{L}\\p{N}[]`, "u");

/** Lays text out in lines: what to break, indent or mark is decided when the next text comes. */
export interface TextWriter {
  /** Adds text, white space folded except in code; tells how much of it can be seen. */
  readonly text: (text: string) => number;
  /** The next text is another one: it does not run on from this, or where both are words. */
  readonly apart: (how: "always" | "words") => void;
  /** Adds a remark after what is there; code is left as it is, and false the answer. */
  readonly annotate: (remark: string) => boolean;
  /** The next text starts a line. */
  readonly line: () => void;
  /** The next text starts a line, after an empty one. */
  readonly paragraph: () => void;
  /** A line break as the author wrote it; two of them make a paragraph. */
  readonly lineBreak: () => void;
  /** Puts a mark before the next text, in the same line with it even if blocks open in between. */
  readonly mark: (mark: string) => void;
  /** Forgets a mark that no text came for; the next text starts a line. */
  readonly endMarked: () => void;
  readonly indent: (levels: 1 | -1) => void;
  /** Cells of a row are in one line, apart; `rowStart` is the buffer's position before them. */
  readonly startCell: (isFirst: boolean, rowStart: number) => void;
  readonly endRow: () => void;
  readonly startCode: () => void;
  readonly endCode: () => void;
  /** Remembers its state; the result goes on from there, on a line of its own. */
  readonly save: () => () => void;
}

/** A {@link TextWriter} into a buffer; its first line starts a paragraph. */
export function createTextWriter(buffer: TextBuffer): TextWriter {
  let breaks = 2;
  let hasSpace = false;
  let apart: "always" | "words" | undefined;
  /** The end of the last text of this line. */
  let tail = "";
  let mark = "";
  let bars = 0;
  let indent = 0;
  let codeDepth = 0;
  let isFenced = false;
  /** White space at the start of code, until it turns out that there is any code. */
  let codeLead = "";
  /** Right behind a mark or the start of a cell, where blocks open without a line of their own. */
  let isAtStart = false;

  const breakBy = (count: number) => {
    if (codeDepth > 0) writeCode(buffer.endsLine() ? "" : "\n");
    else if (!isAtStart) breaks = Math.max(breaks, count);
  };

  const emit = (text: string) => {
    const lead = breaks > 0 ? startLine() : bars > 0 || hasSpace ? " " : "";
    buffer.push(lead + (bars === 0 ? "" : "| ".repeat(bars)) + text);
    tail = text.slice(-2);
    apart = undefined;
    breaks = 0;
    bars = 0;
    mark = "";
    isAtStart = false;
  };

  const startLine = () => {
    const levels = mark === "" ? indent : indent - 1;
    const margin = "  ".repeat(Math.min(Math.max(levels, 0), MAX_INDENT));
    return `${"\n".repeat(breaks)}${margin}${mark}`;
  };

  const writeCode = (text: string) => {
    if (isFenced) return void (text !== "" && buffer.push(text));
    codeLead += text;
    if (text.trim() === "") {
      // Only the indent of the line that the code may start in.
      codeLead = codeLead.slice(codeLead.lastIndexOf("\n") + 1).slice(0, MAX_CODE_INDENT);
      return;
    }
    const code = codeLead.replace(/^(?:[^\S\n]*\n)+/u, "");
    buffer.push(`\n\n${FENCE}\n`);
    buffer.push(code);
    [isFenced, bars, mark] = [true, 0, ""];
  };

  return {
    text(text) {
      if (codeDepth > 0) {
        writeCode(text);
        return text.length;
      }
      const trimmed = text.trim();
      if (trimmed === "") {
        hasSpace ||= text !== "";
        return 0;
      }
      // A text that starts otherwise than its trimmed self starts with white space.
      hasSpace ||= text.charCodeAt(0) !== trimmed.charCodeAt(0);
      hasSpace ||= apart !== undefined && ENDS[apart].test(tail) && BEGINS.test(trimmed);
      emit(trimmed.replace(FOLDED, " "));
      hasSpace = text.at(-1) !== trimmed.at(-1);
      return trimmed.length;
    },
    apart(how) {
      if (codeDepth === 0) apart = how;
    },
    annotate(remark) {
      if (codeDepth > 0) return false;
      buffer.push(remark);
      tail = remark.slice(-2);
      return true;
    },
    line: () => breakBy(1),
    paragraph: () => breakBy(2),
    lineBreak: () => breakBy(Math.min(breaks + 1, 2)),
    mark(text) {
      [mark, isAtStart] = [text, true];
    },
    endMarked() {
      if (mark === "") breaks = 1;
      [mark, isAtStart] = ["", false];
    },
    indent(levels) {
      indent += levels;
    },
    startCell(isFirst, rowStart) {
      if (!isFirst) bars += 1;
      if (buffer.position() > rowStart) breaks = 0;
      isAtStart = true;
    },
    endRow() {
      [bars, isAtStart] = [0, false];
      breakBy(1);
    },
    startCode() {
      codeDepth += 1;
    },
    endCode() {
      codeDepth -= 1;
      if (codeDepth > 0) return;
      codeLead = "";
      if (!isFenced) return;
      buffer.push(buffer.endsLine() ? FENCE : `\n${FENCE}`);
      [isFenced, isAtStart, breaks] = [false, false, 2];
    },
    save() {
      const saved = { breaks, hasSpace, mark, bars, isAtStart };
      return () => {
        ({ breaks, hasSpace, mark, bars, isAtStart } = saved);
        breakBy(1);
      };
    },
  };
}
