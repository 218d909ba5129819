import { toStatusFailure } from "../../http/fetch-failure.ts";
import { fetchOpen, type OpenResponse } from "../../http/fetch-guarded.ts";
import type { FetchFailure } from "../../http/fetch-result.ts";
import { renderLeftOut } from "../../http/html-to-text/html-to-text.ts";
import { type PageContent, readPage } from "../../http/read-page.ts";
import type { ToolArguments, ToolFailure, ToolResult } from "../tool.ts";
import type { HttpRequestDeps } from "./http-request-deps.ts";
import { type HttpCall, readHttpCall } from "./read-http-call.ts";
import { type Document, renderDocument } from "./render-document.ts";
import { renderHead, renderWholeHead } from "./render-head.ts";
import { cutBytes } from "./text-pages.ts";

/** Of a body after decompression: pages are stripped while they arrive, and only text is kept. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;
/** Documents kept for the turn. */
const MAX_KEPT = 4;

/** One call's bounds, and the documents that its turn has fetched so far. */
export interface HttpRequestScope extends HttpRequestDeps {
  readonly fetched: Map<string, Document>;
  /** Addresses that asked to be left alone, and did not say for how long. */
  readonly refused: Map<string, ToolFailure>;
  readonly signal: AbortSignal;
}

/** Runs `http_request`; apart from the tool so that a start does not load what fetches. */
export async function runHttpRequest(
  args: ToolArguments,
  scope: HttpRequestScope,
): Promise<ToolResult> {
  const read = readHttpCall(args, scope.holdsSecret);
  if (!read.ok) return read;
  const { call } = read;
  const { extract, page, chunkSize, part } = call;
  const key = JSON.stringify([call.url, call.headers, call.isRaw]);
  const isLookBack = call.method === "GET" && (extract ?? page ?? chunkSize ?? part) !== undefined;
  const kept = isLookBack ? scope.fetched.get(key) : undefined;
  const address = `${call.method} ${call.url.replace(/#.*$/su, "")}`;
  const document = kept ?? scope.refused.get(address) ?? (await request(call, scope));
  if ("ok" in document) {
    if (isRefusal(document)) scope.refused.set(address, document);
    return document;
  }
  if (call.method === "GET") keep(scope.fetched, key, document);
  return renderDocument(document, call, scope, scope.signal);
}

/** Said with status 429 or 503; with a Retry-After the turn waits and asks once more. */
function isRefusal(result: ToolResult): result is ToolFailure {
  return !result.ok && result.isBusy === true && result.retryAfterMs === undefined;
}

function keep(fetched: Map<string, Document>, key: string, document: Document): void {
  fetched.delete(key);
  fetched.set(key, document);
  const [oldest] = fetched.keys();
  if (fetched.size > MAX_KEPT && oldest !== undefined) fetched.delete(oldest);
}

/** What is to be read at the address, or what there is to say without it. */
async function request(call: HttpCall, scope: HttpRequestScope): Promise<Document | ToolResult> {
  const isRaw = call.isRaw || scope.stripThresholdKb === 0;
  const answer = await fetchOpen({ ...scope, ...call, maxBytes: MAX_BYTES }, async (response) => {
    const { content } = await readPage(response, { isRaw });
    return { head: response, content };
  });
  return "ok" in answer ? toToolFailure(answer) : toToolResult(call.method, answer);
}

function toToolResult(
  method: string,
  { head, content }: { readonly head: OpenResponse; readonly content: PageContent },
): Document | ToolResult {
  if (content.kind === "redirect")
    return {
      ...success(`${renderHead(head)}\n\n[Not followed: call its Location]`),
      page: head.url,
    };
  const failure = toStatusFailure(head);
  if (failure) {
    const body = "text" in content ? cutBytes(content.text, MAX_ERROR_BYTES) : "";
    return toToolFailure(
      failure,
      [renderHead(head), body].filter((part) => part !== ""),
    );
  }
  if (method === "HEAD") return bodiless(head);
  switch (content.kind) {
    case "binary":
      return success(`${renderHead(head)}\n\n[Binary: its content is not shown]`);
    case "text":
      if (content.text === "") return bodiless(head);
      return { ...content, head: renderHead(head), note: "", navigation: "" };
    case "html":
      return { ...content, head: renderHead(head), note: toNote(content, head) };
    default:
      return content satisfies never;
  }
}

/** What a page's text lacks, and how it is to be had: the last line, behind what the page says. */
function toNote({ text, leftOut, needsScripts }: HtmlContent, { body }: OpenResponse): string {
  const missing = renderLeftOut(leftOut);
  const hint = missing && `${missing}. To read them: part = "navigation" or raw = true`;
  if (text !== "" && !needsScripts) return hint;
  const found = `${text === "" ? "No" : "Hardly any"} text in ${body.readBytes()} bytes of HTML`;
  const tried = "scripts, styles and hidden parts are left out. It may need JavaScript";
  return [hint, `[${found}: ${tried}. To read its source: raw = true]`]
    .filter((line) => line !== "")
    .join("\n\n");
}

type HtmlContent = Extract<PageContent, { readonly kind: "html" }>;

function bodiless(head: OpenResponse): ToolResult {
  return success(`${cutBytes(renderWholeHead(head), MAX_ERROR_BYTES)}\n\n[No body]`);
}

/** One site that refuses for good is no reason to go without the tool. */
function toToolFailure(failure: FetchFailure, said: readonly string[] = []): ToolFailure {
  const { code, message, retryable, retryAfterMs, isBusy } = failure;
  return {
    ok: false,
    error: [message, ...said].join("\n\n"),
    errorCode: code === "ERR_CANCELLED" ? "denied" : code,
    retryable,
    ...(!retryable && { isOfCall: true }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(isBusy && { isBusy }),
  };
}

function success(content: string) {
  return { ok: true, content } as const;
}
