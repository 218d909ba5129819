import { describe, expect, test } from "bun:test";
import type { LogValue } from "../../src/core/log.ts";
import { createModelAuthor } from "../../src/planner/model-author.ts";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { createOpenAiProvider } from "../../src/providers/openai.ts";
import { type Reply, startModelServer } from "../support/model-server.ts";
import { never, toWorkspace } from "./planner-scene.ts";

type Options = Partial<Parameters<typeof createModelAuthor>[1]>;

/** The real provider as author, in front of a server on loopback. */
function open(replies: readonly Reply[], options: Options = {}, timeoutMs = 60_000) {
  const server = startModelServer(replies);
  const events: { event: string; fields: Readonly<Record<string, LogValue>> | undefined }[] = [];
  const log = (event: string, fields?: Readonly<Record<string, LogValue>>) =>
    void events.push({ event, fields });
  const provider = createOpenAiProvider({
    name: "local",
    baseUrl: server.url,
    apiKey: "sk-test",
    model: "m-1",
    timeoutMs,
    capabilities: createCapabilities(),
    log,
  });
  const author = createModelAuthor(provider, {
    strict: true,
    temperature: 0.2,
    tokenBudget: 0,
    log,
    ...options,
  });
  const answer = (signal = never) =>
    author.answer({
      mode: "plan",
      version: 2,
      goal: "g",
      workspace: toWorkspace("/tmp"),
      messages: [
        { role: "system", content: "rules" },
        { role: "user", content: "question" },
      ],
      signal,
    });
  return { server, events, author, answer, [Symbol.asyncDispose]: () => server.stop() };
}

const TEXT: Reply = {
  kind: "text",
  text: '{"actions":[]}',
  usage: { prompt_tokens: 70, completion_tokens: 3 },
};

describe("createModelAuthor()", () => {
  test("gives the text and what it cost, under the provider's name and model", async () => {
    await using scene = open([TEXT]);
    expect(scene.author).toMatchObject({ name: "local", model: "m-1" });
    expect(await scene.answer()).toEqual({
      ok: true,
      text: '{"actions":[]}',
      usage: { inputTokens: 70, outputTokens: 3 },
      servedBy: { provider: "local", model: "m-1" },
    });
  });

  test("asks for structured output by the strict projection of the schema", async () => {
    await using scene = open([TEXT], { tokenBudget: 900 });
    await scene.answer();
    const body = scene.server.requests[0]?.body;
    expect(body).toMatchObject({ model: "m-1", temperature: 0.2 });
    const format = body?.response_format?.json_schema;
    expect(format).toMatchObject({ name: "papayu_answer", strict: true });
    expect(format?.schema).toMatchObject({
      type: "object",
      additionalProperties: false,
      required: ["actions", "summary", "context_requests", "memory_patch"],
    });
  });

  test("sends no schema without strict_json", async () => {
    await using scene = open([TEXT], { strict: false });
    await scene.answer();
    expect(scene.server.requests[0]?.body.response_format).toBeUndefined();
  });

  test("logs what is sent and what came, by the names of the protocol", async () => {
    await using scene = open([TEXT], { tokenBudget: 900 });
    await scene.answer();
    expect(scene.events).toEqual([
      {
        event: "LLM_REQUEST_SENT",
        fields: {
          mode: "plan",
          model: "m-1",
          provider: "local",
          schema_version: 2,
          strict_json: true,
          token_budget: 900,
          input_chars: "rules".length + "question".length,
        },
      },
      { event: "LLM_RESPONSE_OK", fields: { mode: "plan", output_chars: 14 } },
    ]);
  });

  test("asks again without the schema when the provider does not know it, and says so", async () => {
    const refusal = { error: { message: "Unknown field response_format: json_schema" } };
    await using scene = open([{ kind: "status", status: 400, body: refusal }, TEXT]);
    expect((await scene.answer()).ok).toBe(true);
    expect(scene.server.requests.map(({ body }) => "response_format" in body)).toEqual([
      true,
      false,
    ]);
    expect(scene.events.map(({ event }) => event)).toEqual([
      "LLM_REQUEST_SENT",
      "LLM_RESPONSE_FORMAT_FALLBACK",
      "LLM_RESPONSE_OK",
    ]);
  });

  test("gives a timeout its own code and event", async () => {
    await using scene = open([{ kind: "hang" }], {}, 30);
    expect(await scene.answer()).toMatchObject({ ok: false, code: "LLM_REQUEST_TIMEOUT" });
    expect(scene.events.at(-1)).toEqual({ event: "LLM_REQUEST_TIMEOUT", fields: { mode: "plan" } });
  });

  test("gives a refusal and a broken answer as LLM_REQUEST, without the key", async () => {
    const refused: Reply = { kind: "status", status: 401, body: { error: { message: "bad key" } } };
    for (const reply of [refused, { kind: "reset", after: '{"act' } as const]) {
      await using scene = open([reply]);
      const answer = await scene.answer();
      expect(answer).toMatchObject({ ok: false, code: "LLM_REQUEST" });
      expect(JSON.stringify([answer, scene.events])).not.toContain("sk-test");
      expect(scene.events.map(({ event }) => event)).toEqual(["LLM_REQUEST_SENT"]);
    }
  });

  test("stops waiting when it is cancelled", async () => {
    await using scene = open([{ kind: "hang" }]);
    const controller = new AbortController();
    const answering = scene.answer(controller.signal);
    controller.abort();
    expect(await answering).toMatchObject({ ok: false, code: "ERR_CANCELLED" });
  });
});
