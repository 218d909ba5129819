import { AsyncLocalStorage } from "node:async_hooks";
import { estimateTokens } from "./estimate-tokens.ts";
import { type Prices, toCost } from "./prices.ts";
import type { ChatRequest, Provider, ProviderEvent, ProviderFailure, Usage } from "./provider.ts";

/** Tokens, and what they cost in the currency of the prices. */
export interface Amount {
  readonly tokens: number;
  readonly cost: number;
}

/** An account of one day. */
export interface Account {
  /** UTC, as 2026-05-17. */
  readonly day: string;
  /** A session, a routine, or "" for work that belongs to none. */
  readonly payer: string;
}

/** Where spending is written down, for all processes of a home. */
export interface Ledger {
  /** Writes `amount` down unless it would take the day over a cap; 0 is no cap. */
  reserve(account: Account, amount: Amount, caps: Amount): Reservation;
  /** Corrects what was reserved; negative parts give back. */
  settle(account: Account, difference: Amount): void;
}

/** The day of an instant, as an {@link Account} has it. */
export function toDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** What came of a reservation; `spent` is the day's sum without it. */
export type Reservation =
  | { readonly ok: true }
  | { readonly ok: false; readonly cap: keyof Amount; readonly spent: number };

/** What a budget is made of. */
export interface BudgetOptions {
  readonly ledger: Ledger;
  /** For one day; 0 is no cap. */
  readonly caps: Amount;
  /** Of a provider by its name; undefined: none are known. */
  readonly pricesOf: (provider: string) => Prices | undefined;
  /** The file where the caps are set, for messages. */
  readonly configPath: string;
  readonly now: () => number;
}

/** Counts what models cost and ends that at the caps. */
export interface Budget {
  /** The same provider, paying from this budget: for each try, so retries go around it. */
  readonly wrap: (provider: Provider) => Provider;
  /** Counts every request made within `work` for `payer`. */
  readonly charge: <T>(payer: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * A budget: each request reserves its estimate before it is sent and settles it afterwards, so
 * that requests side by side cannot pass a cap together. A crash leaves the estimate counted, and
 * so does a reader who leaves in the middle.
 */
export function createBudget(options: BudgetOptions): Budget {
  const payers = new AsyncLocalStorage<string>();
  return {
    charge: (payer, work) => payers.run(payer, work),
    wrap(provider) {
      const stream = (request: ChatRequest) =>
        streamPaid(options, provider, request, payers.getStore() ?? "");
      return { ...provider, stream };
    },
  };
}

async function* streamPaid(
  options: BudgetOptions,
  provider: Provider,
  request: ChatRequest,
  payer: string,
): AsyncGenerator<ProviderEvent> {
  const { ledger, now } = options;
  const account = { day: toDay(now()), payer };
  const prices = options.pricesOf(provider.name);
  const sent = reserveFirst(options, provider, account, bounds(options, request));
  if (!sent.ok) {
    const usage = { inputTokens: 0, outputTokens: 0 };
    return yield { kind: "end", reason: "failed", usage, failure: sent.failure };
  }
  const { estimate, reserved } = sent;
  let answer = "";
  let end: End | undefined;
  const spent = () => toAmount(toSpent(end, estimate, answer), prices);
  try {
    for await (const event of provider.stream(sent.request)) {
      if (event.kind === "end") {
        end = event;
        yield prices ? { ...event, cost: spent().cost } : event;
      } else {
        answer += event.kind === "content" ? event.text : event.call.arguments;
        yield event;
      }
    }
  } finally {
    const { tokens, cost } = spent();
    const difference = { tokens: tokens - reserved.tokens, cost: cost - reserved.cost };
    if (difference.tokens !== 0 || difference.cost !== 0) ledger.settle(account, difference);
  }
}

/** Room for an answer whose length the request does not bound. */
const USUAL_OUTPUT_TOKENS = 1000;
/** Under a cap an answer is as long as what is reserved for it: this, or the usual where it has to do. */
const MOST_OUTPUT_TOKENS = 4000;

/** The request with a bound on its answer, the best first; as it is where nothing has to be kept. */
function bounds({ caps }: BudgetOptions, request: ChatRequest): readonly ChatRequest[] {
  const hasCap = caps.tokens > 0 || caps.cost > 0;
  if (!hasCap || request.maxTokens !== undefined) return [request];
  return [
    { ...request, maxTokens: MOST_OUTPUT_TOKENS },
    { ...request, maxTokens: USUAL_OUTPUT_TOKENS },
  ];
}

type Reserved =
  | {
      readonly ok: true;
      readonly request: ChatRequest;
      readonly estimate: Usage;
      readonly reserved: Amount;
    }
  | { readonly ok: false; readonly failure: ProviderFailure };

/** Reserves for the first of the requests that fits; else why the last does not. */
function reserveFirst(
  options: BudgetOptions,
  provider: Provider,
  account: Account,
  requests: readonly ChatRequest[],
): Reserved {
  let failure: ProviderFailure = toFailure("Cannot ask the model: there is no request");
  for (const request of requests) {
    const estimate = estimateUsage(request);
    const reserved = toAmount(estimate, options.pricesOf(provider.name));
    const refused = refuse(options, provider, account, reserved);
    if (!refused) return { ok: true, request, estimate, reserved };
    failure = refused;
  }
  return { ok: false, failure };
}

function estimateUsage({ messages, tools = [], schema, maxTokens }: ChatRequest): Usage {
  const inputTokens = estimateTokens(JSON.stringify([messages, tools, schema]));
  return { inputTokens, outputTokens: maxTokens ?? USUAL_OUTPUT_TOKENS };
}

function toAmount(usage: Usage, prices: Prices | undefined): Amount {
  const tokens = usage.inputTokens + usage.outputTokens;
  return { tokens, cost: prices ? toCost(usage, prices) : 0 };
}

type End = Extract<ProviderEvent, { kind: "end" }>;

/** What a request really took: as the server counted it, else as it can be estimated. */
function toSpent(end: End | undefined, estimate: Usage, answer: string): Usage {
  const answerTokens = estimateTokens(answer);
  if (end === undefined) {
    return { ...estimate, outputTokens: Math.max(estimate.outputTokens, answerTokens) };
  }
  const { usage, failure, unseenBytes = 0 } = end;
  const isCounted = usage.inputTokens + usage.outputTokens > 0;
  if (failure ? failure.isFree : isCounted) return usage;
  // What a server counted before the answer broke off may be less than it was.
  return {
    inputTokens: usage.inputTokens || estimate.inputTokens,
    outputTokens: Math.max(usage.outputTokens, answerTokens + Math.ceil(unseenBytes / 4)),
  };
}

function refuse(
  options: BudgetOptions,
  provider: Provider,
  account: Account,
  amount: Amount,
): ProviderFailure | undefined {
  const { ledger, caps, configPath, pricesOf } = options;
  if (caps.cost > 0 && pricesOf(provider.name) === undefined) {
    const message = `Cannot keep agent.max_cost_per_day in "${configPath}": "${provider.name}" has no prices; set price_input_per_mtok and price_output_per_mtok in [providers.${provider.name}]`;
    return toFailure(message);
  }
  const reservation = ledger.reserve(account, amount, caps);
  if (reservation.ok) return undefined;
  const { cap, spent } = reservation;
  const message = `Cannot ask the model: agent.max_${cap}_per_day = ${caps[cap]} in "${configPath}" is reached, ${round(spent)} are spent and this request may take ${round(amount[cap])}; raise it or wait until midnight UTC`;
  return toFailure(message);
}

function round(amount: number): number {
  return Number(amount.toPrecision(4));
}

function toFailure(message: string): ProviderFailure {
  return { code: "LLM_BUDGET", message, retryable: false };
}
