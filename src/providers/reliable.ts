import type { Clock } from "../core/clock.ts";
import type { ChatRequest, Provider, ProviderEvent, ProviderFailure } from "./provider.ts";

/** One more try that is about to be made. */
export interface Retry {
  /** The provider that failed. */
  readonly provider: string;
  /** The provider that is asked next: the same, or the next of the chain. */
  readonly next: string;
  readonly failure: ProviderFailure;
  readonly delayMs: number;
}

/** How hard to try. */
export interface ReliableOptions {
  /** Tries after the first, for each provider. */
  readonly maxRetries: number;
  readonly initialBackoffMs: number;
  /** Of one request, all its pauses together; a server that asks for more is given up at once. */
  readonly maxWaitMs: number;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onRetry?: (retry: Retry) => void;
}

const MAX_BACKOFF_MS = 30_000;
/** What is believed; more than a date can hold is nonsense. */
const MAX_ASKED_MS = 365 * 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;
/** Retries after a time-out: each may take as long as the first try, and somebody waits. */
const MAX_PATIENCE = 1;

type End = Extract<ProviderEvent, { kind: "end" }>;
type FailedEnd = End & { readonly failure: ProviderFailure };

/**
 * The providers of a chain as one: a retryable failure is tried again with exponential backoff
 * and jitter, or after what the server asked for; then the next provider has its turn, at once
 * where a retry cannot help. A cap of the budget ends it all. After the first piece of an answer
 * was passed on nothing is tried again: nobody reads the same words twice. A `whole` answer is
 * held back until it is complete.
 */
export function createReliableProvider(
  providers: readonly Provider[],
  options: ReliableOptions,
): Provider {
  const [first] = providers;
  if (first === undefined) throw new Error("a reliable provider needs at least one provider");
  return {
    name: first.name,
    model: first.model,
    stream: (request) => streamReliably(providers, options, request),
  };
}

async function* streamReliably(
  providers: readonly Provider[],
  options: ReliableOptions,
  request: ChatRequest,
): AsyncGenerator<ProviderEvent> {
  const failures: ProviderFailure[] = [];
  for (const [position, provider] of providers.entries()) {
    const end = yield* tryProvider(provider, options, request);
    if (end === undefined) return;
    if (end.failure.code === "LLM_BUDGET") return yield end;
    failures.push(end.failure);
    const next = providers[position + 1];
    if (next === undefined || end.failure.code === "ERR_CANCELLED") {
      const message = failures.map((failure) => failure.message).join("; ");
      const { isLasting: _ofLast, ...last } = end.failure;
      const isLasting = failures.every((failure) => failure.isLasting);
      yield { ...end, failure: { ...last, message, ...(isLasting && { isLasting }) } };
      return;
    }
    const retry = { provider: provider.name, next: next.name, failure: end.failure, delayMs: 0 };
    options.onRetry?.(retry);
  }
}

/** Yields a whole answer and returns nothing, or returns the failure that no retry fixed. */
async function* tryProvider(
  provider: Provider,
  options: ReliableOptions,
  request: ChatRequest,
): AsyncGenerator<ProviderEvent, FailedEnd | undefined> {
  const { name } = provider;
  let without = request.without;
  let leftMs = options.maxWaitMs;
  let timeouts = 0;
  for (let retries = 0; ; retries++) {
    const end = yield* tryOnce(provider, { ...request, ...(without && { without }) });
    if (end === undefined || !end.failure.retryable) return end;
    const { failure } = end;
    if (failure.code === "LLM_REQUEST_TIMEOUT" && timeouts++ === MAX_PATIENCE) return end;
    const askedMs = failure.retryAfterMs ?? 0;
    if (askedMs > leftMs) return toRateLimited(end, askedMs, options.clock);
    const delayMs = failure.retryAfterMs ?? toBackoff(retries, options);
    if (retries === options.maxRetries || delayMs > leftMs) return end;
    leftMs -= delayMs;
    without = failure.without;
    options.onRetry?.({ provider: name, next: name, failure, delayMs });
    if (!(await pause(delayMs, options.clock, request.signal))) return toCancelled(end, name);
  }
}

/** Yields an answer, or returns the failure before its first piece. */
async function* tryOnce(
  provider: Provider,
  request: ChatRequest,
): AsyncGenerator<ProviderEvent, FailedEnd | undefined> {
  const servedBy = { provider: provider.name, model: provider.model };
  const held: ProviderEvent[] = [];
  let hasYielded = false;
  for await (const event of provider.stream(request)) {
    if (event.kind === "end") {
      const { failure } = event;
      if (failure !== undefined && !hasYielded) return { ...event, failure, servedBy };
      yield* held;
      yield { ...event, servedBy };
    } else if (request.whole) {
      held.push(event);
    } else {
      hasYielded = true;
      yield event;
    }
  }
  return undefined;
}

function toBackoff(retries: number, options: ReliableOptions): number {
  const backoffMs = Math.min(options.initialBackoffMs * 2 ** retries, MAX_BACKOFF_MS);
  return Math.round(backoffMs * (0.5 + options.random() / 2));
}

/** The server wants to be left alone for longer than anybody waits: says until when. */
function toRateLimited(end: FailedEnd, askedMs: number, clock: Clock): FailedEnd {
  const { failure } = end;
  const until = clock.now() + Math.min(askedMs, MAX_ASKED_MS) + MINUTE_MS - 1;
  const at = new Date(until).toISOString().slice(0, 16).replace("T", " ");
  const message = `${failure.message}; it asks to be left alone until ${at} UTC`;
  return { ...end, failure: { ...failure, code: "rate_limited", message, retryable: false } };
}

/** False when the caller cancelled meanwhile. */
async function pause(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  }
}

function toCancelled(end: FailedEnd, provider: string): FailedEnd {
  const message = `Cannot get an answer from "${provider}": it was cancelled`;
  return { ...end, failure: { code: "ERR_CANCELLED", message, retryable: false } };
}
