import type { ResearchFailure } from "../../research/research.ts";
import type { ToolFailure } from "../tool.ts";

/** Why a search or research failed: what will pass is no reason to go without the tool. */
export function toResearchFailure(failure: ResearchFailure): ToolFailure {
  const { code, message, retryAfterMs, isOfCall } = failure;
  const retryable = failure.retryable === true || PASSING.has(code);
  return {
    ok: false,
    error: message,
    errorCode: toErrorCode(code),
    cause: code,
    retryable,
    ...(isOfCall && { isOfCall }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** What may be over in a moment. */
const PASSING: ReadonlySet<string> = new Set([
  "rate_limited",
  "timeout",
  "LLM_REQUEST",
  "LLM_REQUEST_TIMEOUT",
] satisfies readonly ResearchFailure["code"][]);

function toErrorCode(code: ResearchFailure["code"]): ToolFailure["errorCode"] {
  switch (code) {
    case "invalid_args":
    case "denied":
    case "not_found":
    case "rate_limited":
    case "timeout":
    case "unavailable":
      return code;
    case "ERR_CANCELLED":
      return "denied";
    case "LLM_REQUEST_TIMEOUT":
      return "timeout";
    case "LLM_ANSWER_CUT":
      return "too_large";
    case "LLM_REQUEST":
    case "LLM_BUDGET":
    case "ERR_CONFIG_INVALID":
    case "ERR_SECRET_UNAVAILABLE":
      return "unavailable";
    default:
      return "internal";
  }
}
