import type { ToolResult } from "../tool.ts";
import type { HttpRequestDeps } from "./http-request-deps.ts";
import { cutBytes, toKb, toPages } from "./text-pages.ts";

/** What was fetched and can be read, whole or in parts. */
export interface Document {
  readonly kind: "html" | "text";
  /** What the answer said before its body. */
  readonly head: string;
  readonly text: string;
  /** One line about what is not in the text and how to get it; empty when nothing is missing. */
  readonly note: string;
  /** What was left out of the text as navigation. */
  readonly navigation: string;
}

const PAGE_CHARS = 32_000;
const MIN_PAGE_CHARS = 500;
const MAX_PAGE_CHARS = 200_000;

/** What of a document is asked for. */
export interface DocumentView {
  /** Where it was read. */
  readonly url: string;
  readonly part: "navigation" | undefined;
  readonly extract: string | undefined;
  readonly page: number | undefined;
  readonly chunkSize: number | undefined;
}

/**
 * The head of a document and the document whole, if it is short enough; else the page or the answer
 * asked for, or its beginning.
 */
export async function renderDocument(
  document: Document,
  view: DocumentView,
  deps: HttpRequestDeps,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { text, note } = choosePart(document, view);
  const shown = await renderText({ kind: document.kind, text, note }, view, deps, signal);
  return shown.ok ? { ...shown, content: `${document.head}\n\n${shown.content}` } : shown;
}

type Chosen = Pick<Document, "text" | "note">;

function choosePart(document: Document, { part }: DocumentView): Chosen {
  if (part === undefined) return document;
  if (document.kind === "text")
    return { ...document, note: '[part = "navigation" is for HTML: this is all of the text]' };
  return document.navigation === ""
    ? { text: "", note: "[Nothing was left out as navigation]" }
    : { text: document.navigation, note: "" };
}

async function renderText(
  { kind, text, note }: Chosen & Pick<Document, "kind">,
  { url, extract, page, chunkSize }: DocumentView,
  { stripThresholdKb, extractProvider }: HttpRequestDeps,
  signal: AbortSignal,
): Promise<ToolResult> {
  const whole = join(text, note);
  if (page !== undefined || chunkSize !== undefined) {
    const part = renderPage(whole, page, chunkSize);
    // Where the model chooses the cuts it could choose what is left of an address.
    return part.ok && chunkSize === undefined ? { ...part, page: url } : part;
  }
  // What was not stripped is bounded already.
  const isLong = kind === "html" && Buffer.byteLength(text) > stripThresholdKb * 1024;
  if (!isLong) return { ...success(whole), page: url };
  const cut = join(renderCut(text, stripThresholdKb), note);
  if (extract === undefined) return { ...success(cut), page: url };
  if (extractProvider === undefined)
    return {
      ...success(join(cut, "[extract was not tried: there is no model for it]")),
      page: url,
    };
  const { extractAnswer } = await import("./extract-answer.ts");
  const answer = await extractAnswer(extractProvider(), { text, wanted: extract }, signal);
  // A model wrote it, in answer to a question that a model asked: these are no words of the page.
  return answer.ok
    ? success(`[Extracted from ${answer.read} of ${toKb(text)} KB]\n\n${answer.text}`)
    : {
        ...success(join(cut, `[extract was tried on ${answer.read}: ${answer.reason}]`)),
        page: url,
      };
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
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

function success(content: string) {
  return { ok: true, content } as const;
}
