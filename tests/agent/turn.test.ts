import { describe, expect, test } from "bun:test";
import type { Provider, ProviderEvent } from "../../src/providers/provider.ts";
import { call, limits, permanent, play, retryable, run, tool, usage } from "./turn-play.ts";

describe("runTurn()", () => {
  test("answers without tools in one model call", async () => {
    const { turn, kinds } = await run(play("hello"), []);
    expect(turn).toMatchObject({ text: "hello", modelCalls: 1, tokens: { input: 5, output: 2 } });
    expect(kinds).toEqual(["content"]);
  });

  test("runs a tool and hands its result to the model", async () => {
    const provider = play(call(1), "done");
    const look = tool("look", () => ({ ok: true, content: "42" }));
    const { kept, kinds } = await run(provider, [look]);
    expect(provider.asked[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "42" });
    expect(kinds).toEqual(["tool_call", "tool_result", "content"]);
    expect(kept.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
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

  test("withdraws a tool after two rounds in which it failed and says so to the user", async () => {
    const provider = play(call(1), call(2), "gave up");
    const { events } = await run(provider, [tool("look", () => retryable)]);
    expect(provider.asked[2]?.tools ?? []).toEqual([]);
    const said = events.flatMap((event) => (event.kind === "content" ? [event.text] : [])).join("");
    expect(said).toContain("look could not be completed: no answer came in time; `busy`");
  });

  test("does not execute again a call that failed", async () => {
    const look = tool("look", () => retryable);
    const { turn } = await run(play(call(1), call(1), "stop"), [look], {
      limits: { ...limits, maxFailuresInARow: 9 },
    });
    expect(look.runs).toHaveLength(1);
    expect(turn.toolCalls).toHaveLength(1);
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
    const reported = provider.asked[1]?.messages.slice(-2).map(({ content }) => content) ?? [];
    expect(reported[0]).toContain('there is no tool "nope"');
    expect(reported[1]).toContain("not a JSON object");
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

  test("runs no tool after a cancel and keeps only calls that were answered", async () => {
    const controller = new AbortController();
    const look = tool("look", () => {
      controller.abort();
      return { ok: true, content: "x" };
    });
    const both = [...call(1), ...call(2)];
    const { turn, kept } = await run(play(both, "never"), [look], { signal: controller.signal });
    expect(look.runs).toHaveLength(1);
    expect(turn.error?.code).toBe("ERR_CANCELLED");
    expect(turn.toolCalls).toHaveLength(2);
    expect(kept.filter(({ role }) => role === "tool")).toHaveLength(1);
  });

  test("turns a throwing tool into a failure", async () => {
    const provider = play(call(1), "ok");
    const look = tool("look", () => {
      throw new Error("boom");
    });
    const { turn } = await run(provider, [look]);
    expect(turn.toolCalls[0]).toMatchObject({ ok: false, errorCode: "internal" });
  });

  test("counts rounds and not calls, and executes no withdrawn tool when the model insists", async () => {
    const provider = play([...call(1), ...call(2), ...call(3)], call(4), call(5), "gave up");
    const look = tool("look", () => retryable);
    const { turn, events } = await run(provider, [look]);
    expect(look.runs).toHaveLength(4);
    expect(turn.toolCalls.map(({ errorCode }) => errorCode)).toEqual(Array(4).fill("timeout"));
    expect(provider.asked[2]?.messages.at(-1)?.content).toBe(
      "Error (timeout): busy (look is withdrawn for this turn)",
    );
    expect(events.filter((event) => JSON.stringify(event).includes("could not be"))).toHaveLength(
      1,
    );
  });

  test("does not execute a look again that was answered, until something changed", async () => {
    const look = tool("look", () => ({ ok: true, content: "42" }));
    const write = tool("write", () => ({ ok: true, content: "done" }), "change");
    const provider = play(call(1), call(1), call(1, "write"), call(1), "done");
    const { turn } = await run(provider, [look, write]);
    expect(look.runs).toHaveLength(2);
    expect(turn.toolCalls.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(provider.asked[2]?.messages.at(-1)?.content).toContain("answered above");
  });

  test("leaves failed calls out of what is kept, and keeps every pair whole", async () => {
    const look = tool("look", () => ({ ok: true, content: "42" }));
    const fail = tool("fail", () => retryable);
    const { kept } = await run(play([...call(1, "fail"), ...call(2)], "done"), [look, fail]);
    expect(kept).toEqual([
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "1-1", name: "look", arguments: '{"q":"2"}' }],
      },
      { role: "tool", toolCallId: "1-1", content: "42" },
      { role: "assistant", content: "done" },
    ]);
  });

  test.each([
    ['{"q":1}', '"q" must be of type string'],
    ['{"q":null}', "missing: q"],
    ['{"q":"x","n":1.5}', '"n" must be of type integer'],
    ['{"q":"x","b":"yes"}', '"b" must be of type boolean'],
    ["[]", "not a JSON object"],
    ["null", "not a JSON object"],
    ["", "missing: q"],
  ])("does not run a tool with the arguments %p", async (args, reported) => {
    const provider = play([{ name: "look", args }], "ok");
    const look = tool("look", () => ({ ok: true, content: "" }));
    await run(provider, [look]);
    expect(provider.asked[1]?.messages.at(-1)?.content).toContain(reported);
    expect(look.runs).toHaveLength(0);
  });

  test("hands null arguments on as not given", async () => {
    const look = tool("look", () => ({ ok: true, content: "" }));
    await run(play([{ name: "look", args: '{"q":"x","n":null}' }], "ok"), [look]);
    expect(look.runs).toEqual([{ q: "x" }]);
  });

  test("leaves arguments of other types to the tool, null included where the schema may mean it", async () => {
    const foreign = tool("look", () => ({ ok: true, content: "" }));
    const properties = {
      list: { type: "array" },
      either: { anyOf: [{ type: "string" }, { type: "null" }] },
      text: { type: "string" },
    };
    const parameters = { type: "object" as const, properties, required: ["either"] };
    const look = { ...foreign, schema: { ...foreign.schema, parameters } };
    const args = '{"list":{"a":1},"either":null,"text":null,"more":[]}';
    await run(play([{ name: "look", args }], "ok"), [look]);
    expect(foreign.runs).toEqual([{ list: { a: 1 }, either: null, more: [] }]);
  });

  test("separates what is said before and after a tool, and keeps it apart in the history", async () => {
    const talking: Provider = {
      ...play(),
      async *stream({ messages }): AsyncGenerator<ProviderEvent> {
        const isFirst = messages.at(-1)?.role === "user";
        yield { kind: "content", text: isFirst ? "Let me look." : "It is 42." };
        const [first] = call(1);
        if (isFirst && first) {
          yield { kind: "tool_call", call: { id: "c", name: first.name, arguments: first.args } };
        }
        yield { kind: "end", reason: "stop", usage };
      },
    };
    const { turn, kept, events } = await run(talking, [
      tool("look", () => ({ ok: true, content: "42" })),
    ]);
    expect(turn.text).toBe("Let me look.\n\nIt is 42.");
    expect(events.map((event) => (event.kind === "content" ? event.text : "")).join("")).toBe(
      turn.text,
    );
    expect(kept.at(-1)).toEqual({ role: "assistant", content: "It is 42." });
  });

  test("masks what tools tell the model and what the model says", async () => {
    const provider = play(call(1), "It is SECRET");
    const look = tool("look", () => ({ ok: true, content: "key SECRET" }));
    const { turn, kept, events } = await run(provider, [look]);
    expect(provider.asked[1]?.messages.at(-1)?.content).toBe("key [secret]");
    expect(turn.text).toBe("It is [secret]");
    expect(JSON.stringify([kept, events])).not.toContain("SECRET");
  });

  test("a turn that takes too long ends as timeout, not as cancelled", async () => {
    const slow: Provider = {
      ...play(),
      async *stream({ signal }): AsyncGenerator<ProviderEvent> {
        yield { kind: "content", text: "half an " };
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
        const failure = { code: "ERR_CANCELLED", message: "x", retryable: false } as const;
        yield { kind: "end", reason: "failed", usage, failure };
      },
    };
    const { turn, kept } = await run(slow, [], { limits: { ...limits, turnTimeoutMs: 20 } });
    expect(turn.error?.code).toBe("timeout");
    const content = "half an \n\n(The answer broke off here.)";
    expect(kept).toEqual([{ role: "assistant", content }]);
  });
});
