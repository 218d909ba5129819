import type { PageContent } from "../../http/read-page.ts";
import type { ToolResult } from "../tool.ts";
import type { HttpRequestDeps } from "./http-request-deps.ts";
import { cutBytes, toPages } from "./text-pages.ts";

/** What was fetched and can be read, whole or in parts. */
export type Document = Extract<PageContent, { readonly text: string }>;

const PAGE_CHARS = 32_000;
const MIN_PAGE_CHARS = 500;
const MAX_PAGE_CHARS = 200_000;

/** What of a document is asked for. */
export interface DocumentView {
  /** Where it was read. */
  readonly url: string;
  readonly extract: string | undefined;
  readonly page: number | undefined;
  readonly chunkSize: number | undefined;
}

/** A document whole, if it is short enough; else the page or the answer asked for, or its beginning. */
export async function renderDocument(
  { kind, text }: Document,
  { url, extract, page, chunkSize }: DocumentView,
  { stripThresholdKb, extractProvider }: HttpRequestDeps,
  signal: AbortSignal,
): Promise<ToolResult> {
  if (page !== undefined || chunkSize !== undefined) {
    const part = renderPage(text, page, chunkSize);
    // Where the model chooses the cuts it could choose what is left of an address.
    return part.ok && chunkSize === undefined ? { ...part, page: url } : part;
  }
  // What was not stripped is bounded already.
  const isLong = kind === "html" && Buffer.byteLength(text) > stripThresholdKb * 1024;
  if (!isLong) return { ...success(text), page: url };
  if (extract && extractProvider) {
    const { extractAnswer } = await import("./extract-answer.ts");
    const answer = await extractAnswer(extractProvider(), { text, wanted: extract }, signal);
    // A model wrote it, in answer to a question that a model asked: these are no words of the page.
    if (answer !== undefined)
      return success(`[Extracted from ${toKb(text)} KB of text]\n\n${answer}`);
  }
  return { ...success(renderCut(text, stripThresholdKb)), page: url };
}

function renderPage(text: string, page = 1, chunkSize: number = PAGE_CHARS): ToolResult {
  const size = Math.min(MAX_PAGE_CHARS, Math.max(MIN_PAGE_CHARS, chunkSize));
  const pages = toPages(text, size);
  const content = pages[page - 1];
  if (content !== undefined) return success(`[Page ${page} of ${pages.length}]\n\n${content}`);
  const error = `page ${page} does not exist: there are ${pages.length} of ${size} characters`;
  return { ok: false, error, errorCode: "invalid_args", retryable: false };
}

/** The beginning, and one hint how to get at the rest. */
function renderCut(text: string, limitKb: number): string {
  const total = toPages(text, PAGE_CHARS).length;
  const hint = `[Cut at ${limitKb} KB of ${toKb(text)} KB: call again with "extract" (what to find) or "page" (1 to ${total})]`;
  return `${cutBytes(text, limitKb * 1024)}\n\n${hint}`;
}

function toKb(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 1024);
}

function success(content: string) {
  return { ok: true, content } as const;
}
