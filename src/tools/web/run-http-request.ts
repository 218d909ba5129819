import { toStatusFailure } from "../../http/fetch-failure.ts";
import { fetchOpen, type OpenResponse } from "../../http/fetch-guarded.ts";
import { type FetchFailure, type ResponseHead, renderUrl } from "../../http/fetch-result.ts";
import { type PageContent, readPage } from "../../http/read-page.ts";
import type { ToolArguments, ToolFailure, ToolResult } from "../tool.ts";
import type { HttpRequestDeps } from "./http-request-deps.ts";
import { type HttpCall, readHttpCall } from "./read-http-call.ts";
import { type Document, renderDocument } from "./render-document.ts";
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
  const { extract, page, chunkSize } = call;
  const key = JSON.stringify([call.url, call.headers]);
  const isLookBack = call.method === "GET" && (extract ?? page ?? chunkSize) !== undefined;
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
  const isRaw = scope.stripThresholdKb === 0;
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
  if (content.kind === "redirect") {
    return { ...success(renderRedirect(head, content.location)), page: head.url };
  }
  const failure = toStatusFailure(head);
  if (failure) {
    const body = "text" in content ? cutBytes(content.text, MAX_ERROR_BYTES) : "";
    return toToolFailure(failure, body && `\n\n${body}`);
  }
  if (method === "HEAD") return success(renderHead(head));
  if (content.kind === "binary") {
    const size = content.sizeBytes === undefined ? "" : `, ${content.sizeBytes} bytes`;
    return success(`${content.type || "no type"}${size}: binary, its content is not shown`);
  }
  if (content.kind === "html" && content.needsScripts) {
    const note = `[${renderUrl(head.url)} shows little without JavaScript]`;
    return { ...success(`${content.text}\n\n${note}`), page: head.url };
  }
  return content.text === "" ? success(renderHead(head)) : content;
}

function renderRedirect({ status, url }: ResponseHead, location: string): string {
  return `Status ${status}, not followed. Location: ${URL.parse(location, url)?.href ?? location}`;
}

function renderHead({ status, headers }: ResponseHead): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return cutBytes([`Status ${status}, no body`, ...lines].join("\n"), MAX_ERROR_BYTES);
}

/** One site that refuses for good is no reason to go without the tool. */
function toToolFailure(failure: FetchFailure, body = ""): ToolFailure {
  const { code, message, retryable, retryAfterMs, isBusy } = failure;
  return {
    ok: false,
    error: message + body,
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
