import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Amount, createBudget, estimateTokens } from "../../src/providers/budget.ts";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { complete } from "../../src/providers/complete.ts";
import { createOpenAiProvider } from "../../src/providers/openai.ts";
import { type Prices, toCost } from "../../src/providers/prices.ts";
import { createReliableProvider } from "../../src/providers/reliable.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { runs } from "../support/long.ts";
import { event, type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { openLedger } from "../support/open-ledger.ts";

const NOON = Date.UTC(2026, 4, 17, 12);
const DAY = "2026-05-17";
const PRICES: Readonly<Record<string, Prices>> = {
  p0: { inputPerMtok: 1_000_000, outputPerMtok: 3_000_000 },
  p1: { inputPerMtok: 10_000, outputPerMtok: 20_000 },
};
const ask = { messages: [{ role: "user", content: "x".repeat(400) }], maxTokens: 100 } as const;

/** How one attempt goes; `words` of four bytes each are a token. */
type Outcome =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "counted" | "uncounted" | "reset" | "half call"; readonly words: number };

const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ kind: fc.constant("status"), status: fc.constantFrom(400, 401, 429, 500, 503) }),
  fc.record({
    kind: fc.constantFrom("counted", "uncounted", "reset", "half call"),
    words: fc.integer({ min: 0, max: 100 }),
  }),
);

function toReply(outcome: Outcome): Reply {
  if (outcome.kind === "status") return outcome;
  const text = "word".repeat(outcome.words);
  switch (outcome.kind) {
    case "counted":
      return { kind: "text", text, usage: { prompt_tokens: 90, completion_tokens: outcome.words } };
    case "uncounted":
      return {
        kind: "raw",
        chunks: [event({ delta: { content: text } }), event({ delta: {}, finish_reason: "stop" })],
      };
    case "reset":
      return { kind: "reset", after: text };
    case "half call": {
      const call = { index: 0, id: "c", function: { name: "f", arguments: text } };
      return { kind: "raw", chunks: [event({ delta: { tool_calls: [call] } })] };
    }
  }
}

/** What the server worked on, by its own count. */
function delivered(outcome: Outcome, { body }: ModelRequest): Amount {
  if (outcome.kind === "status") return { tokens: 0, cost: 0 };
  const isCounted = outcome.kind === "counted";
  const inputTokens = isCounted ? 90 : estimateTokens(JSON.stringify(body.messages));
  // A reset may overtake the words that were sent before it: nobody can count what never came.
  const usage = { inputTokens, outputTokens: outcome.kind === "reset" ? 0 : outcome.words };
  const prices = PRICES[body.model];
  return { tokens: inputTokens + usage.outputTokens, cost: prices ? toCost(usage, prices) : 0 };
}

/** A chain of two models at one scripted server, paying from real SQLite. */
function open(script: readonly Outcome[], caps: Amount) {
  const ledger = openLedger(memoryStore());
  const taken = { tokens: 0, cost: 0 };
  const spentAtStart: Amount[] = [];
  const server = startModelServer((request, n) => {
    const outcome = script[n] ?? { kind: "status", status: 500 };
    const { tokens, cost } = delivered(outcome, request);
    taken.tokens += tokens;
    taken.cost += cost;
    spentAtStart.push(ledger.spent(DAY));
    return toReply(outcome);
  });
  const budget = createBudget({
    ledger,
    caps,
    pricesOf: (name) => PRICES[name],
    refused: () => new Set(),
    configPath: "/c/config.toml",
    now: () => NOON,
  });
  const chain = ["p0", "p1"].map((name) =>
    budget.wrap(
      createOpenAiProvider({
        name,
        baseUrl: server.url,
        model: name,
        timeoutMs: 60_000,
        capabilities: createCapabilities(),
      }),
    ),
  );
  const provider = createReliableProvider(chain, {
    maxRetries: 2,
    initialBackoffMs: 1,
    maxWaitMs: 60_000,
    clock: { now: () => NOON, sleep: async () => {} },
    random: () => 0,
  });
  return {
    server,
    ledger,
    taken,
    spentAtStart,
    turn: (payer: string, whole: boolean) =>
      budget.charge(payer, () => complete(provider, { ...ask, whole })),
    [Symbol.asyncDispose]: server.stop,
  };
}

describe("a budget under retries", () => {
  test("never records less than was delivered, and starts no attempt that may pass a cap", async () => {
    const turns = fc.record({
      script: fc.array(outcomes, { minLength: 1, maxLength: 16 }),
      caps: fc.record({
        tokens: fc.constantFrom(0, 250, 600, 1500),
        cost: fc.constantFrom(0, 450, 1000, 3000),
      }),
      whole: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(turns, async ({ script, caps, whole }) => {
        await using scene = open(script, caps);
        const { turn, ledger, taken, spentAtStart } = scene;
        await Promise.all([turn("a", whole), turn("b", whole)]);
        await turn("a", whole);
        const spent = ledger.spent(DAY);
        expect(spent.tokens).toBeGreaterThanOrEqual(taken.tokens);
        expect(spent.cost).toBeGreaterThanOrEqual(taken.cost - 1e-6);
        for (const at of spentAtStart) {
          if (caps.tokens > 0) expect(at.tokens).toBeLessThanOrEqual(caps.tokens);
          if (caps.cost > 0) expect(at.cost).toBeLessThanOrEqual(caps.cost);
        }
        const [a, b] = [ledger.spent(DAY, "a"), ledger.spent(DAY, "b")];
        expect(a.tokens + b.tokens).toBe(spent.tokens);
      }),
      { numRuns: runs(20, 60) },
    );
  });

  test("a cap that is reached in mid-retry ends with its own message and no further attempt", async () => {
    const broken: Outcome = { kind: "reset", words: 0 };
    await using scene = open([broken, broken, broken], { tokens: 420, cost: 0 });
    const { failure } = await scene.turn("a", true);
    expect(failure?.code).toBe("LLM_BUDGET");
    expect(failure?.message).toStartWith("Cannot ask the model: agent.max_tokens_per_day = 420");
    expect(scene.server.requests).toHaveLength(2);
  });

  test("each attempt is paid at the prices of who was asked", async () => {
    const words = 50;
    const script: Outcome[] = [
      { kind: "status", status: 401 },
      { kind: "counted", words },
    ];
    await using scene = open(script, { tokens: 0, cost: 0 });
    await scene.turn("a", false);
    expect(scene.ledger.spent(DAY)).toEqual({ tokens: 140, cost: 1.9 });
  });
});
