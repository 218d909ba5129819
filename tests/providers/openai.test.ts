import { describe, expect, test } from "bun:test";
import { sha256 } from "../../src/core/sha256.ts";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { complete } from "../../src/providers/complete.ts";
import { createOpenAiProvider, type OpenAiOptions } from "../../src/providers/openai.ts";
import type { ChatRequest, ProviderEvent } from "../../src/providers/provider.ts";
import { breakWhenRead } from "../support/break-when-read.ts";
import { event, type Reply, type Script, startModelServer } from "../support/model-server.ts";
import { until } from "../support/patience.ts";

const HI: ChatRequest = { messages: [{ role: "user", content: "hi" }] };
const KEY = "sk-test-7Yh2kQ0aZ";
/** "c1", as every server takes it. */
const ID = sha256("c1").slice(0, 9);
const SCHEMA = { name: "answer", schema: { type: "object" } };

function setUp(script: Script, options: Partial<OpenAiOptions> = {}) {
  const server = startModelServer(script);
  const provider = createOpenAiProvider({
    name: "local",
    baseUrl: server.url,
    apiKey: KEY,
    model: "tiny",
    timeoutMs: 60_000,
    capabilities: createCapabilities(),
    ...options,
  });
  return { server, provider, [Symbol.asyncDispose]: server.stop };
}

async function read(stream: AsyncIterable<ProviderEvent>): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const each of stream) events.push(each);
  return events;
}

function raw(...chunks: (string | Uint8Array)[]): Reply {
  return { kind: "raw", chunks };
}

const STOP = event({ delta: {}, finish_reason: "stop" });

describe("createOpenAiProvider()", () => {
  test("yields text as it comes and ends with reason and usage", async () => {
    const events: ProviderEvent[] = [];
    // The next piece is sent when the one before was read: what comes together is one text.
    const pace = (sent: number) => until(() => events.length >= Math.min(sent, 3));
    await using room = setUp([{ kind: "text", text: "Hello, world", chunkChars: 5, pace }]);
    for await (const each of room.provider.stream(HI)) events.push(each);
    expect(events).toEqual([
      { kind: "content", text: "Hello" },
      { kind: "content", text: ", wor" },
      { kind: "content", text: "ld" },
      { kind: "end", reason: "stop", usage: { inputTokens: 10, outputTokens: 5 } },
    ]);
  });

  test.each(["", "/", "/chat/completions", "/chat/completions/", "/audio/transcriptions"])(
    "asks the same address when base_url ends in %j",
    async (end) => {
      await using served = setUp([{ kind: "text", text: "ok" }]);
      const baseUrl = served.server.url + end;
      await using room = setUp([], { baseUrl });
      expect(await complete(room.provider, HI)).toMatchObject({ text: "ok" });
      expect(served.server.requests).toHaveLength(1);
    },
  );

  test("sends model, messages, tools, temperature and strict schema in OpenAI's words", async () => {
    await using room = setUp([{ kind: "text", text: "ok" }]);
    const parameters = { type: "object", properties: { path: { type: "string" } } };
    await complete(room.provider, {
      messages: [
        { role: "system", content: "be brief" },
        {
          role: "assistant",
          content: "",
          toolCalls: [{ id: "c1", name: "list_files", arguments: "" }],
        },
        { role: "tool", toolCallId: "c1", content: "a.ts" },
      ],
      tools: [{ name: "list_files", description: "lists", parameters }],
      schema: SCHEMA,
      temperature: 0.2,
      maxTokens: 100,
    });
    const [request] = room.server.requests;
    expect(request?.path).toBe("/v1/chat/completions");
    expect(request?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(request?.text ?? "")).toEqual({
      model: "tiny",
      messages: [
        { role: "system", content: "be brief" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: ID, type: "function", function: { name: "list_files", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: ID, content: "a.ts" },
      ],
      tools: [
        { type: "function", function: { name: "list_files", description: "lists", parameters } },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_tokens: 100,
      response_format: { type: "json_schema", json_schema: { ...SCHEMA, strict: true } },
    });
  });

  test("sends no Authorization without a key, whatever OPENAI_API_KEY says", async () => {
    const before = process.env["OPENAI_API_KEY"];
    process.env["OPENAI_API_KEY"] = "sk-of-the-machine";
    try {
      await using room = setUp([{ kind: "text", text: "ok" }], { apiKey: undefined });
      expect((await complete(room.provider, HI)).text).toBe("ok");
      expect(room.server.requests[0]?.headers).not.toHaveProperty("authorization");
    } finally {
      if (before === undefined) delete process.env["OPENAI_API_KEY"];
      else process.env["OPENAI_API_KEY"] = before;
    }
  });

  test("joins characters whose bytes arrive one by one", async () => {
    const text = "Привет, 世界 😀";
    const bytes = Buffer.from(event({ delta: { content: text } }) + STOP);
    const script: Reply = { kind: "raw", chunks: Array.from(bytes, (byte) => Buffer.of(byte)) };
    await using room = setUp([script]);
    expect(await complete(room.provider, HI)).toMatchObject({ text, reason: "stop" });
  });

  test("holds back half a character until its other half is there", async () => {
    const halves = ["a\ud83d", "\ude00b", "\ud83d"].map((content) => event({ delta: { content } }));
    await using room = setUp([raw(...halves, STOP)]);
    const texts = (await read(room.provider.stream(HI))).flatMap((each) =>
      each.kind === "content" ? [each.text] : [],
    );
    expect(texts.join("")).toBe("a😀b\ud83d");
    expect(texts.slice(0, -1).every((text) => text.isWellFormed())).toBe(true);
  });

  test("keeps interleaved tool calls apart", async () => {
    const calls = [
      { name: "read_file", arguments: { path: "src/one.ts", why: "the first of them" } },
      { name: "read_file", arguments: { path: "src/two.ts" } },
      { name: "list_files", arguments: {} },
    ];
    await using room = setUp([{ kind: "tools", calls, text: "Looking" }]);
    const answer = await complete(room.provider, HI);
    expect(answer).toMatchObject({ text: "Looking", reason: "tool_calls" });
    expect(answer.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual(
      calls.map((call) => [call.name, call.arguments]),
    );
  });

  test("reads one JSON document from a server that does not stream", async () => {
    const tool_calls = [{ id: "c9", function: { name: "now", arguments: { zone: "UTC" } } }];
    const document = {
      choices: [{ message: { content: "One moment", tool_calls }, finish_reason: "tool_calls" }],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    };
    await using room = setUp([
      { kind: "json", document },
      { kind: "raw", chunks: [JSON.stringify(document)], contentType: "text/plain" },
    ]);
    const whole = {
      text: "One moment",
      toolCalls: [{ id: "c9", name: "now", arguments: '{"zone":"UTC"}' }],
      usage: { inputTokens: 7, outputTokens: 3 },
      reason: "tool_calls" as const,
      servedBy: { provider: room.provider.name, model: room.provider.model },
    };
    expect(await complete(room.provider, HI)).toEqual(whole);
    expect(await complete(room.provider, HI)).toEqual(whole);
  });

  test("reads an event stream that is labelled as something else", async () => {
    const chunks = [": keep-alive\n\n", event({ delta: { content: "hi" } }), STOP];
    await using room = setUp([{ kind: "raw", chunks, contentType: "text/plain" }]);
    expect(await complete(room.provider, HI)).toMatchObject({ text: "hi", reason: "stop" });
  });

  test("says tool_calls when the server says stop after tool calls", async () => {
    const call = { index: 0, id: "c", function: { name: "now", arguments: "{}" } };
    await using room = setUp([raw(event({ delta: { tool_calls: [call] } }), STOP)]);
    expect((await complete(room.provider, HI)).reason).toBe("tool_calls");
  });

  test("says length when the answer was cut", async () => {
    await using room = setUp([{ kind: "text", text: "half", finishReason: "length" }]);
    expect(await complete(room.provider, HI)).toMatchObject({ text: "half", reason: "length" });
  });

  test("fails for good when the content filter withheld the answer", async () => {
    await using room = setUp([{ kind: "text", text: "", finishReason: "content_filter" }]);
    const { failure } = await complete(room.provider, HI);
    expect(failure).toMatchObject({ code: "LLM_REQUEST", retryable: false });
  });

  test.each<[string, Reply]>([
    ["ends without a reason", raw(event({ delta: { content: "half of" } }))],
    ["is no JSON", raw(event({ delta: { content: "half of" } }), "data: {oops\n\n")],
    ["reports an error", raw(event({ delta: { content: "half of" } }), 'data: {"error":{}}\n\n')],
  ])("fails retryably when the stream %s", async (_, reply) => {
    await using room = setUp([reply]);
    const answer = await complete(room.provider, HI);
    expect(answer).toMatchObject({ text: "half of", reason: "failed", toolCalls: [] });
    expect(answer.failure).toMatchObject({ code: "LLM_REQUEST", retryable: true });
  });

  test("fails retryably when the connection breaks off", async () => {
    const broken = breakWhenRead("half of");
    await using room = setUp([broken.reply]);
    const answer = await complete(broken.watch(room.provider), HI);
    expect(answer).toMatchObject({ text: "half of", reason: "failed", toolCalls: [] });
    expect(answer.failure).toMatchObject({ code: "LLM_REQUEST", retryable: true });
  });

  test("takes an answer as whole when the connection breaks after its reason to stop", async () => {
    await using room = setUp([raw(event({ delta: { content: "all" } }), STOP, "data: {oops\n\n")]);
    expect(await complete(room.provider, HI)).toMatchObject({ text: "all", reason: "stop" });
  });

  test("fails on an error document that came with status 200", async () => {
    await using room = setUp([{ kind: "json", document: { error: { message: "Overloaded." } } }]);
    expect((await complete(room.provider, HI)).failure).toEqual({
      code: "LLM_REQUEST",
      message: 'Cannot get an answer of "tiny" from "local": Overloaded',
      retryable: true,
      work: "seen",
    });
  });

  test("refuses more than 64 tool calls", async () => {
    const tool_calls = Array.from({ length: 65 }, (_, index) => ({
      index,
      function: { name: "now", arguments: "{}" },
    }));
    await using room = setUp([raw(event({ delta: { tool_calls } }), STOP)]);
    const answer = await complete(room.provider, HI);
    expect(answer.failure).toMatchObject({ retryable: false });
    expect(answer.toolCalls).toEqual([]);
  });

  test("goes nowhere else with the key when the server redirects", async () => {
    await using other = startModelServer([{ kind: "text", text: "stolen" }]);
    const location = `${other.url}/chat/completions`;
    await using room = setUp([{ kind: "status", status: 307, headers: { location } }]);
    const { failure } = await complete(room.provider, HI);
    expect(failure).toMatchObject({ status: 307, retryable: false });
    expect(other.requests).toEqual([]);
  });

  /** What is streamed for "ok": the text, why it ends, what it cost and that it was all. */
  const PIECES = 4;

  test.each([
    ["at once", undefined],
    ["in a packet of its own", () => Bun.sleep(5)],
  ])("keeps one connection for the requests of a turn whose answers end %s", async (_, wait) => {
    const pace = (sent: number) => (sent === PIECES ? wait?.() : undefined);
    await using room = setUp([{ kind: "text", text: "ok", pace }]);
    await complete(room.provider, HI);
    await complete(room.provider, HI);
    expect(new Set(room.server.requests.map((request) => request.port)).size).toBe(1);
  });

  test("takes an answer that is whole from a server that does not end it", async () => {
    const never = new Promise(() => undefined);
    const pace = (sent: number) => (sent === PIECES ? never : undefined);
    await using room = setUp([{ kind: "text", text: "ok", pace }]);
    expect(await complete(room.provider, HI)).toMatchObject({ text: "ok" });
    expect(await complete(room.provider, HI)).toMatchObject({ text: "ok" });
  });
});
