import type { Counted } from "../../core/few.ts";
import { renderCounted } from "./bar.ts";
import { renderMarkdown } from "./markdown.ts";
import { createMarkdownStream, type MarkdownStream } from "./markdown-stream.ts";
import { type Output, USUAL_SIZE } from "./open-output.ts";
import { createStatusLine, type StatusLine } from "./status-line.ts";
import { wrapText } from "./wrap.ts";

export type { MarkdownStream } from "./markdown-stream.ts";
export type { StatusLine } from "./status-line.ts";

/** What a terminal shows beyond plain lines. */
export interface Screen {
  readonly color: boolean;
  /** Prose in lines as wide as the window is now. */
  wrap(text: string): string;
  markdown(text: string): string;
  stream(): MarkdownStream;
  /** A unified diff, each line as it is; with colours those of its code. */
  diff(text: string): Promise<string>;
  /** A list once more, where what is below it is longer than the screen; else nothing. */
  again(list: string, below: string): string;
  status(): StatusLine;
  /** How far something is, in front of what else is said of it. */
  counted(counted: Counted): string;
}

/** An output, and what the terminal behind it can. */
export interface Screens {
  readonly screen: (output: Output) => Screen | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the terminals behind outputs can, as the environment says: nothing but plain lines where TERM
 * is dumb, or a person has them read aloud (PAPAYU_PLAIN); no colours under NO_COLOR
 * (https://no-color.org).
 */
export function screensOf(env: Environment): (output: Output) => Screen | undefined {
  const isPlain = env["TERM"] === "dumb" || Boolean(env["PAPAYU_PLAIN"]);
  const color = !env["NO_COLOR"];
  return (output) => (output.isTTY && !isPlain ? openScreen(output, color, env) : undefined);
}

function openScreen(output: Output, color: boolean, env: Environment): Screen {
  const surface = () => ({ width: output.columns, color });
  return {
    color,
    wrap: (text) => wrapText(text, surface().width),
    markdown: (text) => renderMarkdown(text, surface()),
    stream: () => createMarkdownStream(surface),
    again(list, below) {
      const wrapped = wrapText(list, surface().width);
      const { columns, rows = USUAL_SIZE.rows } = output;
      if (countRows(`${wrapped}${below}`, columns) + LEFT_ROWS <= rows) return "";
      return `\n${shortList(wrapped.trimEnd(), rows)}\n`;
    },
    status: () => createStatusLine(output),
    counted: renderCounted,
    async diff(text) {
      if (!color) return text;
      const { renderDiff } = await import("./diff/diff.ts"); // nobody else knows languages
      return renderDiff(text, env);
    },
  };
}

/** Lines of a screen that a list leaves to what follows it: a question, and what is typed. */
const LEFT_ROWS = 6;

function countRows(text: string, columns: number): number {
  const width = Math.max(1, columns);
  const rows = text
    .split("\n")
    .map((line) => Math.max(1, Math.ceil(Bun.stringWidth(line) / width)));
  return rows.reduce((sum, each) => sum + each, 0);
}

/** As much of a list as a screen shows above a question; what is left out is counted. */
function shortList(list: string, rows: number): string {
  const lines = list.split("\n");
  const most = Math.max(LEFT_ROWS, rows - LEFT_ROWS);
  if (lines.length <= most) return list;
  return [...lines.slice(0, most - 1), `  … +${lines.length - most + 1}`].join("\n");
}
