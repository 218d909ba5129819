import { decodeText } from "./decode-text.ts";
import { type FetchedResponse, type FetchFailure, renderUrl } from "./fetch-result.ts";
import { readHtml } from "./html-to-text.ts";

const SNIFFED_BYTES = 4096;
/** So little text from so much HTML: a page that only its scripts fill. */
const MIN_TEXT_LENGTH = 80;
const MIN_HTML_BYTES = 1536;
const BINARY_TYPE = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip))/u;

/** A page as text, or why there is nothing to read. */
export type PageResult =
  | { readonly ok: true; readonly title: string; readonly text: string }
  | FetchFailure;

/**
 * What there is to read in an answer: HTML stripped, with its title; other text as it is; a
 * binary file is a failure. Content goes before its label, which is often wrong.
 */
export async function readPage(response: FetchedResponse): Promise<PageResult> {
  const { body, url } = response;
  const { type, charset } = parseContentType(response.headers["content-type"] ?? "");
  const bytes = new Blob([body]).stream();
  switch (findKind(body, type)) {
    case "binary":
      return toFailure(url, `it is ${type || "a binary file"} of ${body.length} bytes, not text`);
    case "text":
      return {
        ok: true,
        title: "",
        text: (await Array.fromAsync(decodeText(bytes, charset))).join(""),
      };
    case "html": {
      const page = await readHtml(bytes, { charset, baseUrl: url });
      const isEmpty = page.text.length < MIN_TEXT_LENGTH && body.length > MIN_HTML_BYTES;
      return isEmpty
        ? toFailure(url, "the page shows nothing without JavaScript")
        : { ok: true, ...page };
    }
  }
}

function parseContentType(header: string): { type: string; charset: string | undefined } {
  const [type = ""] = header.split(";", 1);
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/iu.exec(header)?.[1];
  return { type: type.trim().toLowerCase(), charset };
}

function findKind(body: Uint8Array, type: string): "html" | "text" | "binary" {
  const bytes = body.subarray(0, SNIFFED_BYTES);
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

function toFailure(url: string, reason: string): FetchFailure {
  const message = `Cannot read "${renderUrl(url)}": ${reason}`;
  return { ok: false, code: "unavailable", message, retryable: false };
}
