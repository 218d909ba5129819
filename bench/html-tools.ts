import { convert } from "html-to-text";
import { htmlToText } from "../src/http/html-to-text/html-to-text.ts";
import { convertBounded } from "./html-formatter.ts";

/** A way from HTML to text. */
export interface HtmlTool {
  readonly name: string;
  readonly toText: (html: string) => string | Promise<string>;
}

const TUNED = {
  wordwrap: false as const,
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "img", format: "skip" },
    { selector: "table", format: "dataTable" },
  ],
};

/** html-to-text without link targets, images and wrapped lines. */
export function convertTuned(html: string): string {
  return convert(html, TUNED);
}

/** papa-yu's way; html-to-text as it comes, tuned, and as the formatter of papa-yu's parser. */
export const HTML_TOOLS: readonly HtmlTool[] = [
  { name: "papa-yu", toText: (html) => htmlToText(html) },
  { name: "html-to-text", toText: (html) => convert(html) },
  { name: "html-to-text, tuned", toText: convertTuned },
  { name: "html-to-text, bounded", toText: convertBounded },
];
