import { paintDiff } from "../../channels/paint-diff.ts";
import { renderMarkdown } from "./markdown.ts";
import { createMarkdownStream, type MarkdownStream } from "./markdown-stream.ts";
import type { Output } from "./open-output.ts";
import { wrapText } from "./wrap.ts";

export type { MarkdownStream } from "./markdown-stream.ts";

/** What a terminal shows beyond plain lines. */
export interface Screen {
  readonly color: boolean;
  /** Prose in lines as wide as the window is now. */
  wrap(text: string): string;
  markdown(text: string): string;
  stream(): MarkdownStream;
  /** A unified diff, each line as it is. */
  diff(text: string): string;
}

/** The width of a window that does not tell it. */
const USUAL_WIDTH = 80;

/**
 * What the terminals behind outputs can, as the environment says: nothing but plain lines where TERM
 * is dumb, or a person has them read aloud (PAPAYU_PLAIN); no colours under NO_COLOR
 * (https://no-color.org).
 */
export function screensOf(
  env: Readonly<Record<string, string | undefined>>,
): (output: Output) => Screen | undefined {
  const isPlain = env["TERM"] === "dumb" || Boolean(env["PAPAYU_PLAIN"]);
  const color = !env["NO_COLOR"];
  return (output) => (output.isTTY && !isPlain ? openScreen(output, color) : undefined);
}

function openScreen(output: Output, color: boolean): Screen {
  const surface = () => ({ width: output.columns || USUAL_WIDTH, color });
  return {
    color,
    wrap: (text) => wrapText(text, surface().width),
    markdown: (text) => renderMarkdown(text, surface()),
    stream: () => createMarkdownStream(surface),
    diff: (text) => (color ? paintDiff(text) : text),
  };
}
