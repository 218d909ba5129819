import { describe, expect, test } from "bun:test";
import type { Clock } from "../../src/core/clock.ts";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { complete } from "../../src/providers/complete.ts";
import { createOpenAiProvider } from "../../src/providers/openai.ts";
import type { ChatRequest } from "../../src/providers/provider.ts";
import { createReliableProvider, type Retry } from "../../src/providers/reliable.ts";
import { breakWhenRead } from "../support/break-when-read.ts";
import { type Reply, type Script, startModelServer } from "../support/model-server.ts";

const NOON = Date.UTC(2026, 4, 17, 12);
const HI: ChatRequest = { messages: [{ role: "user", content: "hi" }] };

/** One server a script, in a chain; the clock only counts. */
function setUp(
  scripts: readonly Script[],
  options: { maxRetries?: number; random?: number; onRetry?: () => void } = {},
) {
  const { maxRetries = 3, random = 1 } = options;
  const servers = scripts.map((script) => startModelServer(script));
  const slept: number[] = [];
  const retries: Retry[] = [];
  const clock: Clock = {
    now: () => NOON,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
    },
  };
  const providers = servers.map((server, i) =>
    createOpenAiProvider({
      name: `p${i}`,
      baseUrl: server.url,
      model: "tiny",
      timeoutMs: 60_000,
      capabilities: createCapabilities(),
      now: () => NOON,
    }),
  );
  const provider = createReliableProvider(providers, {
    maxRetries,
    initialBackoffMs: 500,
    maxWaitMs: 600_000,
    clock,
    random: () => random,
    onRetry(retry) {
      retries.push(retry);
      options.onRetry?.();
    },
  });
  return {
    provider,
    slept,
    retries,
    requests: () => servers.flatMap((server) => server.requests),
    asked: () => servers.map((server) => server.requests.length),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

function status(code: number, headers: Record<string, string> = {}): Reply {
  return { kind: "status", status: code, headers };
}

const OK: Reply = { kind: "text", text: "answer" };

describe("createReliableProvider()", () => {
  test("asks again for a whole answer that broke in the middle, and shows only the good one", async () => {
    const broken: Reply = { kind: "reset", after: "half of it" };
    await using setup = setUp([[broken, { kind: "text", text: "all of it" }]]);
    const { text, reason } = await complete(setup.provider, { ...HI, whole: true });
    expect({ text, reason }).toEqual({ text: "all of it", reason: "stop" });
    expect(setup.asked()).toEqual([2]);
  });

  test("retries a server fault with doubling delays", async () => {
    await using room = setUp([[status(500), status(502), status(503), OK]]);
    expect(await complete(room.provider, HI)).toMatchObject({ text: "answer", reason: "stop" });
    expect(room.slept).toEqual([500, 1000, 2000]);
    expect(room.retries.map(({ provider, next, delayMs }) => [provider, next, delayMs])).toEqual([
      ["p0", "p0", 500],
      ["p0", "p0", 1000],
      ["p0", "p0", 2000],
    ]);
  });

  test("takes up to half off a delay by chance, and never waits over 30 s", async () => {
    await using room = setUp([[status(500)]], { maxRetries: 8, random: 0 });
    expect((await complete(room.provider, HI)).failure?.status).toBe(500);
    expect(room.slept).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
  });

  test("waits as long as Retry-After says", async () => {
    const limits = [status(429, { "retry-after": "7" }), status(503, { "retry-after": "90" })];
    await using room = setUp([[...limits, OK]]);
    expect((await complete(room.provider, HI)).text).toBe("answer");
    expect(room.slept).toEqual([7000, 90_000]);
  });

  test.each([
    ["an hour", { "retry-after": "3600" }, "2026-05-17 13:00 UTC"],
    ["a date", { "retry-after": new Date(NOON + 3_599_000).toUTCString() }, "2026-05-17 13:00 UTC"],
    ["nonsense", { "retry-after": "9".repeat(40) }, "2027-05-17 12:00 UTC"],
    ["more nonsense", { "retry-after-ms": "Infinity" }, "2027-05-17 12:00 UTC"],
  ])(
    "fails at once when Retry-After asks for %s, and says when to come back",
    async (_, headers, at) => {
      await using room = setUp([[status(429, headers), OK]]);
      const { failure } = await complete(room.provider, HI);
      expect(failure).toMatchObject({ code: "rate_limited", status: 429, retryable: false });
      expect(failure?.message).toEndWith(`it asks to be left alone until ${at}`);
      expect([room.slept, room.asked()]).toEqual([[], [1]]);
    },
  );

  test("waits no longer than it may in all, and asks the next of the chain instead", async () => {
    const limit = status(429, { "retry-after": "350" });
    await using room = setUp([[limit, limit, OK], [OK]]);
    expect((await complete(room.provider, HI)).text).toBe("answer");
    expect([room.slept, room.asked()]).toEqual([[350_000], [2, 1]]);
  });

  test("sends a part that a 5xx complained about once, however often it retries", async () => {
    const refusal = { error: { message: "response_format crashed me" } };
    const script = (request: { body: { response_format?: unknown } }, n: number): Reply => {
      if (request.body.response_format) return { kind: "status", status: 500, body: refusal };
      return n < 3 ? status(500) : OK;
    };
    await using room = setUp([script]);
    const schema = { name: "s", schema: { type: "object" } };
    expect((await complete(room.provider, { ...HI, schema })).text).toBe("answer");
    const sent = room.requests().map(({ body }) => "response_format" in body);
    expect(sent).toEqual([true, false, false, false]);
  });

  test.each([400, 401, 404])("does not retry status %i", async (code) => {
    await using room = setUp([[status(code), OK]]);
    expect((await complete(room.provider, HI)).failure?.status).toBe(code);
    expect(room.asked()).toEqual([1]);
    expect(room.slept).toEqual([]);
  });

  test("retries a stream that broke before its first words", async () => {
    await using room = setUp([[{ kind: "raw", chunks: [": wait\n\n"] }, OK]]);
    expect((await complete(room.provider, HI)).text).toBe("answer");
  });

  test("says nothing twice: a stream that broke in mid-answer is not retried", async () => {
    const broken = breakWhenRead("ans");
    await using room = setUp([[broken.reply, OK], [OK]]);
    const answer = await complete(broken.watch(room.provider), HI);
    expect(answer).toMatchObject({ text: "ans", reason: "failed" });
    expect(answer.failure?.retryable).toBe(true);
    expect(room.asked()).toEqual([1, 0]);
  });

  test("goes down the chain: after its retries, or at once where they cannot help", async () => {
    await using room = setUp([[status(500)], [status(401)], [OK]], { maxRetries: 1 });
    expect((await complete(room.provider, HI)).text).toBe("answer");
    expect(room.asked()).toEqual([2, 1, 1]);
    expect(room.retries.map(({ provider, next }) => [provider, next])).toEqual([
      ["p0", "p0"],
      ["p0", "p1"],
      ["p1", "p2"],
    ]);
  });

  test("tells what each provider of the chain said when all fail", async () => {
    await using room = setUp([[status(401)], [status(503)]], { maxRetries: 0 });
    const { failure } = await complete(room.provider, HI);
    expect(failure).toMatchObject({ status: 503, retryable: true });
    expect(failure?.message).toMatch(/"p0": HTTP 401.*"p1": HTTP 503/);
  });

  test.each([
    [[401, 404], true],
    [[503, 401], undefined],
    [[401, 503], undefined],
    [[403], true],
    [[429], undefined],
    [["page"], undefined],
    [[401, "page"], undefined],
  ] as const)(
    "of a chain that ends with %j trying again does not help: %p",
    async (ends, isLasting) => {
      const page = { kind: "raw", chunks: ["<html>"], contentType: "text/html" } as const;
      const scripts = ends.map((end): Script => {
        return () => (end === "page" ? page : { kind: "status", status: end });
      });
      await using scene = setUp(scripts, { maxRetries: 0 });
      const { failure } = await complete(scene.provider, HI);
      expect(failure?.isLasting).toBe(isLasting);
    },
  );

  test("stops waiting when cancelled, and asks nobody else", async () => {
    const controller = new AbortController();
    await using room = setUp([[status(500)], [OK]], {
      onRetry: () => controller.abort(),
    });
    const { failure } = await complete(room.provider, { ...HI, signal: controller.signal });
    expect(failure).toMatchObject({ code: "ERR_CANCELLED", retryable: false });
    expect(room.asked()).toEqual([1, 0]);
  });

  test("is named after the first of the chain", async () => {
    await using room = setUp([[OK], [OK]]);
    expect([room.provider.name, room.provider.model]).toEqual(["p0", "tiny"]);
  });
});
