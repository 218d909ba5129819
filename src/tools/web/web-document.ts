import { decodeText } from "../../http/decode-text.ts";
import type { FetchedResponse } from "../../http/fetch-result.ts";
import { readHtml } from "../../http/html-to-text.ts";
import { judgeBody } from "../../http/read-page.ts";

/** An answer of the web as a model can read it. */
export interface WebDocument {
  /** `page` is HTML that was stripped, `text` is given as it came. */
  readonly kind: "page" | "text" | "binary";
  /** Of the Content-Type header, without its parameters. */
  readonly type: string;
  /** Empty for a binary. */
  readonly text: string;
  /** Of the body, as far as it was read. */
  readonly sizeBytes: number;
  /** More came than was read. */
  readonly truncated: boolean;
}

/** Decodes an answer, and strips it if it is HTML and `strip` says so. */
export async function toWebDocument(
  { body, headers, url, truncated }: FetchedResponse,
  { strip }: { readonly strip: boolean },
): Promise<WebDocument> {
  const { kind, type, charset } = judgeBody(body, headers["content-type"]);
  const common = { type, sizeBytes: body.length, truncated };
  if (kind === "binary") return { ...common, kind, text: "" };
  const bytes = new Blob([body]).stream();
  if (kind === "html" && strip) {
    const { text } = await readHtml(bytes, { charset, baseUrl: url });
    return { ...common, kind: "page", text };
  }
  const text = (await Array.fromAsync(decodeText(bytes, charset))).join("");
  return { ...common, kind: "text", text };
}
