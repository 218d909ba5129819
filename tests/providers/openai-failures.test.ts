import { describe, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import type { LogValue } from "../../src/core/log.ts";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { complete } from "../../src/providers/complete.ts";
import { createOpenAiProvider, type OpenAiOptions } from "../../src/providers/openai.ts";
import type { ChatRequest } from "../../src/providers/provider.ts";
import { event, type Reply, type Script, startModelServer } from "../support/model-server.ts";
import { createVirtualTimers } from "../support/virtual-timers.ts";

const HI: ChatRequest = { messages: [{ role: "user", content: "hi" }] };
const STRICT: ChatRequest = { ...HI, schema: { name: "answer", schema: { type: "object" } } };
const KEY = "sk-test-7Yh2kQ0aZ";
const NOW = Date.UTC(2026, 10, 21, 8, 0, 0);

function setUp(script: Script, options: Partial<OpenAiOptions> = {}) {
  const server = startModelServer(script);
  const events: (readonly [string, Readonly<Record<string, LogValue>> | undefined])[] = [];
  const provider = createOpenAiProvider({
    name: "local",
    baseUrl: server.url,
    apiKey: KEY,
    model: "tiny",
    timeoutMs: 60_000,
    capabilities: createCapabilities(),
    log: (name, fields) => events.push([name, fields]),
    now: () => NOW,
    ...options,
  });
  return { server, provider, events, [Symbol.asyncDispose]: server.stop };
}

/** An answer that lets `pace` run before each of its pieces, when its reader waits for it. */
function pacedStream(chunks: readonly string[], pace: () => void): Response {
  const waiting = [...chunks];
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    await setImmediate();
    const chunk = waiting.shift();
    if (chunk === undefined) return controller.close();
    pace();
    controller.enqueue(Buffer.from(chunk));
  };
  return new Response(new ReadableStream({ pull }), {
    headers: { "content-type": "text/event-stream" },
  });
}

function refuse(message: string): Reply {
  return { kind: "status", status: 400, body: { error: { message } } };
}

describe("createOpenAiProvider() without a part that the server refuses", () => {
  test.each([
    [400, { error: { message: "response_format is not available" } }],
    [422, { detail: [{ loc: ["body", "response_format"], msg: "extra" }] }],
    [400, { error: { message: "This model has no json_schema" } }],
    [400, { message: "Unknown field in request" }],
    [500, "structured output is not supported"],
  ])("asks once more after %i %j and remembers it", async (status, body) => {
    await using room = setUp(({ body: sent }) =>
      sent.response_format ? { kind: "status", status, body } : { kind: "text", text: "{}" },
    );
    expect(await complete(room.provider, STRICT)).toMatchObject({ text: "{}", reason: "stop" });
    expect(room.server.requests).toHaveLength(2);
    const fields = { provider: "local", model: "tiny", without: "response_format" };
    expect(room.events).toEqual([["LLM_RESPONSE_FORMAT_FALLBACK", fields]]);

    expect((await complete(room.provider, STRICT)).text).toBe("{}");
    expect(room.server.requests).toHaveLength(3);
    expect(room.server.requests[2]?.body).not.toHaveProperty("response_format");
  });

  test("remembers nothing when the second request fails as well", async () => {
    const status = { kind: "status", status: 400, body: { error: "not supported" } } as const;
    await using room = setUp([status]);
    expect((await complete(room.provider, STRICT)).failure?.status).toBe(400);
    expect(room.server.requests).toHaveLength(2);
    await complete(room.provider, STRICT);
    expect(room.server.requests[2]?.body).toHaveProperty("response_format");
  });

  test("asks without tools where a model knows none", async () => {
    await using room = setUp(({ body }) =>
      body.tools ? refuse('"tiny" does not support tools') : { kind: "text", text: "hi" },
    );
    const tool = { name: "t", description: "d", parameters: { type: "object" } };
    const request = { messages: STRICT.messages, tools: [tool] };
    expect((await complete(room.provider, request)).text).toBe("hi");
    expect(room.events).toEqual([
      ["LLM_PARAMETER_FALLBACK", { provider: "local", model: "tiny", without: "tools" }],
    ]);
  });

  test("takes a fault in a tool's own schema for what it is", async () => {
    await using room = setUp([refuse("Invalid schema for function 't' in tools[0]")]);
    const tool = { name: "t", description: "d", parameters: { type: "object" } };
    const request = { messages: STRICT.messages, tools: [tool] };
    expect((await complete(room.provider, request)).failure?.status).toBe(400);
    expect(room.server.requests).toHaveLength(1);
  });

  test("remembers by model", async () => {
    const capabilities = createCapabilities();
    capabilities.remember("local", "other", ["response_format"]);
    await using room = setUp([{ kind: "text", text: "{}" }], { capabilities });
    await complete(room.provider, STRICT);
    expect(room.server.requests[0]?.body).toHaveProperty("response_format");
  });

  test("drops what the complaint names and keeps the rest", async () => {
    await using room = setUp(({ body }) => {
      if (body.temperature !== undefined) return refuse("Unsupported value: 'temperature'");
      if (body.max_tokens !== undefined) return refuse("Use 'max_completion_tokens' instead.");
      return body.stream_options ? refuse("stream_options: extra") : { kind: "text", text: "ok" };
    });
    const request = { ...STRICT, temperature: 0.2, maxTokens: 50 };
    expect((await complete(room.provider, request)).text).toBe("ok");
    const last = room.server.requests.at(-1)?.body;
    expect(last).toMatchObject({ max_completion_tokens: 50, response_format: {} });
    expect(room.events.map(([, fields]) => fields?.["without"])).toEqual([
      "temperature",
      "max_tokens",
      "stream_options",
    ]);
  });
});

describe("createOpenAiProvider() when the server refuses", () => {
  test.each([
    [400, false],
    [401, false],
    [404, false],
    [408, true],
    [429, true],
    [500, true],
    [503, true],
  ])("classifies status %i as retryable: %p", async (status, retryable) => {
    await using room = setUp([{ kind: "status", status }]);
    const answer = await complete(room.provider, HI);
    expect(answer.failure).toMatchObject({ code: "LLM_REQUEST", status, retryable });
    expect(room.server.requests).toHaveLength(1);
  });

  test("does not take a spent quota for a limit that passes", async () => {
    const body = { error: { message: "You exceeded your quota", code: "insufficient_quota" } };
    await using room = setUp([{ kind: "status", status: 429, body }]);
    expect((await complete(room.provider, HI)).failure?.retryable).toBe(false);
  });

  test.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "120", "retry-after": "9" }, 120],
    [{ "retry-after": new Date(NOW + 7000).toUTCString() }, 7000],
    [{ "retry-after": new Date(NOW - 7000).toUTCString() }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-5" }, undefined],
  ] as [Record<string, string>, number | undefined][])(
    "reads %j as %p ms",
    async (headers, retryAfterMs) => {
      await using room = setUp([{ kind: "status", status: 429, headers }]);
      expect((await complete(room.provider, HI)).failure?.retryAfterMs).toBe(retryAfterMs);
    },
  );

  test("says who refused, why and what to do, in one line without the key", async () => {
    const message = `Incorrect API key provided: ${KEY}.\nFind yours there.`;
    await using room = setUp([{ kind: "status", status: 401, body: { error: { message } } }]);
    expect((await complete(room.provider, HI)).failure?.message).toBe(
      'Cannot get an answer of "tiny" from "local": HTTP 401, Incorrect API key provided: [secret]. Find yours there; check api_key in [providers.local]',
    );
  });

  test.each([
    ["text", KEY],
    ["an HTML page", `<html>${"x".repeat(10_000)}${KEY}</html>`],
    ["where a long text is cut", "x".repeat(290) + KEY],
    ["a document of its own", { error: { message: { token: KEY } } }],
    ["a header's echo", { detail: `Authorization: Bearer ${KEY}` }],
  ])("never repeats the key from %s", async (_, body) => {
    await using room = setUp([{ kind: "status", status: 403, body }]);
    const { failure } = await complete(room.provider, HI);
    expect(JSON.stringify(failure)).not.toContain(KEY.slice(0, 8));
    expect(failure?.message.length).toBeLessThan(500);
  });

  test.each(["http://127.0.0.1:1/v1", "http://user:pass-word@127.0.0.1:1/v1"])(
    "fails with advice when %s cannot be reached",
    async (baseUrl) => {
      await using room = setUp([{ kind: "hang" }], { baseUrl });
      const { failure } = await complete(room.provider, HI);
      expect(failure).toMatchObject({ code: "LLM_REQUEST", retryable: true });
      expect(failure?.message).toContain("check base_url in [providers.local]");
      expect(failure?.message).not.toContain("pass-word");
    },
  );
});

describe("createOpenAiProvider() ends what takes too long", () => {
  const half = event({ delta: { content: "half" } });

  test.each<[string, Script]>([
    ["never answers", [{ kind: "hang" }]],
    ["falls silent", [{ kind: "raw", chunks: [half, half], everyMs: 100_000 }]],
    ["drips for ever", [{ kind: "raw", chunks: Array(99).fill(": x\n\n"), everyMs: 20 }]],
  ])("when the server %s", async (_, script) => {
    await using room = setUp(script, { timeoutMs: 60 });
    const { failure } = await complete(room.provider, HI);
    expect(failure).toMatchObject({ code: "LLM_REQUEST_TIMEOUT", retryable: true });
  });

  test.each([
    ["comments", ": ping\n\n"],
    ["pieces without content", event({ delta: { content: "" } })],
    ["a role again and again", event({ delta: { role: "assistant" } })],
    ["empty thoughts", event({ delta: { reasoning_content: "" } })],
    ["pieces without choices", 'data: {"choices":[]}\n\n'],
  ])("when only %s keep the line alive, and says what to do", async (_, piece) => {
    const timers = createVirtualTimers();
    const fetch = async () => pacedStream(Array(400).fill(piece), () => timers.pass(20));
    await using room = setUp([], { timeoutMs: 100, timers, fetch });
    const { failure } = await complete(room.provider, HI);
    expect(failure).toMatchObject({ code: "LLM_REQUEST_TIMEOUT", retryable: true });
    expect(failure?.message).toContain("nothing of an answer came for 0.1 s");
    expect(failure?.message).toContain("raise reliability.request_timeout_s");
  });

  test.each([
    ["thoughts", { reasoning_content: "hm" }],
    ["thoughts by another name", { reasoning_details: [{ type: "x", text: "hm" }] }],
    ["thoughts as parts of the content", { content: [{ type: "thinking", thinking: "hm" }] }],
    ["arguments of a call", { tool_calls: [{ index: 0, function: { arguments: "1" } }] }],
  ])("not while %s come", async (_, delta) => {
    // Together they take longer than the limit, each of them less than half of it.
    const chunks = [
      ...Array<string>(8).fill(event({ delta })),
      event({ delta: {}, finish_reason: "stop" }),
    ];
    const timers = createVirtualTimers();
    const fetch = async () => pacedStream(chunks, () => timers.pass(400));
    await using room = setUp([], { timeoutMs: 1000, timers, fetch });
    expect((await complete(room.provider, HI)).failure).toBeUndefined();
    expect(timers.now()).toBeGreaterThan(3000);
  });

  test("not when the reader is slow", async () => {
    const timers = createVirtualTimers();
    const script: Script = [{ kind: "raw", chunks: [half, half, half] }];
    await using room = setUp(script, { timeoutMs: 1000, timers });
    const pieces: string[] = [];
    for await (const each of room.provider.stream(HI)) {
      if (each.kind === "content") pieces.push(each.text);
      if (pieces.length === 1) timers.pass(3000);
      if (each.kind === "end") expect(each.failure?.code).toBe("LLM_REQUEST");
    }
    expect(pieces.join("")).toBe("half".repeat(3));
  });

  test.each(["EHOSTUNREACH", "EPROTO", "CERT_HAS_EXPIRED"])(
    "and counts as reached once something came, whatever breaks it off: %s",
    async (code) => {
      const broken = Object.assign(new Error("gone"), { code });
      const isRead = Promise.withResolvers<void>();
      const begun = async () =>
        new Response(
          (async function* () {
            yield new TextEncoder().encode(half);
            await isRead.promise; // a stream that fails drops what nobody has read yet
            throw broken;
          })(),
          { headers: { "content-type": "text/event-stream" } },
        );
      await using room = setUp([], { fetch: begun });
      for await (const piece of room.provider.stream(HI)) {
        isRead.resolve();
        if (piece.kind === "end") expect(piece.failure).not.toHaveProperty("work");
      }
      await using unreached = setUp([], { fetch: () => Promise.reject(broken) });
      const { failure } = await complete(unreached.provider, HI);
      expect(failure).toMatchObject({ work: "none" });
    },
  );

  test("at a cancel before the answer", async () => {
    const controller = new AbortController();
    await using room = setUp(() => {
      controller.abort();
      return { kind: "hang" };
    });
    const { failure } = await complete(room.provider, { ...HI, signal: controller.signal });
    expect(failure).toMatchObject({ code: "ERR_CANCELLED", retryable: false });
  });

  test("at a cancel during the answer", async () => {
    await using room = setUp([{ kind: "raw", chunks: [half, half], everyMs: 2000 }]);
    const controller = new AbortController();
    for await (const each of room.provider.stream({ ...HI, signal: controller.signal })) {
      if (each.kind === "content") {
        controller.abort();
      }
      if (each.kind === "end") expect(each.failure?.code).toBe("ERR_CANCELLED");
    }
  });

  test("without a request when it was cancelled before", async () => {
    await using room = setUp([{ kind: "text", text: "ok" }]);
    const { failure } = await complete(room.provider, { ...HI, signal: AbortSignal.abort() });
    expect(failure?.code).toBe("ERR_CANCELLED");
    expect(room.server.requests).toEqual([]);
  });

  test("and closes the connection when the reader leaves", async () => {
    const left = Promise.withResolvers<void>();
    await using room = setUp([{ kind: "raw", chunks: Array(500).fill(half), everyMs: 20 }], {
      fetch: (url, init) => {
        init?.signal?.addEventListener("abort", () => left.resolve());
        return fetch(url, init);
      },
    });
    for await (const each of room.provider.stream(HI)) {
      expect(each).toEqual({ kind: "content", text: "half" });
      break;
    }
    await left.promise;
  });
});
