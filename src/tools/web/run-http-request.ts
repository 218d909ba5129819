import { toStatusFailure } from "../../http/fetch-failure.ts";
import { fetchGuarded } from "../../http/fetch-guarded.ts";
import type { FetchedResponse, FetchFailure } from "../../http/fetch-result.ts";
import type { HttpRequestDeps } from "../http-request.ts";
import { type HttpCall, readHttpCall } from "./read-http-call.ts";
import { renderDocument } from "./render-document.ts";
import { cutBytes } from "./text-pages.ts";
import type { ToolArguments, ToolFailure, ToolResult } from "../tool.ts";
import { toWebDocument, type WebDocument } from "./web-document.ts";

/** Of a body after decompression: enough for a page whose text is far smaller. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;
/** Documents kept for the turn. */
const MAX_KEPT = 4;

/** One call's bounds, and the documents that its turn has fetched so far. */
export interface HttpRequestScope extends HttpRequestDeps {
  readonly fetched: Map<string, WebDocument>;
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
  const key = JSON.stringify([call.url, call.headers]);
  const { extract, page, chunkSize } = call;
  const isLookBack = call.method === "GET" && (extract ?? page ?? chunkSize) !== undefined;
  const kept = isLookBack ? scope.fetched.get(key) : undefined;
  if (kept) return renderDocument(kept, call, scope, scope.signal);
  return request(call, scope, (document) => keep(scope.fetched, key, document));
}

function keep(fetched: Map<string, WebDocument>, key: string, document: WebDocument): void {
  fetched.delete(key);
  fetched.set(key, document);
  const [oldest] = fetched.keys();
  if (fetched.size > MAX_KEPT && oldest !== undefined) fetched.delete(oldest);
}

async function request(
  call: HttpCall,
  scope: HttpRequestScope,
  onDocument: (document: WebDocument) => void,
): Promise<ToolResult> {
  const { signal } = scope;
  const response = await fetchGuarded({ ...scope, ...call, maxBytes: MAX_BYTES });
  if (!response.ok) return toToolFailure(response);
  const redirect = renderRedirect(response);
  if (redirect !== undefined) return { ok: true, content: redirect };
  const failure = toStatusFailure(response);
  const isEmpty = call.method === "HEAD" || response.body.length === 0;
  const document = isEmpty
    ? undefined
    : await toWebDocument(response, { strip: scope.stripThresholdKb > 0 });
  if (failure) {
    const body = document ? cutBytes(document.text, MAX_ERROR_BYTES) : "";
    return toToolFailure(failure, body && `\n\n${body}`);
  }
  if (document === undefined) return { ok: true, content: renderHead(response) };
  if (call.method === "GET") onDocument(document);
  return renderDocument(document, call, scope, signal);
}

function renderRedirect({ status, headers, url }: FetchedResponse): string | undefined {
  const { location } = headers;
  if (status < 300 || status > 399 || location === undefined) return undefined;
  const target = URL.parse(location, url)?.href ?? location;
  return `Status ${status}, not followed. Location: ${target}`;
}

function renderHead({ status, headers }: FetchedResponse): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return cutBytes([`Status ${status}, no body`, ...lines].join("\n"), MAX_ERROR_BYTES);
}

/** One site that is out of reach is no reason to go without the tool: never `unavailable`. */
function toToolFailure(failure: FetchFailure, body = ""): ToolFailure {
  const { code, message, retryable, retryAfterMs } = failure;
  return {
    ok: false,
    error: message + body,
    errorCode: code === "unavailable" ? "internal" : code === "ERR_CANCELLED" ? "denied" : code,
    retryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
