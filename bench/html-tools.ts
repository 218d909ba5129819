import { convert } from "html-to-text";
import { htmlToText } from "../src/http/html-to-text/html-to-text.ts";

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

/** papa-yu's way, and html-to-text as it comes and tuned. */
export const HTML_TOOLS: readonly HtmlTool[] = [
  { name: "papa-yu", toText: (html) => htmlToText(html) },
  { name: "html-to-text", toText: (html) => convert(html) },
  { name: "html-to-text, tuned", toText: convertTuned },
];
