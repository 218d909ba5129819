import type { IncomingMessage } from "node:http";
import { createDeadline, type Deadline, type Timers } from "../core/deadline.ts";
import { untilAborted } from "../core/until-aborted.ts";
import {
  type CheckedUrl,
  type CheckUrlOptions,
  checkUrlToFetch,
  parseWebUrl,
} from "./check-url/check-url.ts";
import { toFetchFailure } from "./fetch-failure.ts";
import {
  type FetchFailure,
  type FetchResult,
  type ResponseHead,
  renderUrl,
} from "./fetch-result.ts";
import { type BodyStream, openBody } from "./read-body.ts";
import { dropPrivateHeaders, type RequestHeaders, toRequestHeaders } from "./request-headers.ts";
import { sendRequest } from "./send-request.ts";

const IDLE_MS = 15_000;
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** One fetch and its bounds. */
export interface FetchOptions extends CheckUrlOptions {
  readonly url: string;
  /** GET when absent. */
  readonly method?: string;
  readonly headers?: RequestHeaders;
  readonly body?: string | Uint8Array;
  /** For everything together: look-up, redirects and body. */
  readonly timeoutMs: number;
  /** For silence of the other side; 15 seconds when absent. */
  readonly idleMs?: number;
  /** Of the body after decompression; what is beyond is not downloaded. */
  readonly maxBytes: number;
  /** None when absent: a redirect is then an answer like any other. */
  readonly maxRedirects?: number;
  /** The address is from the owner's configuration: it may be private and is not checked. */
  readonly trusted?: boolean;
  readonly signal: AbortSignal;
  /** What the bounds are counted with; tests pass in their own. */
  readonly timers?: Timers;
}

/** An answer whose body is still on its way. */
export interface OpenResponse extends ResponseHead {
  readonly body: BodyStream;
}

/** {@link fetchOpen} with the whole body. */
export async function fetchGuarded(options: FetchOptions): Promise<FetchResult> {
  return fetchOpen(options, async ({ body: { chunks, isCut }, ...head }) => {
    const body = Buffer.concat(await Array.fromAsync(chunks));
    return { ok: true as const, ...head, body, truncated: isCut() };
  });
}

/**
 * Fetches an address that may come from anybody: checked first, connected only to the addresses
 * that were checked, bounded in bytes and time. `read` gets the answer as soon as its head is
 * there; what it throws is a failure, and its body ends with it.
 *
 * Every answer that arrives is read, of any status; `toStatusFailure` sorts those out. Only
 * GET and HEAD are redirected, each hop is checked again, and another origin sees neither the
 * caller's headers nor the owner's trust.
 */
export async function fetchOpen<Result>(
  options: FetchOptions,
  read: (response: OpenResponse) => Promise<Result>,
): Promise<Result | FetchFailure> {
  const { url, method = "GET", timeoutMs, idleMs = IDLE_MS, signal, timers } = options;
  if (!METHODS.has(method)) return toInvalid(url, `method ${JSON.stringify(method)} is not known`);
  const headers = toRequestHeaders(options.headers ?? {});
  if (!headers.ok) return toInvalid(url, headers.reason);
  using deadline = createDeadline({ totalMs: timeoutMs, idleMs, signal, timers });
  try {
    const first = { url, headers: headers.headers, isTrusted: options.trusted === true };
    return await deadline.wait(follow({ ...options, method }, first, deadline, read));
  } catch (error) {
    return toFetchFailure(url, error, deadline.stopped());
  }
}

interface Hop {
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly isTrusted: boolean;
}

async function follow<Result>(
  options: FetchOptions & { readonly method: string },
  first: Hop,
  deadline: Deadline,
  read: (response: OpenResponse) => Promise<Result>,
): Promise<Result | FetchFailure> {
  const { method, body, maxBytes, maxRedirects = 0 } = options;
  let hop = first;
  for (let left = maxRedirects; ; left -= 1) {
    const checked = await checkHop(hop, options, deadline.controller.signal);
    if (checked.kind !== "allowed") return toRefusal(hop.url, checked);
    const { url, addresses } = checked;
    const request = { url, addresses, method, headers: hop.headers, body };
    const response = await sendRequest(request, deadline.controller.signal);
    deadline.touch();
    const next = left > 0 ? findNextHop(response, hop, url, method) : undefined;
    if (next === undefined) {
      using _connection = { [Symbol.dispose]: () => void response.destroy() };
      const answer = openBody(response, { maxBytes, onChunk: deadline.touch });
      return await read({ url: url.href, ...toHead(response), body: answer });
    }
    response.destroy();
    hop = next;
  }
}

type CheckedHop =
  | Exclude<CheckedUrl, { kind: "allowed" }>
  | { readonly kind: "allowed"; readonly url: URL; readonly addresses?: readonly string[] };

async function checkHop(
  hop: Hop,
  options: CheckUrlOptions,
  signal: AbortSignal,
): Promise<CheckedHop> {
  if (hop.isTrusted) {
    const url = parseWebUrl(hop.url);
    return typeof url === "string" ? { kind: "refused", reason: url } : { kind: "allowed", url };
  }
  const stopped = untilAborted(signal).then((): never => {
    throw signal.reason;
  });
  return Promise.race([checkUrlToFetch(hop.url, options), stopped]);
}

function findNextHop(
  response: IncomingMessage,
  hop: Hop,
  from: URL,
  method: string,
): Hop | undefined {
  const { location } = response.headers;
  const isRedirect = REDIRECTS.has(response.statusCode ?? 0) && location !== undefined;
  if (!isRedirect || (method !== "GET" && method !== "HEAD")) return undefined;
  const to = URL.parse(location, from.href);
  if (to === null) return undefined;
  if (to.origin === from.origin) return { ...hop, url: to.href };
  return { url: to.href, headers: dropPrivateHeaders(hop.headers), isTrusted: false };
}

function toHead(response: IncomingMessage): {
  status: number;
  headers: Readonly<Record<string, string>>;
} {
  const headers = Object.entries(response.headers).map(([name, value = ""]) => {
    return [name, Array.isArray(value) ? value.join(", ") : value] as const;
  });
  return { status: response.statusCode ?? 0, headers: Object.fromEntries(headers) };
}

function toInvalid(url: string, reason: string): FetchFailure {
  const message = `Cannot fetch "${renderUrl(url)}": ${reason}`;
  return { ok: false, code: "invalid_args", message, retryable: false };
}

function toRefusal(url: string, checked: Exclude<CheckedHop, { kind: "allowed" }>): FetchFailure {
  const isRefused = checked.kind === "refused";
  return {
    ok: false,
    code: isRefused ? "denied" : "unavailable",
    message: `Cannot fetch "${renderUrl(url)}": ${checked.reason}`,
    retryable: !isRefused,
  };
}
