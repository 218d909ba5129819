import type { Output } from "./open-output.ts";

/** Lines at the end of a terminal that are there for the moment, and gone without a trace. */
export interface StatusLine {
  /**
   * Shows these in place of those before; none where somebody writes a line that is not at its end.
   * The first ends with `end`, however long what is before it.
   */
  show(lines: readonly string[], end?: string): void;
  hide(): void;
}

const [START, CLEAR_DOWN, DIM, END] = ["\r", "\x1b[J", "\x1b[2m", "\x1b[0m"];

/**
 * Status lines on a terminal. Whatever else is written to it, by either output, takes them away
 * first, so that they are never above other text.
 */
export function createStatusLine(output: Output): StatusLine {
  const terminal = output.terminal ?? output;
  const { shared } = output;
  let shown: readonly string[] = [];
  let atLineStart = true;

  /** Lines that became longer than the window since they were written are several by now. */
  function erase(): string {
    if (shown.length === 0) return "";
    const columns = Math.max(1, output.columns);
    const rows = shown.map((line) => Math.max(1, Math.ceil(Bun.stringWidth(line) / columns)));
    const above = rows.reduce((sum, each) => sum + each, -1);
    shown = [];
    return START + (above > 0 ? `\x1b[${above}A` : "") + CLEAR_DOWN;
  }

  const uncover = (text: string) => {
    if (text !== "") atLineStart = text.endsWith("\n");
    return erase();
  };
  if (shared) shared.uncover = uncover;

  return {
    show(given, end = "") {
      if (!atLineStart) return;
      if (shared) shared.uncover = uncover; // another one may have been made, and be hidden again
      const [first = "", ...lines] = given.map((line) => line.replaceAll(/[\t\r\n]+/gu, " "));
      const width = Math.max(1, output.columns - 1);
      const room = Math.max(LEAST_WIDTH, width - Bun.stringWidth(end));
      const head = Bun.stringWidth(first) > room ? `${cutAt(first, room - 1)}…` : first;
      const fitting = [head + end, ...lines].map((line) => cutAt(line, width));
      const text = fitting.map((line) => DIM + line + END).join("\n");
      terminal.write(text);
      atLineStart = true;
      shown = fitting;
    },
    hide() {
      const text = erase();
      if (text !== "") terminal.write(text);
      atLineStart = true;
    },
  };
}

/** Narrower than this nobody knows what goes on. */
const LEAST_WIDTH = 12;

/** A wide character that is half beyond the edge is beyond it. */
function cutAt(line: string, width: number): string {
  const cut = Bun.sliceAnsi(line, 0, width);
  return Bun.stringWidth(cut) > width ? Bun.sliceAnsi(line, 0, width - 1) : cut;
}
