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
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onRetry?: (retry: Retry) => void;
}

const MAX_BACKOFF_MS = 30_000;
const MAX_RETRY_AFTER_MS = 60_000;

type End = Extract<ProviderEvent, { kind: "end" }>;

/**
 * The providers of a chain as one: a retryable failure is tried again with exponential backoff
 * and jitter, or after what the server asked for; then the next provider has its turn, at once
 * where a retry cannot help. After the first piece of an answer was passed on nothing is tried
 * again: nobody reads the same words twice. A `whole` answer is held back until it is complete.
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
    failures.push(end.failure);
    const next = providers[position + 1];
    if (next === undefined || end.failure.code === "ERR_CANCELLED") {
      const message = failures.map((failure) => failure.message).join("; ");
      yield { ...end, failure: { ...end.failure, message } };
      return;
    }
    const retry = { provider: provider.name, next: next.name, failure: end.failure, delayMs: 0 };
    options.onRetry?.(retry);
  }
}

/** Yields a whole answer and returns nothing, or returns the failure that no retry mended. */
async function* tryProvider(
  provider: Provider,
  options: ReliableOptions,
  request: ChatRequest,
): AsyncGenerator<ProviderEvent, (End & { failure: ProviderFailure }) | undefined> {
  const servedBy = { provider: provider.name, model: provider.model };
  for (let retries = 0; ; retries++) {
    let end: (End & { failure: ProviderFailure }) | undefined;
    let hasYielded = false;
    const held: ProviderEvent[] = [];
    for await (const each of provider.stream(request)) {
      const event = each.kind === "end" ? { ...each, servedBy } : each;
      const failure = event.kind === "end" && !hasYielded ? event.failure : undefined;
      if (event.kind === "end" && failure !== undefined) end = { ...event, failure };
      else if (request.whole) held.push(event);
      else yield event;
      hasYielded = !request.whole;
    }
    if (end === undefined) yield* held;
    if (end === undefined || !end.failure.retryable || retries === options.maxRetries) return end;
    const delayMs = delayOf(end.failure, retries, options);
    const { name } = provider;
    options.onRetry?.({ provider: name, next: name, failure: end.failure, delayMs });
    if (!(await pause(delayMs, options.clock, request.signal))) return toCancelled(end, name);
  }
}

function delayOf(failure: ProviderFailure, retries: number, options: ReliableOptions): number {
  if (failure.retryAfterMs !== undefined) {
    return Math.min(failure.retryAfterMs, MAX_RETRY_AFTER_MS);
  }
  const backoffMs = Math.min(options.initialBackoffMs * 2 ** retries, MAX_BACKOFF_MS);
  return Math.round(backoffMs * (0.5 + options.random() / 2));
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

function toCancelled(end: End, provider: string): End & { failure: ProviderFailure } {
  const message = `Cannot get an answer from "${provider}": it was cancelled`;
  return { ...end, failure: { code: "ERR_CANCELLED", message, retryable: false } };
}
