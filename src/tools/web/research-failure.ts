import type { ResearchFailure } from "../../research/research.ts";
import type { ToolFailure } from "../tool.ts";

/** Why a search or research failed: what will pass is no reason to go without the tool. */
export function toResearchFailure(failure: ResearchFailure): ToolFailure {
  const { code, message, retryAfterMs } = failure;
  const retryable = failure.retryable === true || code === "rate_limited" || code === "timeout";
  return {
    ok: false,
    error: message,
    errorCode: toErrorCode(code, retryable),
    retryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function toErrorCode(code: ResearchFailure["code"], retryable: boolean): ToolFailure["errorCode"] {
  switch (code) {
    case "invalid_args":
    case "denied":
    case "not_found":
    case "rate_limited":
    case "timeout":
      return code;
    case "ERR_CANCELLED":
      return "denied";
    case "unavailable":
      return retryable ? "internal" : "unavailable";
    case "ERR_CONFIG_INVALID":
    case "ERR_SECRET_UNAVAILABLE":
      return "unavailable";
    default:
      return "internal";
  }
}
