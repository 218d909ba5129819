import { AsyncLocalStorage } from "node:async_hooks";
import { withOwnAsides } from "./asides.ts";
import { type Capabilities, settle } from "./capabilities.ts";
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
  /**
   * Writes `amount` down unless it would take the day over a cap, or the payer's own day over one
   * of `own`; 0 is no cap.
   */
  reserve(account: Account, amount: Amount, caps: Amount, own?: Amount): Promise<Reservation>;
  /** Corrects what was reserved; negative parts give back. */
  settle(account: Account, difference: Amount): Promise<void>;
}

/** The day of an instant, as an {@link Account} has it. */
export function toDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** The result of a reservation; `spent` is the day's sum without it. */
export type Reservation =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly cap: keyof Amount;
      readonly spent: number;
      /** It is the payer's own cap. */
      readonly isOwn?: true;
    };

/** What a budget is made of. */
export interface BudgetOptions {
  readonly ledger: Ledger;
  /** For one day; 0 is no cap. */
  readonly caps: Amount;
  /** Of a provider by its name; undefined: none are known. */
  readonly pricesOf: (provider: string) => Prices | undefined;
  /** What a model is known to refuse, and so is not sent. */
  readonly refused: Capabilities["refused"];
  /** The file where the caps are set, for messages. */
  readonly configPath: string;
  readonly now: () => number;
}

/** Counts what models cost and ends that at the caps. */
export interface Budget {
  /** The same provider, paying from this budget: for each try, so retries go around it. */
  readonly wrap: (provider: Provider) => Provider;
  /** Counts every request made within `work` for `payer`, whose own day has the caps `own`. */
  readonly charge: <T>(payer: string, work: () => Promise<T>, own?: Amount) => Promise<T>;
  /** Who pays for the work at hand. */
  readonly payer: () => Payer;
  /** Runs `work`, and says what its requests took, as they are counted. */
  readonly measure: <T>(work: () => Promise<T>) => Promise<{ value: T; spent: Amount }>;
}

/** Who pays, and the most that it may in a day. */
export interface Payer {
  readonly name: string;
  readonly own: Amount;
}

/**
 * A budget: each request reserves its estimate before it is sent and settles it afterwards, so
 * that concurrent requests cannot pass a cap together. A crash leaves the estimate counted, and
 * so does a reader who leaves in the middle.
 */
export function createBudget(options: BudgetOptions): Budget {
  const payers = new AsyncLocalStorage<Payer>();
  const meters = new AsyncLocalStorage<Meter>();
  const payer = () => payers.getStore() ?? { name: "", own: NO_CAPS };
  return {
    payer,
    charge: (name, work, own = NO_CAPS) => payers.run({ name, own }, work),
    async measure(work) {
      const meter = { tokens: 0, cost: 0 };
      const value = await meters.run(meter, work);
      return { value, spent: meter };
    },
    wrap(provider) {
      const stream = (request: ChatRequest) =>
        streamPaid(options, provider, request, { payer: payer(), meter: meters.getStore() });
      return { ...provider, stream };
    },
  };
}

/** What requests took so far. */
interface Meter {
  tokens: number;
  cost: number;
}

const NO_CAPS: Amount = { tokens: 0, cost: 0 };

async function* streamPaid(
  options: BudgetOptions,
  provider: Provider,
  request: ChatRequest,
  { payer, meter }: { readonly payer: Payer; readonly meter: Meter | undefined },
): AsyncGenerator<ProviderEvent> {
  const { ledger, now } = options;
  const account = { day: toDay(now()), payer: payer.name };
  const prices = options.pricesOf(provider.name);
  const requests = bounds([options.caps, payer.own], request);
  const sent = await reserveFirst(options, provider, { account, own: payer.own }, requests);
  if (!sent.ok) {
    const usage = { inputTokens: 0, outputTokens: 0 };
    return yield { kind: "end", reason: "failed", usage, failure: sent.failure };
  }
  const { estimate, reserved } = sent;
  await request.after;
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
    if (meter) meter.tokens += tokens;
    if (meter) meter.cost += cost;
    const difference = { tokens: tokens - reserved.tokens, cost: cost - reserved.cost };
    if (difference.tokens !== 0 || difference.cost !== 0) {
      const settled = ledger.settle(account, difference);
      if (request.later) request.later(settled);
      else await settled;
    }
  }
}

/** Room for an answer whose length the request does not bound. */
const USUAL_OUTPUT_TOKENS = 1000;
/** Under a cap an answer is as long as what is reserved for it: this, or the usual where it has to do. */
export const MOST_OUTPUT_TOKENS = 4000;

/** The request with a bound on its answer, the best first; as it is where nothing has to be kept. */
function bounds(caps: readonly Amount[], request: ChatRequest): readonly ChatRequest[] {
  const hasCap = caps.some(({ tokens, cost }) => tokens > 0 || cost > 0);
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

/** An account, and the caps of its payer's own. */
interface Debtor {
  readonly account: Account;
  readonly own: Amount;
}

/** Reserves for the first of the requests that fits; else why the last does not. */
async function reserveFirst(
  options: BudgetOptions,
  provider: Provider,
  debtor: Debtor,
  requests: readonly ChatRequest[],
): Promise<Reserved> {
  let failure: ProviderFailure = toFailure("Cannot ask the model: there is no request");
  for (const request of requests) {
    const estimate = estimateUsage(toSent(options, provider, request));
    const reserved = toAmount(estimate, options.pricesOf(provider.name));
    const refused = await refuse(options, provider, debtor, reserved);
    if (!refused) return { ok: true, request, estimate, reserved };
    failure = refused;
  }
  return { ok: false, failure };
}

/** The request without what its provider keeps back of it. */
function toSent(
  { refused }: BudgetOptions,
  { name, model }: Provider,
  request: ChatRequest,
): ChatRequest {
  const known = settle([...refused(name, model), ...(request.without ?? [])]);
  const messages = withOwnAsides(request.messages, { name, model, refused: known });
  return { ...request, messages };
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
  if (failure?.work === "none") return usage;
  const isCut = failure !== undefined && failure.work === undefined;
  const inputTokens = usage.inputTokens || estimate.inputTokens;
  const counted = Math.max(usage.outputTokens, (usage.totalTokens ?? 0) - inputTokens);
  const came = answerTokens + Math.ceil(unseenBytes / 4);
  if (!isCut) return { inputTokens, outputTokens: counted || came };
  // A model may have thought unseen, up to all that it was allowed, and be charged for it; what was
  // counted before may be less than it was.
  return { inputTokens, outputTokens: Math.max(counted, came, estimate.outputTokens) };
}

async function refuse(
  { ledger, caps, configPath, pricesOf }: BudgetOptions,
  provider: Provider,
  { account, own }: Debtor,
  amount: Amount,
): Promise<ProviderFailure | undefined> {
  const isPriced = pricesOf(provider.name) !== undefined;
  if (!isPriced && (caps.cost > 0 || own.cost > 0)) {
    const key =
      caps.cost > 0 ? `agent.max_cost_per_day in "${configPath}"` : toOwnKey("cost", account);
    const message = `Cannot keep ${key}: "${provider.name}" has no prices; set price_input_per_mtok and price_output_per_mtok in [providers.${provider.name}]`;
    return toFailure(message);
  }
  const reservation = await ledger.reserve(account, amount, caps, own);
  if (reservation.ok) return undefined;
  const { cap, spent, isOwn } = reservation;
  const key = isOwn
    ? `${toOwnKey(cap, account)} = ${own[cap]}`
    : `agent.max_${cap}_per_day = ${caps[cap]} in "${configPath}"`;
  const message = `Cannot ask the model: ${key} is reached, ${round(spent)} are spent and this request may take ${round(amount[cap])}; raise it or wait until midnight UTC`;
  return toFailure(message);
}

/** e.g. max_tokens_per_day of "routine:tidy" */
function toOwnKey(cap: keyof Amount, { payer }: Account): string {
  return `max_${cap}_per_day of "${payer}"`;
}

function round(amount: number): number {
  return Number(amount.toPrecision(4));
}

function toFailure(message: string): ProviderFailure {
  return { code: "LLM_BUDGET", message, retryable: false };
}

/** A rough count without a tokenizer: UTF-8 bytes by four, so that Cyrillic and CJK count more. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
