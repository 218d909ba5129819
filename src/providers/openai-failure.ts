import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { AppError, errorMessage, systemErrorCode } from "../core/app-error.ts";
import { shorten } from "../core/cut-text.ts";
import type { Stop } from "../core/deadline.ts";
import { proxyVariable } from "../core/fetch/fetch.ts";
import { isFields, isTooDeep } from "../core/guards.ts";
import { toVisibleText } from "../core/visible-text.ts";
import type { OptionalPart } from "./capabilities.ts";
import { holdsPart } from "./openai-messages.ts";
import { toRoot } from "./openai-transport.ts";
import type { ProviderFailure } from "./provider.ts";

/** What a failure's message and class depend on apart from the error itself. */
export interface FailureContext {
  readonly name: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly stopped: Stop | undefined;
  readonly timeoutMs: number;
  readonly now: number;
}

/** An error with an HTTP status, as the openai client throws it. */
interface StatusError extends Error {
  readonly status: number;
  readonly headers?: unknown;
  readonly error?: unknown;
  readonly code?: unknown;
}

const MAX_REASON_CHARS = 300;

/** Classifies what went wrong by type and status; the message is one line without the key. */
export function toFailure(error: unknown, context: FailureContext): ProviderFailure {
  const failure = classify(error, context);
  const { name, model } = context;
  const proxy = proxyVariable(context.baseUrl);
  const way = proxy === undefined ? "" : `, by the proxy that ${proxy} names`;
  const message = `Cannot get an answer of "${model}" from "${name}"${way}: ${failure.message}`;
  return { ...failure, message };
}

/** Whether something stands where a piece of an answer was to come: an error in words, a login page. */
export function isInstead(error: unknown): boolean {
  return error instanceof AppError && error.details["isInstead"] === true;
}

/** The optional part of the sent body that an error response complains about. */
export function refusedPart(
  error: unknown,
  body: ChatCompletionCreateParamsStreaming,
): OptionalPart | undefined {
  if (!isStatusError(error) || error.status < 400 || SAYS_NOTHING.has(error.status))
    return undefined;
  const complaint = readComplaint(error);
  const isSent = (part: OptionalPart) => part in body || holdsPart(body.messages, part);
  return COMPLAINTS.find(
    ([part, pattern, not]) => pattern.test(complaint) && !not?.test(complaint) && isSent(part),
  )?.[0];
}

/** What a server says for itself: a request that it quotes may have any words in it. */
function readComplaint({ message, error }: StatusError): string {
  if (!isFields(error) && !Array.isArray(error)) return wordsOf(message);
  return isTooDeep(error) ? "" : wordsOf(error);
}

function wordsOf(value: unknown): string {
  if (typeof value === "string") return value.replace(QUOTED_INPUT, "");
  if (typeof value !== "object" || value === null) return "";
  const named = Object.entries(value).filter(([name]) => !ECHOES.has(name));
  return named.map(([name, each]) => `${name} ${wordsOf(each)}`).join(" ");
}

/** Under which validators repeat what they were sent. */
const ECHOES: ReadonlySet<string> = new Set(["input", "ctx", "body", "value", "received"]);
/** The same in a text, up to its end: nobody knows where what is quoted ends. */
const QUOTED_INPUT = /(?:["']input["']:|\binput_value=)[^]*$/u;

/** Answers about the caller or the moment, no matter which words they use. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([401, 403, 408, 409, 429]);

const REFUSES =
  /\b(?:must|should|may|can) ?not\b(?! be (?:missing|empty|omitted|null))|\bnot (?:be )?(?:allowed|permitted|supported|accepted|expected)\b|forbidden|un(?:supported|expected|known|recognized)|additional propert|\bextra (?:input|field|key)|\bremove\b/i;

/** In order: what is named counts before what is only hinted at; the last is what is not said with it. */
const COMPLAINTS: readonly (readonly [OptionalPart, RegExp, RegExp?])[] = [
  ["calls_without_thoughts", /^(?=.*reasoning_content).*\b(?:must|missing|required)\b/is, REFUSES],
  ["calls_without_signature", /missing.*thought.?signature/is, REFUSES],
  ["asides", /reasoning_(?:content|details)|extra_content|thought.?signature/i],
  ["response_format", /response_format|json_schema/i],
  ["stream_options", /stream_options|include_usage/i],
  ["temperature", /temperature/i],
  ["max_tokens", /max_completion_tokens/i],
  [
    "tools",
    /\btools?\b.*(?:not support|unsupported|unknown)|(?:not support|unsupported|unknown).*\btools?\b/i,
  ],
  ["response_format", /unknown (field|parameter|argument|name)|not supported|unsupported/i],
];

function classify(error: unknown, context: FailureContext): ProviderFailure {
  const { stopped, apiKey } = context;
  if (stopped === "cancelled") {
    return { code: "ERR_CANCELLED", message: "it was cancelled", retryable: false };
  }
  if (stopped !== undefined) return timeout(stopped, context.timeoutMs);
  if (isStatusError(error)) return statusFailure(error, context);
  if (error instanceof AppError) {
    const retryable = error.details["retryable"] === true;
    const advice = error.details["isOdd"] === true ? `; ${oddAdvice(context)}` : "";
    return { code: "LLM_REQUEST", message: oneLine(error.message, apiKey) + advice, retryable };
  }
  const failure = connectionFailure(rootCause(error), context);
  return { ...failure, ...(isUnworked(error) && { work: "none" }) };
}

/** What went wrong on the way, and whether the request can have left before. */
function connectionFailure(
  cause: unknown,
  { baseUrl, name, apiKey }: FailureContext,
): ProviderFailure {
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : "";
  const code = systemErrorCode(cause) ?? "";
  if (CERTIFICATE.test(code)) {
    const message = `the certificate of "${origin}" is refused, ${code}; check base_url in [providers.${name}], the clock of this machine and who stands in between`;
    // A login page of a network may be in front: it is gone later, and not in seconds.
    return { code: "LLM_REQUEST", message, retryable: false };
  }
  if (NO_ADDRESS.test(code)) {
    const message = `base_url is no web address, ${code}; check it in [providers.${name}]`;
    return { code: "LLM_REQUEST", message, retryable: false, isLasting: true };
  }
  const reason = code ? `no connection, ${code}` : oneLine(errorMessage(cause), apiKey);
  const message = `${reason}; check base_url in [providers.${name}] and that "${origin}" can be reached`;
  return { code: "LLM_REQUEST", message, retryable: true };
}

/** Somebody else answered: a proxy, a login page, another kind of API, the wrong path. */
function oddAdvice({ baseUrl, name, apiKey }: FailureContext): string {
  const { origin, pathname } = new URL(toRoot(baseUrl));
  const asked = oneLine(`${origin}${pathname.replace(/\/+$/u, "")}/chat/completions`, apiKey);
  return `it came from "${asked}"; check base_url in [providers.${name}], which often ends in /v1, and that no proxy or login page stands in between`;
}

/** Whether nobody can have worked on a request that failed so: it did not leave, or was refused. */
export function isUnworked(error: unknown): boolean {
  if (isStatusError(error)) return !isOfGateway(error.status);
  return unreachedBy(error) !== undefined;
}

/** The code of what kept a request from being sent; undefined: it may have arrived. */
export function unreachedBy(error: unknown): string | undefined {
  const code = systemErrorCode(rootCause(error)) ?? "";
  return UNREACHED.has(code) || NO_ADDRESS.test(code) || CERTIFICATE.test(code) ? code : undefined;
}

/** The last two of Cloudflare: an answer that is none, and none in time. Its others never reached a server. */
const GAVE_UP: ReadonlySet<number> = new Set([408, 502, 504, 520, 524]);

/** Who stands before a model gave up on it, which may have worked all the while. */
function isOfGateway(status: number): boolean {
  return GAVE_UP.has(status);
}

/** What goes wrong before a request is sent; after a reset nobody knows what was worked on. */
const UNREACHED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPROTO",
]);

/** What OpenSSL says of a certificate, in the words of Node, and Bun where it knows none of them. */
const CERTIFICATE =
  /^(?:ERR_TLS_CERT_\w+|UNABLE_TO_\w+|ERROR_IN_C(?:ERT|RL)_\w+|(?:\w+_)?CERT(?:_\w+)?|CRL_\w+|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|UNKNOWN_CERTIFICATE_\w+)$/u;

/** An address that nothing can be asked at. */
const NO_ADDRESS = /^ERR_INVALID_(?:URL|ARG_VALUE)$/u;

function timeout(stopped: "idle" | "total", timeoutMs: number): ProviderFailure {
  const reason =
    stopped === "idle"
      ? `nothing of an answer came for ${timeoutMs / 1000} s`
      : "it took too long as a whole";
  const message = `${reason}; try again, or raise reliability.request_timeout_s for a model that thinks long`;
  return { code: "LLM_REQUEST_TIMEOUT", message, retryable: true };
}

function statusFailure(error: StatusError, context: FailureContext): ProviderFailure {
  const { status } = error;
  // A spent quota is a 429 that no waiting fixes.
  const isSpent = error.code === "insufficient_quota";
  const retryable =
    !isSpent && (status === 408 || status === 409 || status === 429 || status >= 500);
  const retryAfterMs = retryable ? readRetryAfter(error.headers, context.now) : undefined;
  const reason = oneLine(error.message.replace(/^\d{3} /, ""), context.apiKey);
  const advice = isSpent
    ? "add credit or use another key"
    : statusAdvice(status, `[providers.${context.name}]`);
  return {
    code: "LLM_REQUEST",
    message: `HTTP ${status}, ${reason}; ${advice}`,
    status,
    retryable,
    ...(isUnworked(error) && { work: "none" }),
    ...(!retryable && { isLasting: true }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function statusAdvice(status: number, section: string): string {
  if (status === 401 || status === 403) return `check api_key in ${section}`;
  if (status === 404) return `check base_url and model in ${section}`;
  if (status >= 300 && status < 400) return `set base_url in ${section} to the final address`;
  if (status === 429 || status >= 500) return "try again later";
  return `check the model and its limits in ${section}`;
}

/** Milliseconds to wait by `retry-after-ms` or `retry-after` (seconds or an HTTP date). */
function readRetryAfter(headers: unknown, now: number): number | undefined {
  if (!(headers instanceof Headers)) return undefined;
  const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (exact >= 0) return exact;
  const value = headers.get("retry-after") ?? "";
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000;
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function isStatusError(error: unknown): error is StatusError {
  return error instanceof Error && "status" in error && typeof error.status === "number";
}

/** The client wraps a refused connection in "Connection error."; the cause says which. */
function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootCause(error.cause) : error;
}

/** What somebody else wrote, as one short line without its full stop; masked before it is cut. */
function oneLine(text: string, apiKey: string | undefined): string {
  const masked = apiKey ? text.replaceAll(apiKey, "[secret]") : text;
  const line = toVisibleText(masked.replace(/[\s\p{Cc}]+/gu, " ").trim());
  return shorten(line, MAX_REASON_CHARS).replace(/\.$/, "");
}
