import { cutText } from "../../core/cut-text.ts";
import { BoundedParser } from "./bounded-parser.ts";
import { decodeText } from "./decode-text.ts";
import { type LeftOut, renderLeftOut } from "./left-out.ts";
import { createTextCollector } from "./text-collector.ts";

export { decodeText } from "./decode-text.ts";
export { type LeftOut, renderLeftOut } from "./left-out.ts";
export { peekBytes } from "./peek-bytes.ts";

/** So much of a page's text is kept; hardly one page in a thousand has more. */
const MAX_TEXT_LENGTH = 1_000_000;
/** What the parser is given at once; text is passed on in between. */
const SLICE_LENGTH = 32 * 1024;
/** So little text from so much HTML: a page that only its scripts fill. */
const MIN_TEXT_LENGTH = 80;
const MIN_HTML_LENGTH = 1536;

/** A page as a whole, or as it arrives: decoded, or in the bytes of its charset. */
export type HtmlSource = string | AsyncIterable<Uint8Array>;

/** What is known of a page, and who reads along. */
export interface HtmlOptions {
  /** From the Content-Type header; a byte order mark wins over it. For bytes only. */
  readonly charset?: string | undefined;
  /** The page's own address, which its links are relative to. */
  readonly baseUrl?: string | undefined;
  /** Of the text; 1,000,000 characters when absent. */
  readonly maxLength?: number | undefined;
  /** Gets the text while the page arrives, as soon as a piece is known to be content. */
  readonly onText?: ((piece: string) => void) | undefined;
}

/** A page's text and what its `title` says, empty if it has none. */
export interface HtmlPage {
  readonly title: string;
  readonly text: string;
  /** How many characters of the text are beyond `maxLength`. */
  readonly omittedLength: number;
  /** What is not in the text but on the page, to be read. */
  readonly leftOut: LeftOut;
  /** The text of that. */
  readonly navigation: string;
  /** Much HTML and hardly a word: only a browser would see the page. */
  readonly needsScripts: boolean;
}

/** The text of {@link readHtml}, with a last line that says what was left out of it, if anything was. */
export async function htmlToText(html: HtmlSource, options: HtmlOptions = {}): Promise<string> {
  const { text, leftOut } = await readHtml(html, options);
  return [text, renderLeftOut(leftOut)].filter((part) => part !== "").join("\n\n");
}

/**
 * What a page says, as plain text: headings with `#`, lists, tables with `|` between cells, code
 * between fences, links as `text (target)`. No scripts, styles or hidden elements. Menus and cookie
 * notices are apart, unless the page has little else, and so are the addresses of links that an
 * article does not need.
 *
 * Targets that start with `/` are on the origin that the first line names. A stream is read piece
 * by piece; memory grows with the text, up to its bound, and not with the page.
 */
export async function readHtml(html: HtmlSource, options: HtmlOptions): Promise<HtmlPage> {
  const sink = createSink(options, () => collector.announceBase());
  const collector = createTextCollector(options.baseUrl, sink.write);
  const parser = new BoundedParser(collector.handler);
  let htmlLength = 0;
  for await (const piece of toPieces(html, options.charset)) {
    htmlLength += piece.length;
    parser.write(piece);
    collector.flush();
  }
  parser.end();
  const title = collector.finish();
  const { text, omittedLength, ownLength } = sink.finish();
  const needsScripts = ownLength < MIN_TEXT_LENGTH && htmlLength > MIN_HTML_LENGTH;
  const { counts, text: navigation } = collector.leftOut;
  return {
    title,
    text,
    omittedLength,
    leftOut: counts(),
    navigation: navigation(),
    needsScripts,
  };
}

async function* toPieces(html: HtmlSource, charset: string | undefined): AsyncGenerator<string> {
  if (typeof html === "string") yield* slice(html);
  else for await (const piece of decodeText(html, charset)) yield* slice(piece);
}

function* slice(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += SLICE_LENGTH) yield text.slice(at, at + SLICE_LENGTH);
}

interface Sink {
  readonly write: (piece: string) => void;
  readonly finish: () => { text: string; omittedLength: number; ownLength: number };
}

/** Keeps what fits; the origin of the links goes before the first piece. */
function createSink(
  { maxLength = MAX_TEXT_LENGTH, onText }: HtmlOptions,
  announceBase: () => string | undefined,
): Sink {
  const kept: string[] = [];
  let room = maxLength;
  let ownLength = 0;
  let omittedLength = 0;
  const put = (piece: string) => {
    const part = cutText(piece, room);
    room = part.length < piece.length ? 0 : room - part.length;
    omittedLength += piece.length - part.length;
    if (part === "") return;
    kept.push(part);
    onText?.(part);
  };
  return {
    write(piece) {
      const base = ownLength === 0 ? announceBase() : undefined;
      if (base !== undefined) put(`Base: ${base}\n\n`);
      ownLength += piece.length;
      put(piece);
    },
    finish: () => ({ text: kept.join(""), omittedLength, ownLength }),
  };
}
