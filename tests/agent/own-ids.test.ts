import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { withOwnIds } from "../../src/agent/turn/own-ids.ts";
import type { ChatMessage, Provider } from "../../src/providers/provider.ts";
import { call, play, run, tool } from "./turn-play.ts";

/** A server that counts its calls from the same id in each answer. */
function counting(model: Provider, start: (n: number) => string): Provider {
  return {
    ...model,
    async *stream(...request) {
      let n = 0;
      for await (const event of model.stream(...request)) {
        yield event.kind === "tool_call"
          ? { ...event, call: { ...event.call, id: start(n++) } }
          : event;
      }
    },
  };
}

/** So much that one request has no room for two of it. */
const MUCH = "long ".repeat(40_000);

describe("a server whose ids of calls come again", () => {
  test("has a call made once all the same, while its result is whole before the model", async () => {
    const look = tool("look", () => ({ ok: true, content: MUCH }));
    const model = play(call(1), call(2), call(2), "ok");
    await run(
      counting(model, (n) => `call_${n}`),
      [look],
    );
    expect(look.runs).toEqual([{ q: "1" }, { q: "2" }]);
  });

  test("may have a call made again whose result is not whole any more", async () => {
    const look = tool("look", () => ({ ok: true, content: MUCH }));
    const model = play(call(1), call(2), call(1), "ok");
    await run(
      counting(model, (n) => `call_${n}`),
      [look],
    );
    expect(look.runs).toEqual([{ q: "1" }, { q: "2" }, { q: "1" }]);
  });

  test("has each result beside its own call, also in one answer", async () => {
    const [look, seek] = ["look", "seek"].map((name) =>
      tool(name, () => ({ ok: true, content: `${name} found it` })),
    );
    if (!look || !seek) throw new Error("no tools");
    const model = play([...call(1, "look"), ...call(1, "seek")], "ok");
    const { kept } = await run(
      counting(model, () => "call_0"),
      [look, seek],
    );
    const results = new Map(
      kept.flatMap((each) => (each.role === "tool" ? [[each.toolCallId, each.content]] : [])),
    );
    const calls = kept.flatMap((each) => (each.role === "assistant" ? (each.toolCalls ?? []) : []));
    expect(calls.map(({ id, name }) => [name, results.get(id)])).toEqual([
      ["look", "look found it"],
      ["seek", "seek found it"],
    ]);
  });
});

test("withOwnIds() gives no id twice in a conversation, and takes along what belongs to a call", () => {
  const someId = fc.constantFrom("call_0", "call_0_2", "call_1", "", "x");
  const answers = fc.array(fc.array(someId, { maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(answers, (rounds) => {
      const messages: ChatMessage[] = [];
      for (const ids of rounds) {
        const calls = ids.map((id, n) => ({ id, name: `tool${n}`, arguments: "{}" }));
        const ofCalls = Object.fromEntries(ids.map((id) => [id, `of ${id}`]));
        const aside = { provider: "p", model: "m", ofCalls };
        const own = withOwnIds(messages, calls, aside);
        expect(own.toolCalls.map(({ name }) => name)).toEqual(calls.map(({ name }) => name));
        expect(own.toolCalls.map(({ id }) => own.aside?.ofCalls?.[id])).toEqual(
          ids.map((id) => `of ${id}`),
        );
        messages.push({ role: "assistant", content: "", toolCalls: own.toolCalls });
      }
      const all = messages.flatMap((each) =>
        each.role === "assistant" ? (each.toolCalls ?? []).map(({ id }) => id) : [],
      );
      expect(new Set(all).size).toBe(all.length);
    }),
  );
});
