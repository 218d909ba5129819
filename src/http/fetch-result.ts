import { shorten } from "../core/cut-text.ts";
import type { ErrorCode } from "../core/error-codes.ts";

/** What a fetch can fail with; ERR_CANCELLED is the caller's own signal. */
export type FetchCode = Extract<
  ErrorCode,
  | "invalid_args"
  | "denied"
  | "not_found"
  | "unavailable"
  | "rate_limited"
  | "timeout"
  | "too_large"
  | "ERR_CANCELLED"
>;

/** What an answer says before its body. Any status. */
export interface ResponseHead {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer that arrived whole, or was cut at the caller's own limit. */
export interface FetchedResponse extends ResponseHead {
  readonly ok: true;
  /** Decompressed. */
  readonly body: Uint8Array;
  /** The body was longer than `maxBytes`; the rest was not downloaded. */
  readonly truncated: boolean;
}

/** Why there is no usable answer. */
export interface FetchFailure {
  readonly ok: false;
  readonly code: FetchCode;
  readonly message: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** The server asks to be left alone, whatever it is asked for: status 429 or 503. */
  readonly isBusy?: true;
}

/** The result of a fetch. */
export type FetchResult = FetchedResponse | FetchFailure;

/** An address for messages: without its query, which may hold a key. */
export function renderUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? shorten(url, 200) : `${parsed.origin}${parsed.pathname}`;
}
