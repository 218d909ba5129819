import type { HttpRequestDeps } from "../http-request.ts";
import { cutBytes, toPages } from "./text-pages.ts";
import type { ToolResult } from "../tool.ts";
import type { WebDocument } from "./web-document.ts";

/** Most of a text that is no stripped page. */
const MAX_TEXT_BYTES = 1024 * 1024;
const PAGE_CHARS = 32_000;
const MIN_PAGE_CHARS = 500;
const MAX_PAGE_CHARS = 200_000;

/** What of a document is asked for. */
export interface DocumentView {
  readonly extract: string | undefined;
  readonly page: number | undefined;
  readonly chunkSize: number | undefined;
}

/** The whole of a document if it is short enough; else the page or answer asked for, or its beginning. */
export async function renderDocument(
  document: WebDocument,
  { extract, page, chunkSize }: DocumentView,
  deps: Pick<HttpRequestDeps, "stripThresholdKb" | "extractProvider">,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { kind, type, text, sizeBytes, truncated } = document;
  if (kind === "binary") {
    const size = `${truncated ? "over " : ""}${sizeBytes} bytes`;
    return success(`${type || "unknown type"}, ${size}: binary, its content is not shown`);
  }
  if (text.trim() === "")
    return success(`${type || "a page"}, ${sizeBytes} bytes: it shows no text without JavaScript`);
  if (page !== undefined || chunkSize !== undefined) return renderPage(document, page, chunkSize);
  const limit = kind === "page" ? deps.stripThresholdKb * 1024 : MAX_TEXT_BYTES;
  if (Buffer.byteLength(text) <= limit) return success(text + renderTruncation(document));
  const provider = extract && kind === "page" ? deps.extractProvider?.() : undefined;
  if (extract && provider) {
    const { extractAnswer } = await import("./extract-answer.ts");
    const answer = await extractAnswer(provider, { text, wanted: extract }, signal);
    if (answer !== undefined)
      return success(`[Extracted from ${toKb(text)} KB of text]\n\n${answer}`);
  }
  return success(renderCut(document, limit));
}

function renderPage(document: WebDocument, page = 1, chunkSize: number = PAGE_CHARS): ToolResult {
  const size = Math.min(MAX_PAGE_CHARS, Math.max(MIN_PAGE_CHARS, chunkSize));
  const pages = toPages(document.text, size);
  const text = pages[page - 1];
  if (text !== undefined) {
    const end = page === pages.length ? renderTruncation(document) : "";
    return success(`[Page ${page} of ${pages.length}]\n\n${text}${end}`);
  }
  const error = `page ${page} does not exist: there are ${pages.length} of ${size} characters`;
  return { ok: false, error, errorCode: "invalid_args", retryable: false };
}

/** The beginning, and one hint how to get at the rest. */
function renderCut(document: WebDocument, limit: number): string {
  const { kind, text } = document;
  const total = toPages(text, PAGE_CHARS).length;
  const ways = kind === "page" ? '"extract" (what to find) or "page"' : '"page"';
  const hint = `[Cut at ${limit / 1024} KB of ${toKb(text)} KB: call again with ${ways} (1 to ${total})]`;
  return `${cutBytes(text, limit)}\n\n${hint}`;
}

function renderTruncation({ truncated, sizeBytes }: WebDocument): string {
  return truncated ? `\n\n[Only the first ${Math.ceil(sizeBytes / 1024)} KB were read]` : "";
}

function toKb(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 1024);
}

function success(content: string): ToolResult {
  return { ok: true, content };
}
