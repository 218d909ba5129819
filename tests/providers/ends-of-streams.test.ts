import { describe, expect, test } from "bun:test";
import { complete } from "../../src/providers/complete.ts";
import type { OpenAiOptions } from "../../src/providers/openai.ts";
import type { ChatRequest } from "../../src/providers/provider.ts";
import { event, type Script, startModelServer } from "../support/model-server.ts";
import { createVirtualTimers } from "../support/virtual-timers.ts";
import { localProvider } from "./local-provider.ts";

const HI: ChatRequest = { messages: [{ role: "user", content: "hi" }] };
const TEXT = event({ delta: { content: "all of it" } });
const STOP = event({ delta: {}, finish_reason: "stop" });
const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\n';
const DONE = "data: [DONE]\n\n";
const BROKEN = { reason: "failed", failure: { code: "LLM_REQUEST", retryable: true } };

function setUp(script: Script, options: Partial<OpenAiOptions> = {}) {
  const server = startModelServer(script);
  const provider = localProvider(server.url, options);
  return { server, provider, [Symbol.asyncDispose]: server.stop };
}

function callPiece(args: string, name?: string): string {
  return event({ delta: { tool_calls: [{ index: 0, function: { name, arguments: args } }] } });
}

/** What an answer of these pieces, sent at once, comes to. */
async function answerOf(...chunks: string[]) {
  await using room = setUp([{ kind: "raw", chunks: [chunks.join("")] }]);
  return await complete(room.provider, HI);
}

describe("createOpenAiProvider() takes an answer as whole", () => {
  test.each<[string, string, string, number, number]>([
    ["all was said and counted, and comments come", STOP + USAGE, ": alive\n\n", 1000, 5000],
    [
      "all was said and counted, and empty pieces come",
      STOP + USAGE,
      'data: {"choices":[]}\n\n',
      1000,
      5000,
    ],
    ["all was said, and what it took may still come", STOP, ": alive\n\n", 10_000, 20_000],
  ])("when %s on an open line", async (_, end, sign, leastMs, mostMs) => {
    const timers = createVirtualTimers();
    const chunks = [TEXT + end, ...Array<string>(100_000).fill(sign)];
    await using room = setUp([{ kind: "raw", chunks, everyMs: 2 }], { timers });
    let readAt = 0;
    let reason = "";
    const passing = setInterval(() => timers.pass(100), 2);
    for await (const each of room.provider.stream(HI)) {
      if (each.kind === "content") readAt = timers.now();
      if (each.kind === "end") reason = each.reason;
    }
    clearInterval(passing);
    expect(reason).toBe("stop");
    expect(timers.now() - readAt).toBeGreaterThanOrEqual(leastMs);
    expect(timers.now() - readAt).toBeLessThan(mostMs);
  });

  test("with what it took where that comes late", async () => {
    const chunks = [TEXT + STOP, USAGE];
    await using room = setUp([{ kind: "raw", chunks, everyMs: 30 }]);
    const usage = { inputTokens: 7, outputTokens: 3 };
    expect(await complete(room.provider, HI)).toMatchObject({ text: "all of it", usage });
  });

  test.each<[string, string[], object]>([
    ["words", [TEXT], { text: "all of it", reason: "stop" }],
    [
      "words with half a character",
      [event({ delta: { content: "a\ud83d" } })],
      { text: "a\ud83d" },
    ],
    ["a call", [callPiece('{"q":', "look"), callPiece("1}")], { reason: "tool_calls" }],
  ])("when the server says [DONE] behind %s, and no reason", async (_, chunks, answer) => {
    expect(await answerOf(...chunks, DONE)).toMatchObject(answer);
  });

  test.each<[string, string[]]>([
    ["half a call", [callPiece('{"q":', "look")]],
    ["words and half a call", [TEXT, callPiece('{"q":', "look")]],
    ["a call without arguments, which may be missing", [callPiece("", "look")]],
    ["a call without a name", [callPiece("{}")]],
    ["thoughts alone", [event({ delta: { reasoning_content: "hm" } })]],
    ["a role alone", [event({ delta: { role: "assistant" } })]],
    ["nothing", []],
  ])("not when that comes behind %s", async (_, chunks) => {
    expect(await answerOf(...chunks, DONE)).toMatchObject({ ...BROKEN, toolCalls: [] });
  });

  test.each<[string, string]>([
    ["its reason to stop", TEXT + STOP],
    ["[DONE]", TEXT + DONE],
    ["what it took", TEXT + STOP + USAGE],
  ])("when the blank line behind %s is missing", async (_, stream) => {
    for (const missing of [1, 2]) {
      const answer = await answerOf(stream.slice(0, -missing));
      expect(answer).toMatchObject({ text: "all of it", reason: "stop" });
      expect(answer.usage.inputTokens).toBe(stream.includes("usage") ? 7 : 0);
    }
    const returned = stream.replaceAll("\n", "\r\n");
    expect(await answerOf(returned.slice(0, -2))).toMatchObject({ reason: "stop" });
  });

  test("or as broken wherever a stream is cut: never less of it for the whole", async () => {
    const stream =
      event({ delta: { content: "one" } }) + event({ delta: { content: " two" } }) + STOP;
    const endsAt = stream.trimEnd().length;
    await using room = setUp((_, n) => ({ kind: "raw", chunks: [stream.slice(0, n)] }));
    for (let n = 0; n <= stream.length; n++) {
      const answer = await complete(room.provider, HI);
      expect(["", "one", "one two"]).toContain(answer.text);
      if (n < endsAt) expect(answer).toMatchObject(BROKEN);
      else expect(answer).toMatchObject({ text: "one two", reason: "stop" });
    }
  });
});
