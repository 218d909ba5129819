import { toStatusFailure } from "../../http/fetch-failure.ts";
import { type FetchOptions, fetchGuarded } from "../../http/fetch-guarded.ts";
import type { ToolFailure } from "../tool.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
/** The public services want to know who asks. */
const USER_AGENT = "papa-yu (personal assistant)";

/** A parsed answer, or why there is none. */
export type JsonResult = { readonly ok: true; readonly value: unknown } | ToolFailure;

/** Asks a service that the owner configured, wherever it runs, for JSON. */
export async function fetchJson(
  request: Pick<FetchOptions, "url" | "method" | "body" | "headers" | "signal">,
): Promise<JsonResult> {
  const response = await fetchGuarded({
    ...request,
    headers: { ...request.headers, "User-Agent": USER_AGENT, Accept: "application/json" },
    trusted: true,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const failure = response.ok ? toStatusFailure(response) : response;
  if (failure) {
    const { message: error, retryable, retryAfterMs } = failure;
    return {
      ok: false,
      error,
      errorCode: toErrorCode(failure.code),
      retryable,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(failure.isBusy && { isBusy: true }),
    };
  }
  return response.ok ? parse(response.body, request.url) : broken(request.url);
}

/** The address is the owner's, not the model's: whatever is wrong with it, the service is not there. */
function toErrorCode(code: string): ToolFailure["errorCode"] {
  if (code === "rate_limited" || code === "timeout") return code;
  return code === "ERR_CANCELLED" ? "denied" : "unavailable";
}

function parse(body: Uint8Array, url: string): JsonResult {
  try {
    return { ok: true, value: JSON.parse(new TextDecoder().decode(body)) };
  } catch {
    return broken(url);
  }
}

function broken(url: string): ToolFailure {
  const error = `Cannot read the answer of "${new URL(url).host}": it is no JSON`;
  return { ok: false, error, errorCode: "internal", retryable: true };
}
