import { AppError, errorMessage, systemErrorCode } from "../core/app-error.ts";
import type { Stop } from "../core/deadline.ts";
import { type FetchCode, type FetchFailure, type ResponseHead, renderUrl } from "./fetch-result.ts";

/** Errors of the network that pass: the same request may go through in a moment. */
const PASSING: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  // The compressed body ended early.
  "Z_BUF_ERROR",
]);

type Cause = Pick<FetchFailure, "code" | "retryable"> & { readonly reason: string };

/** What a fetch threw, or which bound ended it, as a failure. */
export function toFetchFailure(
  url: string,
  error: unknown,
  stopped: Stop | undefined,
): FetchFailure {
  const { code, reason, retryable } = stopped === undefined ? toCause(error) : STOPS[stopped];
  return { ok: false, code, message: `Cannot fetch "${renderUrl(url)}": ${reason}`, retryable };
}

const STOPS: Readonly<Record<Stop, Cause>> = {
  idle: { code: "timeout", reason: "the server fell silent", retryable: true },
  total: { code: "timeout", reason: "it took too long", retryable: true },
  cancelled: { code: "ERR_CANCELLED", reason: "it was cancelled", retryable: false },
};

function toCause(error: unknown): Cause {
  const system = systemErrorCode(error) ?? "";
  if (system === "HPE_HEADER_OVERFLOW")
    return {
      code: "too_large",
      reason: "the headers of the answer are too long",
      retryable: false,
    };
  const retryable = !(error instanceof AppError) && PASSING.has(system);
  // When several addresses fail together, their common error has no message of its own.
  return { code: "unavailable", reason: errorMessage(error) || system, retryable };
}

/** An answer whose status is no success, as a failure; undefined for 2xx. */
export function toStatusFailure(
  response: ResponseHead,
  now: () => number = Date.now,
): FetchFailure | undefined {
  const { status, headers, url } = response;
  if (status >= 200 && status < 300) return undefined;
  const code = toStatusCode(status);
  const retryAfterMs = readRetryAfter(headers["retry-after"], now());
  return {
    ok: false,
    code,
    message: `Cannot fetch "${renderUrl(url)}": the server answered with status ${status}`,
    retryable: code === "rate_limited" || code === "timeout" || status >= 500,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(BUSY.has(status) && { isBusy: true }),
  };
}

const BUSY: ReadonlySet<number> = new Set([429, 503]);

function toStatusCode(status: number): FetchCode {
  switch (status) {
    case 400:
    case 422:
      return "invalid_args";
    case 401:
    case 403:
      return "denied";
    case 404:
    case 410:
      return "not_found";
    case 408:
    case 504:
      return "timeout";
    case 413:
    case 414:
      return "too_large";
    case 429:
      return "rate_limited";
    default:
      return "unavailable";
  }
}

/** Retry-After comes as seconds or as a date. */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d{1,9}$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
