import { AppError, errorMessage } from "../../core/app-error.ts";

/** How a Bot API call ended that did not succeed; the difference decides about repeating it. */
export type ApiFailure =
  /** Telegram answered: the call had no effect. */
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly reason: string;
      readonly retryAfterMs: number | undefined;
      /** The chat that the one it was for has become. */
      readonly movedTo: number | undefined;
    }
  /** No connection came about: the call cannot have had an effect. */
  | { readonly kind: "unreached"; readonly reason: string }
  /** The connection broke or fell silent after the request left: it may have had its effect. */
  | { readonly kind: "unknown"; readonly reason: string };

const UNREACHED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
]);

/**
 * Classifies what a grammY call throws: a GrammyError carries Telegram's answer, an HttpError
 * the network's error. Reasons name no address, for that would hold the token.
 */
export function toApiFailure(error: unknown): ApiFailure {
  const status = field(error, "error_code");
  if (typeof status === "number") {
    const parameters = field(error, "parameters");
    const seconds = field(parameters, "retry_after");
    const to = field(parameters, "migrate_to_chat_id");
    const retryAfterMs =
      typeof seconds === "number" && seconds > 0 ? boundWait(seconds * 1000) : undefined;
    const reason = `${status} ${String(field(error, "description"))}`;
    const movedTo = typeof to === "number" && Number.isSafeInteger(to) ? to : undefined;
    return { kind: "answered", status, reason, retryAfterMs, movedTo };
  }
  const cause = field(error, "error");
  if (cause instanceof AppError) return { kind: "unknown", reason: cause.message };
  const code = field(cause, "code");
  if (typeof code === "string" && UNREACHED.has(code)) {
    return { kind: "unreached", reason: code };
  }
  return { kind: "unknown", reason: typeof code === "string" ? code : errorMessage(error) };
}

/** No wait is longer: neither a server's rubbish nor a clock that was set back ends a chat. */
const MAX_WAIT_MS = 3600_000;

/** A wait as long as it was asked for, within reason. */
export function boundWait(ms: number): number {
  return Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}

/** Waiting time before try number `tries` + 1 on a bad network: 1 s doubling up to 60 s. */
export function backoffMs(tries: number): number {
  return Math.min(60_000, 1000 * 2 ** Math.min(tries, 6));
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
