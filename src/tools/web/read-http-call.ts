import { isReservedHeader, type RequestHeaders } from "../../http/request-headers.ts";
import type { ToolArguments, ToolFailure } from "../tool.ts";
import type { DocumentView } from "./render-document.ts";

const TIMEOUT_SECS = 30;
const MAX_TIMEOUT_SECS = 120;

/** The arguments of `http_request`, parsed. */
export interface HttpCall extends DocumentView {
  readonly url: string;
  readonly method: string;
  readonly headers: RequestHeaders;
  readonly body?: string;
  readonly timeoutMs: number;
  /** HTML is given as it came. */
  readonly isRaw: boolean;
}

/** The call that a model asks for, or why it is not made; nothing in it may be a secret of ours. */
export function readHttpCall(
  args: ToolArguments,
  holdsSecret: (text: string) => boolean,
): { readonly ok: true; readonly call: HttpCall } | ToolFailure {
  const headers = readHeaders(args["headers"]);
  if (typeof headers === "string") return failure("invalid_args", headers);
  const url = String(args["url"]);
  const part = args["part"] === "navigation" ? ("navigation" as const) : undefined;
  if (part === undefined && args["part"] !== undefined)
    return failure("invalid_args", 'part must be "navigation", or be left out');
  const body = toText(args["body"]);
  const said = [url, body ?? "", ...Object.entries(headers).flat()];
  if (said.some(holdsSecret))
    return failure("denied", "the request holds a secret of papa-yu's own, which never leaves");
  const seconds = Number(args["timeout_secs"] ?? TIMEOUT_SECS);
  const call = {
    url,
    method: String(args["method"]),
    headers,
    ...(body !== undefined && { body }),
    timeoutMs: Math.min(MAX_TIMEOUT_SECS, Math.max(1, seconds)) * 1000,
    isRaw: args["raw"] === true,
    part,
    extract: toText(args["extract"]),
    page: toNumber(args["page"]),
    chunkSize: toNumber(args["chunk_size"]),
  };
  return { ok: true, call };
}

/** The headers, or what is wrong with them. */
function readHeaders(given: unknown): RequestHeaders | string {
  if (Array.isArray(given)) return "headers must be an object of texts";
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (typeof value === "object") return `header "${name}" must be a text`;
    if (isReservedHeader(name)) return `header "${name}" is not for a caller to set; leave it out`;
    headers[name] = String(value);
  }
  return headers;
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function failure(errorCode: ToolFailure["errorCode"], error: string): ToolFailure {
  return { ok: false, error, errorCode, retryable: false };
}
