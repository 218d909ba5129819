const MAX_INDENT = 8;
const FENCE = "```";

/** Lays text out in lines: what to break, indent or mark is decided when the next text comes. */
export interface TextWriter {
  /** Adds text; white space is folded, except in code. */
  readonly text: (text: string) => void;
  /** Adds a remark behind what stands there; code is left as it is. */
  readonly annotate: (remark: string) => void;
  /** The next text starts a line. */
  readonly line: () => void;
  /** The next text starts a line, after an empty one. */
  readonly paragraph: () => void;
  /** A line break as the author wrote it; two of them make a paragraph. */
  readonly lineBreak: () => void;
  /** Puts a mark before the next text, in the same line with it whatever is opened between. */
  readonly mark: (mark: string) => void;
  /** Forgets a mark that no text came for; the next text starts a line. */
  readonly endMarked: () => void;
  readonly indent: (levels: 1 | -1) => void;
  /** Cells of a row stand in one line, apart; `rowStart` is the position before the first. */
  readonly startCell: (isFirst: boolean, rowStart: number) => void;
  readonly endRow: () => void;
  readonly startCode: () => void;
  readonly endCode: () => void;
  /** How many pieces were written so far. */
  readonly position: () => number;
  /** Whether what was written since a position is just this. */
  readonly isOnlySince: (position: number, text: string) => boolean;
  readonly finish: () => string;
}

/** A {@link TextWriter} with nothing written. */
export function createTextWriter(): TextWriter {
  const pieces: string[] = [];
  let breaks = 0;
  let hasSpace = false;
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
    if (codeDepth > 0) writeCode(pieces.at(-1)?.endsWith("\n") ? "" : "\n");
    else if (!isAtStart) breaks = Math.max(breaks, count);
  };

  const emit = (text: string) => {
    const isLineStart = breaks > 0 || pieces.length === 0;
    const lead = isLineStart ? startLine() : bars > 0 || hasSpace ? " " : "";
    pieces.push(`${lead}${"| ".repeat(bars)}${text}`);
    [breaks, bars, mark, isAtStart] = [0, 0, "", false];
  };

  const startLine = () => {
    const levels = mark === "" ? indent : indent - 1;
    const margin = "  ".repeat(Math.min(Math.max(levels, 0), MAX_INDENT));
    return `${pieces.length === 0 ? "" : "\n".repeat(breaks)}${margin}${mark}`;
  };

  const writeCode = (text: string) => {
    if (isFenced) return void (text !== "" && pieces.push(text));
    codeLead += text;
    if (text.trim() === "") return;
    const code = codeLead.replace(/^(?:[^\S\n]*\n)+/u, "");
    pieces.push(`${pieces.length === 0 ? "" : "\n\n"}${FENCE}\n`, code);
    [isFenced, bars, mark] = [true, 0, ""];
  };

  return {
    text(text) {
      if (codeDepth > 0) return writeCode(text);
      const folded = text.replace(/\s+/gu, " ");
      const trimmed = folded.trim();
      hasSpace ||= folded.startsWith(" ");
      if (trimmed === "") return;
      emit(trimmed);
      hasSpace = folded.endsWith(" ");
    },
    annotate(remark) {
      if (codeDepth === 0) pieces.push(remark);
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
      if (pieces.length > rowStart) breaks = 0;
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
      pieces.push(pieces.at(-1)?.endsWith("\n") ? FENCE : `\n${FENCE}`);
      [isFenced, isAtStart, breaks] = [false, false, 2];
    },
    position: () => pieces.length,
    isOnlySince(position, text) {
      // No more pieces than the text has characters, and one for the space before it.
      const since = pieces.slice(position, position + text.length + 1);
      return position + since.length === pieces.length && since.join("").trim() === text;
    },
    finish: () => pieces.join("").trimEnd(),
  };
}
