import { expect, test } from "bun:test";
import fc from "fast-check";
import { createBudget } from "../../src/providers/budget.ts";
import { createCapabilities, type OptionalPart } from "../../src/providers/capabilities.ts";
import { complete } from "../../src/providers/complete.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { runs } from "../support/long.ts";
import { startModelServer } from "../support/model-server.ts";
import { openLedger } from "../support/open-ledger.ts";
import { localProvider } from "./local-provider.ts";

const NOON = Date.UTC(2026, 4, 17, 12);
const DAY = "2026-05-17";
const MAX_TOKENS = 100;
const MOST_ASIDE_CHARS = 128 * 1024;

/** What is sent around the words of a message, and its papa-yu's own fields, in tokens. */
const AROUND = 60;

/** A server, and a provider at it that pays; what was reserved for a request, as it came there. */
function open(capTokens: number, refused: readonly OptionalPart[] = []) {
  const ledger = openLedger(memoryStore());
  const reserved: number[] = [];
  const server = startModelServer(() => {
    reserved.push(ledger.spent(DAY).tokens);
    return { kind: "text", text: "ok", usage: { prompt_tokens: 0, completion_tokens: 1 } };
  });
  const capabilities = createCapabilities();
  capabilities.remember("local", "tiny", refused);
  const budget = createBudget({
    ledger,
    caps: { tokens: capTokens, cost: 0 },
    pricesOf: () => undefined,
    refused: capabilities.refused,
    configPath: "/c/config.toml",
    now: () => NOON,
  });
  const provider = budget.wrap(localProvider(server.url, { capabilities }));
  const ask = (messages: readonly ChatMessage[]) =>
    complete(provider, { messages, maxTokens: MAX_TOKENS });
  return { ask, server, reserved, [Symbol.asyncDispose]: server.stop };
}

interface Round {
  readonly provider: string;
  readonly thoughtChars: number;
  readonly detailChars?: number;
  readonly signatureChars: readonly number[];
}

/** A round as it is kept: its calls, what came with them for their sender, and their results. */
function toRound(round: Round, n: number): ChatMessage[] {
  const { provider, thoughtChars, detailChars = 0, signatureChars } = round;
  const calls = signatureChars.map((_, i) => ({ id: `c${n}_${i}`, name: "look", arguments: "{}" }));
  const signed = signatureChars.map((chars, i) => [
    `c${n}_${i}`,
    JSON.stringify({ google: "s".repeat(chars) }),
  ]);
  const aside = {
    provider,
    model: "tiny",
    thoughts: "t".repeat(thoughtChars),
    details: JSON.stringify([{ type: "reasoning.text", text: "d".repeat(detailChars) }]),
    ofCalls: Object.fromEntries(signed),
  };
  return [
    { role: "assistant", content: "", toolCalls: calls, aside },
    ...calls.map(({ id }) => ({ role: "tool" as const, toolCallId: id, content: "seen" })),
  ];
}

function toConversation(rounds: readonly Round[]): ChatMessage[] {
  return [{ role: "user", content: "look" }, ...rounds.flatMap(toRound)];
}

test("a request is counted with the asides that it is sent with, and these have a bound together", async () => {
  const rounds = fc.array(
    fc.record({
      provider: fc.constantFrom("local", "other"),
      thoughtChars: fc.constantFrom(0, 10, 30 * 1024),
      detailChars: fc.constantFrom(10, 30 * 1024),
      signatureChars: fc.array(fc.constantFrom(10, 30 * 1024), { minLength: 1, maxLength: 8 }),
    }),
    { maxLength: 12 },
  );
  const refused = fc.subarray<OptionalPart>(["asides", "calls_without_thoughts"]);
  await fc.assert(
    fc.asyncProperty(rounds, refused, async (all, parts) => {
      await using room = open(0, parts);
      const messages = toConversation(all);
      expect((await room.ask(messages)).text).toBe("ok");
      const [request] = room.server.requests;
      const sentTokens = Math.ceil(Buffer.byteLength(request?.text ?? "") / 4);
      const input = (room.reserved[0] ?? 0) - MAX_TOKENS;
      expect(Math.abs(input - sentTokens)).toBeLessThan(AROUND * messages.length);
      const asides = JSON.stringify(request?.body.messages).match(/[tds]{10,}/gu) ?? [];
      expect(asides.join("").length).toBeLessThanOrEqual(MOST_ASIDE_CHARS);
    }),
    { numRuns: runs(30, 300) },
  );
});

test("asides of another provider cost nothing where they are not sent", async () => {
  await using room = open(200_000);
  const rounds = Array.from({ length: 40 }, () => ({
    provider: "other",
    thoughtChars: 30 * 1024,
    signatureChars: [10],
  }));
  const { text, failure } = await room.ask(toConversation(rounds));
  expect({ text, failure }).toEqual({ text: "ok", failure: undefined });
  expect(room.server.requests[0]?.text.length).toBeLessThan(20_000);
});

test("what goes back is of the newest rounds, and the signatures of one come before its thoughts", async () => {
  await using room = open(0);
  const round = { provider: "local", thoughtChars: 30 * 1024, signatureChars: [30 * 1024] };
  await room.ask(toConversation([round, round, round]));
  const answers = room.server.requests[0]?.body.messages.filter((each) => each.tool_calls) ?? [];
  expect(
    answers.map((each) => [
      "reasoning_content" in each,
      each.tool_calls?.some((call) => "extra_content" in call),
    ]),
  ).toEqual([
    [false, false],
    [true, true],
    [true, true],
  ]);
});
