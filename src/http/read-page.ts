import type { OpenResponse } from "./fetch-guarded.ts";
import { decodeText, type LeftOut, peekBytes, readHtml } from "./html-to-text/html-to-text.ts";

/** As far as the MIME Sniffing Standard looks. */
const SNIFFED_BYTES = 1445;
/** Of text that is given as it is. */
const MAX_TEXT_BYTES = 1024 * 1024;
const BINARY_TYPE = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip))/u;

/** What there is to read in an answer, by its own bytes before its label. */
export type PageContent =
  | {
      readonly kind: "html";
      readonly title: string;
      /** Ends with a note when something fell out. */
      readonly text: string;
      /** Characters of the text that were not kept. */
      readonly omittedLength: number;
      /** Menus and the like, which are not in the text; what they say is `navigation`. */
      readonly leftOut: LeftOut;
      readonly navigation: string;
      /** There is hardly a word in it: the page needs JavaScript. */
      readonly needsScripts: boolean;
    }
  /** JSON, XML, plain text; and HTML that was not to be stripped. Ends with a note when cut. */
  | { readonly kind: "text"; readonly text: string }
  /** The size as the server states it. */
  | { readonly kind: "binary"; readonly type: string; readonly sizeBytes: number | undefined }
  /** Not followed. */
  | { readonly kind: "redirect"; readonly location: string };

/** An answer of any status with what there is to read. */
export interface ReadPage {
  readonly ok: true;
  readonly url: string;
  readonly status: number;
  readonly content: PageContent;
}

/** How a page is read. */
export interface ReadPageOptions {
  /** HTML is given as it is. */
  readonly isRaw?: boolean;
  /** Gets the text of HTML while it arrives. */
  readonly onText?: (piece: string) => void;
}

/**
 * Reads an answer while it arrives: HTML stripped, other text as it is up to 1 MB, of a binary
 * file type and size. Downloads no more than that; `fetchOpen` takes this as its reader.
 */
export async function readPage(
  response: OpenResponse,
  options: ReadPageOptions = {},
): Promise<ReadPage> {
  const { url, status } = response;
  return { ok: true, url, status, content: await readContent(response, options) };
}

async function readContent(
  { url, status, headers, body }: OpenResponse,
  { isRaw = false, onText }: ReadPageOptions,
): Promise<PageContent> {
  const { location } = headers;
  if (status >= 300 && status < 400 && location !== undefined)
    return { kind: "redirect", location };
  const { type, charset } = parseContentType(headers["content-type"] ?? "");
  const { head, whole } = await peekBytes(body.chunks, ({ length }) => length >= SNIFFED_BYTES);
  const kind = findKind(head, type);
  if (kind === "binary") return { kind, type, sizeBytes: findSizeBytes(headers) };
  if (kind === "text" || isRaw)
    return { kind: "text", text: await readText(whole, charset, body.isCut) };
  const page = await readHtml(whole, { charset, baseUrl: url, onText });
  return { kind, ...page, text: page.text + toNote(page.omittedLength, body.isCut()) };
}

function parseContentType(header: string): { type: string; charset: string | undefined } {
  const [type = ""] = header.split(";", 1);
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/iu.exec(header)?.[1];
  return { type: type.trim().toLowerCase(), charset };
}

function findKind(bytes: Uint8Array, type: string): "html" | "text" | "binary" {
  const head = Buffer.from(bytes).toString("latin1");
  const isUtf16 = head.startsWith("\u{ff}\u{fe}") || head.startsWith("\u{fe}\u{ff}");
  if (BINARY_TYPE.test(type) || (!isUtf16 && bytes.some(isControl))) return "binary";
  const start = head.replace(/^\u{ef}\u{bb}\u{bf}/u, "").trimStart();
  if (/^(?:[[{]|<\?xml(?!.*<html))/su.test(start)) return "text";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  const isUnlabelled = type === "" || type === "application/octet-stream";
  return isUnlabelled && /^<(?:!doctype\s+html|html)\b/iu.test(start) ? "html" : "text";
}

/** What no text holds; escape stays out, as Japanese mail charsets switch with it. */
function isControl(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b);
}

/** Unknown for a coded body, whose length is that of its coding. */
function findSizeBytes(headers: Readonly<Record<string, string>>): number | undefined {
  const { "content-length": length = "", "content-encoding": coding = "identity" } = headers;
  return coding === "identity" && /^\d{1,15}$/u.test(length) ? Number(length) : undefined;
}

async function readText(
  bytes: AsyncIterable<Uint8Array>,
  charset: string | undefined,
  isBodyCut: () => boolean,
): Promise<string> {
  let sizeBytes = 0;
  async function* limit(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      const room = MAX_TEXT_BYTES - sizeBytes;
      sizeBytes += chunk.length;
      yield chunk.subarray(0, room);
      if (sizeBytes > MAX_TEXT_BYTES) return;
    }
  }
  const text = (await Array.fromAsync(decodeText(limit(), charset))).join("");
  if (sizeBytes <= MAX_TEXT_BYTES && !isBodyCut()) return text;
  // The cut may have gone through a character.
  return text.replace(/\u{fffd}$/u, "") + toNote(0, true);
}

/** What of a page is not in its text; empty when all of it is. */
function toNote(omittedLength: number, isCut: boolean): string {
  if (isCut) return "…\n\n[cut here: the rest was not downloaded]";
  return omittedLength === 0 ? "" : `…\n\n[cut here: ${omittedLength} more characters]`;
}
