import { describe, expect, test } from "bun:test";
import { type Amount, createBudget } from "../../src/providers/budget.ts";
import { complete } from "../../src/providers/complete.ts";
import type { Prices } from "../../src/providers/prices.ts";
import type { Provider, ProviderEvent } from "../../src/providers/provider.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { openLedger } from "../support/open-ledger.ts";

const NOON = Date.UTC(2026, 4, 17, 12);
const DAY = "2026-05-17";
const PRICES: Prices = { inputPerMtok: 1_000_000, outputPerMtok: 2_000_000 };
const ask = { messages: [{ role: "user", content: "x".repeat(400) }], maxTokens: 100 } as const;

type End = Extract<ProviderEvent, { kind: "end" }>;
const done: End = { kind: "end", reason: "stop", usage: { inputTokens: 10, outputTokens: 5 } };
const unknown: End = { ...done, usage: { inputTokens: 0, outputTokens: 0 } };

function failed(code: "LLM_REQUEST" | "ERR_CANCELLED", isFree = false): End {
  const failure = {
    code,
    message: "no",
    retryable: false,
    ...(isFree && { work: "none" as const }),
  };
  return { ...unknown, reason: "failed", failure };
}

/** A budget over real SQLite, and a provider that ends as it is told. */
function open(parts: { caps?: Partial<Amount>; prices?: Record<string, Prices>; end?: End } = {}) {
  const { caps, prices = {}, end = done } = parts;
  const ledger = openLedger(memoryStore());
  let calls = 0;
  const provider: Provider = {
    name: "main",
    model: "m",
    async *stream(): AsyncGenerator<ProviderEvent> {
      calls += 1;
      yield { kind: "content", text: "y".repeat(40) };
      yield end;
    },
  };
  const budget = createBudget({
    ledger,
    caps: { tokens: 0, cost: 0, ...caps },
    pricesOf: (name) => prices[name],
    refused: () => new Set(),
    configPath: "/c/config.toml",
    now: () => NOON,
  });
  return { budget, ledger, paid: budget.wrap(provider), provider, calls: () => calls };
}

describe("createBudget()", () => {
  test("counts what was used, by payer and for the day, with its cost", async () => {
    const { budget, ledger, paid } = open({ prices: { main: PRICES } });
    await budget.charge("telegram:1", () => complete(paid, ask));
    await budget.charge("routine:tidy", () => complete(paid, ask));
    await complete(paid, ask);
    expect(ledger.spent(DAY)).toEqual({ tokens: 45, cost: 60 });
    expect(ledger.spent(DAY, "telegram:1")).toEqual({ tokens: 15, cost: 20 });
    expect(ledger.spent(DAY, "")).toEqual({ tokens: 15, cost: 20 });
    expect(ledger.spent("2026-05-18")).toEqual({ tokens: 0, cost: 0 });
  });

  test("payers of work side by side are kept apart", async () => {
    const { budget, ledger, paid } = open();
    const charge = (payer: string) => budget.charge(payer, () => complete(paid, ask));
    await Promise.all([charge("a"), charge("b"), charge("a")]);
    expect([ledger.spent(DAY, "a").tokens, ledger.spent(DAY, "b").tokens]).toEqual([30, 15]);
  });

  test("a request that could pass the cap of tokens is not sent, and the message says where it is set", async () => {
    const { ledger, paid, calls } = open({ caps: { tokens: 220 } });
    expect((await complete(paid, ask)).text).toHaveLength(40);
    const { failure } = await complete(paid, ask);
    expect(failure).toMatchObject({ code: "LLM_BUDGET", retryable: false });
    expect(failure?.message).toContain('agent.max_tokens_per_day = 220 in "/c/config.toml"');
    expect(calls()).toBe(1);
    expect(ledger.spent(DAY).tokens).toBe(15);
  });

  test("a cap on cost is kept by the prices of who is asked", async () => {
    const prices = { main: PRICES, free: { inputPerMtok: 0, outputPerMtok: 0 } };
    const { budget, paid, provider, calls } = open({ caps: { cost: 100 }, prices });
    const { failure } = await complete(paid, ask);
    expect(failure?.message).toContain("agent.max_cost_per_day = 100");
    expect(calls()).toBe(0);
    await complete(budget.wrap({ ...provider, name: "free" }), ask);
    expect(calls()).toBe(1);
  });

  test("a cap on cost without prices refuses: nobody could keep it", async () => {
    const { paid, calls } = open({ caps: { cost: 1 } });
    const { failure } = await complete(paid, ask);
    expect(failure).toMatchObject({ code: "LLM_BUDGET" });
    expect(failure?.message).toContain("price_input_per_mtok");
    expect(calls()).toBe(0);
  });

  test("requests side by side cannot pass a cap together", async () => {
    const { paid, calls } = open({ caps: { tokens: 460 } });
    const all = await Promise.all([1, 2, 3].map(() => complete(paid, ask)));
    expect(all.filter(({ failure }) => failure)).toHaveLength(1);
    expect(calls()).toBe(2);
  });

  test("what a server does not count is estimated from what was sent and answered", async () => {
    const { ledger, paid } = open({ end: unknown });
    await complete(paid, ask);
    const { tokens } = ledger.spent(DAY);
    expect(tokens).toBeGreaterThan(110);
    expect(tokens).toBeLessThan(140);
  });

  test("an answer that nobody reads to its end stays counted as estimated, or as long as it got", async () => {
    const { ledger, paid } = open();
    for await (const _event of paid.stream(ask)) break;
    expect(ledger.spent(DAY).tokens).toBeGreaterThan(200);
    for await (const _event of paid.stream({ ...ask, maxTokens: 1 })) break;
    expect(ledger.spent(DAY).tokens).toBeGreaterThan(320);
  });

  test("an attempt that broke off costs what was reserved, or what had come where that is more, a refusal nothing", async () => {
    for (const code of ["LLM_REQUEST", "ERR_CANCELLED"] as const) {
      for (const [unseenBytes, output] of [
        [0, 100],
        [400, 110],
      ] as const) {
        const broken = open({ end: { ...failed(code), unseenBytes } });
        await complete(broken.paid, ask);
        const { tokens } = broken.ledger.spent(DAY);
        expect([tokens >= 100 + output, tokens < 130 + output]).toEqual([true, true]);
      }
    }
    // What was counted before it broke off may be less than it was.
    const counted = open({ end: { ...failed("LLM_REQUEST"), usage: done.usage } });
    await complete(counted.paid, ask);
    expect(counted.ledger.spent(DAY).tokens).toBe(110);
    const refused = open({ end: failed("LLM_REQUEST", true) });
    await complete(refused.paid, ask);
    expect(refused.ledger.spent(DAY).tokens).toBe(0);
  });
});
