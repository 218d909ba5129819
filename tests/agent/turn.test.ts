import { describe, expect, test } from "bun:test";
import { runTurn, type TurnRequest } from "../../src/agent/turn.ts";
import type { AgentEvent } from "../../src/channels/channel.ts";
import type { ChatRequest, Provider, ProviderEvent } from "../../src/providers/provider.ts";
import type { Tool, ToolResult } from "../../src/tools/tool.ts";

const usage = { inputTokens: 5, outputTokens: 2 };
const limits = {
  maxToolIterations: 10,
  maxFailedRounds: 3,
  maxFailuresInARow: 2,
  turnTimeoutMs: 5000,
};

type Step = string | readonly { readonly name: string; readonly args: string }[];

/** A provider that plays one step per request; the last one stays. */
function play(...steps: Step[]): Provider & { readonly asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    name: "scripted",
    model: "m",
    asked,
    async *stream(request): AsyncGenerator<ProviderEvent> {
      asked.push(request);
      const step = steps[Math.min(asked.length, steps.length) - 1] ?? "";
      if (typeof step === "string") {
        yield { kind: "content", text: step };
        return yield { kind: "end", reason: "stop", usage };
      }
      for (const [i, { name, args }] of step.entries()) {
        yield { kind: "tool_call", call: { id: `${asked.length}-${i}`, name, arguments: args } };
      }
      yield { kind: "end", reason: "tool_calls", usage };
    },
  };
}

function tool(name: string, result: () => ToolResult): Tool & { readonly runs: unknown[] } {
  const runs: unknown[] = [];
  const parameters = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
  return {
    schema: { name, description: name, parameters },
    effect: "none",
    runs,
    async run(args) {
      runs.push(args);
      return result();
    },
  };
}

const retryable: ToolResult = { ok: false, error: "busy", errorCode: "timeout", retryable: true };
const permanent: ToolResult = {
  ok: false,
  error: "no key",
  errorCode: "unavailable",
  retryable: false,
};
const call = (q: number, name = "look") => [{ name, args: JSON.stringify({ q: String(q) }) }];

async function run(provider: Provider, tools: readonly Tool[], more: Partial<TurnRequest> = {}) {
  const events: AgentEvent[] = [];
  const turn = await runTurn({
    provider,
    tools,
    messages: [{ role: "user", content: "hi" }],
    temperature: 0,
    limits,
    emit: (event) => void events.push(event),
    signal: new AbortController().signal,
    ...more,
  });
  return { turn, events, kinds: events.map(({ kind }) => kind) };
}

describe("runTurn()", () => {
  test("answers without tools in one model call", async () => {
    const { turn, kinds } = await run(play("hello"), []);
    expect(turn).toMatchObject({ text: "hello", modelCalls: 1, tokens: { input: 5, output: 2 } });
    expect(kinds).toEqual(["content"]);
  });

  test("runs a tool and hands its result to the model", async () => {
    const provider = play(call(1), "done");
    const look = tool("look", () => ({ ok: true, content: "42" }));
    const { turn, kinds } = await run(provider, [look]);
    expect(provider.asked[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "42" });
    expect(kinds).toEqual(["tool_call", "tool_result", "content"]);
    expect(turn.messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
  });

  test("ends after three rounds in which every call failed: 3 model calls, at most 3 tool calls", async () => {
    const look = tool("look", () => retryable);
    const find = tool("find", () => retryable);
    const { turn, kinds } = await run(play(call(1), call(2, "find"), call(3), "late"), [
      look,
      find,
    ]);
    expect(turn.error?.code).toBe("tool_execution_error");
    expect(turn.modelCalls).toBe(3);
    expect(look.runs.length + find.runs.length).toBeLessThanOrEqual(3);
    expect(kinds).not.toContain("tool_result");
  });

  test("withdraws a tool at once when its failure is permanent", async () => {
    const provider = play(call(1), "I cannot");
    const look = tool("look", () => permanent);
    const { turn } = await run(provider, [look]);
    expect(look.runs).toHaveLength(1);
    expect(provider.asked[1]?.tools ?? []).toEqual([]);
    expect(turn.error).toBeUndefined();
  });

  test("withdraws a tool after two failures in a row and says so to the user", async () => {
    const provider = play(call(1), call(2), "gave up");
    const { events } = await run(provider, [tool("look", () => retryable)]);
    expect(provider.asked[2]?.tools ?? []).toEqual([]);
    const said = events.flatMap((event) => (event.kind === "content" ? [event.text] : [])).join("");
    expect(said).toContain("look could not be completed: busy");
  });

  test("does not execute again a call that failed", async () => {
    const look = tool("look", () => retryable);
    const { turn } = await run(play(call(1), call(1), "stop"), [look], {
      limits: { ...limits, maxFailuresInARow: 9 },
    });
    expect(look.runs).toHaveLength(1);
    expect(turn.toolCalls).toHaveLength(2);
  });

  test("tells the model of an unknown tool and of arguments that are no JSON", async () => {
    const provider = play(
      [
        { name: "nope", args: "{}" },
        { name: "look", args: "{" },
      ],
      "ok",
    );
    const look = tool("look", () => ({ ok: true, content: "" }));
    await run(provider, [look]);
    const told = provider.asked[1]?.messages.slice(-2).map(({ content }) => content) ?? [];
    expect(told[0]).toContain('there is no tool "nope"');
    expect(told[1]).toContain("not a JSON object");
    expect(look.runs).toHaveLength(0);
  });

  test("names a missing required argument and does not run the tool", async () => {
    const provider = play([{ name: "look", args: "{}" }], "ok");
    const look = tool("look", () => ({ ok: true, content: "" }));
    await run(provider, [look]);
    expect(provider.asked[1]?.messages.at(-1)?.content).toContain("missing: q");
    expect(look.runs).toHaveLength(0);
  });

  test("says that the limit of rounds is reached and keeps what was said", async () => {
    let q = 0;
    const provider = play();
    const endless: Provider = {
      ...provider,
      stream: () => play(call(q++)).stream({ messages: [] }),
    };
    const { turn } = await run(endless, [tool("look", () => ({ ok: true, content: "x" }))]);
    expect(turn.error?.code).toBe("tool_loop_limit");
    expect(turn.modelCalls).toBe(10);
  });

  test("runs no tool after a cancel and answers every call all the same", async () => {
    const controller = new AbortController();
    const look = tool("look", () => {
      controller.abort();
      return { ok: true, content: "x" };
    });
    const both = [...call(1), ...call(2)];
    const { turn } = await run(play(both, "never"), [look], { signal: controller.signal });
    expect(look.runs).toHaveLength(1);
    expect(turn.error?.code).toBe("ERR_CANCELLED");
    expect(turn.messages.filter(({ role }) => role === "tool")).toHaveLength(2);
  });

  test("turns a throwing tool into a failure", async () => {
    const provider = play(call(1), "ok");
    const look = tool("look", () => {
      throw new Error("boom");
    });
    const { turn } = await run(provider, [look]);
    expect(turn.toolCalls[0]).toMatchObject({ ok: false, errorCode: "internal" });
  });
});
