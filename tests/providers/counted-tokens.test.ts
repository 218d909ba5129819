import { describe, expect, test } from "bun:test";
import { createBudget } from "../../src/providers/budget.ts";
import { complete } from "../../src/providers/complete.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { event, startModelServer } from "../support/model-server.ts";
import { openLedger } from "../support/open-ledger.ts";
import { localProvider } from "./local-provider.ts";

const DAY = "2026-05-17";
const ask = { messages: [{ role: "user", content: "x".repeat(400) }], maxTokens: 100 } as const;
/** What is sent, as it is estimated. */
const SENT = 110;
/** 40 bytes are said. */
const SAID = 10;

/** What a day has when a server counts like that, given as JSON since not every number can be written. */
async function spentFor(usage: string, thought = "") {
  const said = event({ delta: { content: "y".repeat(40), reasoning_content: thought } });
  const stop = event({ delta: {}, finish_reason: "stop" });
  const chunks = [said + stop, `data: {"choices":[],"usage":${usage}}\n\n`, "data: [DONE]\n\n"];
  await using server = startModelServer([{ kind: "raw", chunks }]);
  const ledger = openLedger(memoryStore());
  const budget = createBudget({
    ledger,
    caps: { tokens: 1_000_000_000, cost: 0 },
    // An output token costs a whole one and an input token nothing: the cost is the output.
    pricesOf: () => ({ inputPerMtok: 0, outputPerMtok: 1_000_000 }),
    refused: () => new Set(),
    configPath: "/c/config.toml",
    now: () => Date.UTC(2026, 4, 17, 12),
  });
  const provider = localProvider(server.url);
  expect(await complete(budget.wrap(provider), ask)).toMatchObject({ reason: "stop" });
  const { tokens, cost } = ledger.spent(DAY);
  return { input: tokens - cost, output: cost };
}

describe("createBudget() counts of an answer", () => {
  test.each<[string, string, number, number]>([
    ["both halves", '{"prompt_tokens":12,"completion_tokens":2,"total_tokens":14}', 12, 2],
    [
      "thoughts that only the sum has",
      '{"prompt_tokens":12,"completion_tokens":2,"total_tokens":3014}',
      12,
      3002,
    ],
    [
      "thoughts that only the details have",
      '{"prompt_tokens":12,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":3000}}',
      12,
      3002,
    ],
    [
      "thoughts once where the answer has them",
      '{"prompt_tokens":12,"completion_tokens":3002,"total_tokens":3014,"completion_tokens_details":{"reasoning_tokens":3000}}',
      12,
      3002,
    ],
    [
      "a sum that is less than its parts",
      '{"prompt_tokens":12,"completion_tokens":2,"total_tokens":1}',
      12,
      2,
    ],
  ])("%s", async (_, usage, input, output) => {
    expect(await spentFor(usage)).toEqual({ input, output });
  });

  test("a half that is missing as it was estimated", async () => {
    expect(await spentFor('{"prompt_tokens":12}')).toEqual({ input: 12, output: SAID });
    const answered = await spentFor('{"completion_tokens":2}');
    expect(answered.output).toBe(2);
    expect(answered.input).toBeGreaterThanOrEqual(SENT);
  });

  test("a sum that stands alone, as much of it as was not sent", async () => {
    const { input, output } = await spentFor('{"total_tokens":9000}');
    expect(input + output).toBe(9000);
    expect(input).toBeGreaterThanOrEqual(SENT);
    const thought = await spentFor('{"completion_tokens":2,"total_tokens":9000}');
    expect(thought.input + thought.output).toBe(9000);
  });

  test.each([
    "1e999",
    "-1e999",
    "-5",
    "1.5",
    "1e12",
    "9007199254740993",
    '"12"',
    "null",
    "[12]",
    "true",
    "{}",
  ])("%s as nothing: the estimate stays", async (count) => {
    const none = await spentFor("null");
    expect(none.output).toBe(SAID);
    const usage = `{"prompt_tokens":${count},"completion_tokens":${count},"total_tokens":${count},"completion_tokens_details":{"reasoning_tokens":${count}}}`;
    expect(await spentFor(usage)).toEqual(none);
    expect(await spentFor(`{"prompt_tokens":${count},"completion_tokens":7}`)).toEqual({
      input: none.input,
      output: 7,
    });
    expect(await spentFor(count)).toEqual(none);
  });

  test("thoughts that were read of a server that counts none of them", async () => {
    expect((await spentFor("null", "z".repeat(4000))).output).toBe(SAID + 1000);
    expect((await spentFor('{"completion_tokens":2}', "z".repeat(4000))).output).toBe(2);
  });
});
