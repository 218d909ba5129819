import { AppError, errorMessage } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import type { ToolFailure } from "../tool.ts";

/** Most characters of a server's own words in a failure. */
const MAX_CHARS = 2000;

/**
 * A failed call as its error tells: by the codes of JSON-RPC, the SDK and HTTP. Only a call that
 * changes nothing may be made again unasked: nobody knows how far the other one got.
 */
export function toFailure(error: unknown, isReadOnly: boolean): ToolFailure {
  if (error instanceof AppError) return failure("unavailable", error.message, false);
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return failure("timeout", "it took too long and was ended", isReadOnly);
  }
  const message = errorMessage(error);
  switch (codeOf(error)) {
    case INVALID_PARAMS:
      return failure("invalid_args", message, false);
    case METHOD_NOT_FOUND:
      return failure("not_found", message, false);
    case 401:
    case 403:
      return failure("unavailable", message, false);
    case 429:
      return { ...failure("rate_limited", message, true), ...retryAfter(error) };
    default:
      return failure("internal", message, isReadOnly);
  }
}

/** The failure with bounded words. */
export function failure(
  errorCode: ToolFailure["errorCode"],
  words: string,
  retryable: boolean,
): ToolFailure {
  return { ok: false, error: shorten(words, MAX_CHARS), errorCode, retryable };
}

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/** Both the SDK's errors for JSON-RPC and those for HTTP carry a number. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function retryAfter(error: unknown): Pick<ToolFailure, "retryAfterMs"> {
  const isKnown = error instanceof Error && "retryAfterMs" in error;
  return isKnown && typeof error.retryAfterMs === "number"
    ? { retryAfterMs: error.retryAfterMs }
    : {};
}
