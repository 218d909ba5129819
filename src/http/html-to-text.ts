import { BoundedParser } from "./bounded-parser.ts";
import { decodeText } from "./decode-text.ts";
import { createTextCollector } from "./text-collector.ts";

/** What {@link htmlToText} may be told about a page. */
export interface HtmlOptions {
  /** From the Content-Type header; a byte order mark wins over it. For streams only. */
  readonly charset?: string | undefined;
  /** The page's own address: links are given in full. */
  readonly baseUrl?: string | undefined;
}

/**
 * What a reader of a page sees, as plain text: headings with `#`, lists, tables with `|` between
 * cells, code between fences, links as `text (target)`; no scripts, styles or hidden elements.
 *
 * A stream is read piece by piece; memory grows with the text and not with the page.
 */
export async function htmlToText(
  html: string | ReadableStream<Uint8Array>,
  options: HtmlOptions = {},
): Promise<string> {
  return (await readHtml(html, options)).text;
}

/** A page's text and what its `title` says, empty if it has none. */
export interface HtmlPage {
  readonly title: string;
  readonly text: string;
}

/** {@link htmlToText} with the title. */
export async function readHtml(
  html: string | ReadableStream<Uint8Array>,
  options: HtmlOptions,
): Promise<HtmlPage> {
  const collector = createTextCollector(options.baseUrl);
  const parser = new BoundedParser(collector.handler);
  if (typeof html === "string") parser.write(html);
  else for await (const piece of decodeText(html, options.charset)) parser.write(piece);
  parser.end();
  return collector.finish();
}
