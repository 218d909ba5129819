import { describe, expect, test } from "bun:test";
import { createBudget } from "../../src/providers/budget.ts";
import { complete } from "../../src/providers/complete.ts";
import type { ChatRequest } from "../../src/providers/provider.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { event, type Reply, type Script, startModelServer } from "../support/model-server.ts";
import { openLedger } from "../support/open-ledger.ts";
import { localProvider } from "./local-provider.ts";

const DAY = "2026-05-17";
const ask: ChatRequest = { messages: [{ role: "user", content: "x".repeat(400) }], maxTokens: 300 };
const half = event({ delta: { content: "y".repeat(40) } });
const thinking = event({ delta: { role: "assistant" } });
const filtered = event({ delta: {}, finish_reason: "content_filter" });
const usage = 'data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3}}\n\n';
const page: Reply = { kind: "raw", chunks: ["<html>Log in"], contentType: "text/html" };
const refusal: Reply = { kind: "json", document: { error: { message: "Overloaded" } } };

/** A budget over a provider at a scripted server, where an input token costs nothing and an output token one. */
function setUp(script: Script, { timeoutMs = 60_000, baseUrl = "" } = {}) {
  const server = startModelServer(script);
  const ledger = openLedger(memoryStore());
  const budget = createBudget({
    ledger,
    caps: { tokens: 1_000_000, cost: 0 },
    pricesOf: () => ({ inputPerMtok: 0, outputPerMtok: 1_000_000 }),
    refused: () => new Set(),
    configPath: "/c/config.toml",
    now: () => Date.UTC(2026, 4, 17, 12),
  });
  const provider = localProvider(baseUrl || server.url, { timeoutMs });
  const spent = () => {
    const { tokens, cost } = ledger.spent(DAY);
    return { input: tokens - cost, output: cost };
  };
  return { server, provider: budget.wrap(provider), spent, [Symbol.asyncDispose]: server.stop };
}

describe("createBudget() counts of an attempt without an answer", () => {
  test.each<[string, Reply]>([
    ["never answers", { kind: "hang" }],
    ["thinks unseen", { kind: "raw", chunks: Array(99).fill(": x\n\n"), everyMs: 20 }],
    ["begins, and thinks unseen", { kind: "raw", chunks: Array(99).fill(thinking), everyMs: 20 }],
    ["resets the connection", { kind: "reset", after: "" }],
    ["ends its stream before a reason", { kind: "raw", chunks: [half] }],
    ["ends its stream before a word", { kind: "raw", chunks: [": x\n\n"] }],
    ["is given up on by who stands before it", { kind: "status", status: 504 }],
    ["is given up on by a proxy", { kind: "status", status: 502 }],
    ["is given up on by a network of servers", { kind: "status", status: 524 }],
    ["takes too long for itself", { kind: "status", status: 408 }],
    ["counts, and then breaks off", { kind: "raw", chunks: [half, usage] }],
    ["fails in mid-answer", { kind: "raw", chunks: [half, 'data: {"error":{}}\n\n'] }],
  ])("all that was reserved when the server %s", async (_, reply) => {
    const isSlow = reply.kind === "hang" || (reply.kind === "raw" && reply.everyMs !== undefined);
    await using room = setUp([reply], isSlow ? { timeoutMs: 100 } : {});
    expect((await complete(room.provider, ask)).reason).toBe("failed");
    expect(room.spent().output).toBe(300);
    await complete(room.provider, { messages: ask.messages });
    expect(room.spent().output).toBe(4300);
  });

  test("all that was reserved when a person ends it, and nothing when they did before it was sent", async () => {
    const controller = new AbortController();
    await using room = setUp(() => {
      controller.abort();
      return { kind: "hang" };
    });
    const request = { ...ask, signal: controller.signal };
    expect((await complete(room.provider, request)).failure?.code).toBe("ERR_CANCELLED");
    expect(room.spent().output).toBe(300);
    const { input } = room.spent();
    expect((await complete(room.provider, request)).failure?.code).toBe("ERR_CANCELLED");
    expect(room.spent()).toEqual({ input, output: 300 });
    expect(room.server.requests).toHaveLength(1);
  });

  test.each<[string, Reply, number]>([
    [
      "is counted, of one that a filter withheld",
      { kind: "raw", chunks: [half, filtered, usage] },
      3,
    ],
    [
      "came, of one that a filter withheld uncounted",
      { kind: "raw", chunks: [half, filtered] },
      10,
    ],
    ["came, which is nothing, of a page in place of an answer", page, 0],
    ["came, which is nothing, of an error in place of an answer", refusal, 0],
  ])("what %s", async (_, reply, output) => {
    await using room = setUp([reply]);
    expect((await complete(room.provider, ask)).reason).toBe("failed");
    expect(room.spent().output).toBe(output);
    expect(room.spent().input).toBeGreaterThan(10);
  });

  test("nothing of a refusal and of a server that is not there", async () => {
    const statuses = [400, 401, 403, 404, 409, 422, 429, 500, 501, 503, 529];
    const refusing = statuses.map((status) => setUp([{ kind: "status", status }]));
    const absent = setUp([], { baseUrl: "http://127.0.0.1:1/v1" });
    for (const each of [...refusing, absent]) {
      await using room = each;
      expect((await complete(room.provider, ask)).reason).toBe("failed");
      expect(room.spent()).toEqual({ input: 0, output: 0 });
    }
  });
});
