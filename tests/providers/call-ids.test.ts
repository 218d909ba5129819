import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sha256 } from "../../src/core/sha256.ts";
import { toOpenAiMessages } from "../../src/providers/openai-messages.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";

const TO = { name: "p", model: "m", refused: new Set<never>() };

/** What each maker of ids calls a call; few of them, so that they come again. */
const someId = fc.oneof(
  fc.constantFrom(
    "call_1",
    "call_1 1",
    "approval_06ax3k0m2v5r8t1w",
    "functions.f:0",
    "",
    "aB3dE6gH9",
  ),
  fc.string({ maxLength: 60 }),
);

/** Rounds of calls, each call with its result, and the person's words between. */
const conversation: fc.Arbitrary<ChatMessage[]> = fc
  .array(fc.array(someId, { maxLength: 4 }), { maxLength: 8 })
  .map((rounds) => rounds.flatMap(round));

function round(ids: readonly string[]): ChatMessage[] {
  const toolCalls = ids.map((id, n) => ({ id, name: `tool${n}`, arguments: "{}" }));
  return [
    { role: "user", content: "on" },
    { role: "assistant", content: "", toolCalls },
    ...ids.map((toolCallId, n) => ({ role: "tool" as const, toolCallId, content: `tool${n}` })),
  ];
}

/** The ids that are sent, of calls and of results, each with the tool that it is about. */
function idsOf(messages: readonly ChatMessage[]) {
  const calls: [string, string][] = [];
  const results: [string, unknown][] = [];
  for (const message of toOpenAiMessages(messages, TO)) {
    if (message.role === "tool") results.push([message.tool_call_id, message.content]);
    if (message.role !== "assistant") continue;
    for (const call of message.tool_calls ?? []) {
      if (call.type === "function") calls.push([call.id, call.function.name]);
    }
  }
  return { calls, results };
}

describe("toOpenAiMessages()", () => {
  test("gives each call an id of nine letters and digits that no other has, and its result the same", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const { calls, results } = idsOf(messages);
        expect(results).toEqual(calls);
        for (const [id] of calls) expect(id).toMatch(/^[A-Za-z0-9]{9}$/u);
        expect(new Set(calls.map(([id]) => id)).size).toBe(calls.length);
      }),
    );
  });

  test("gives the beginning of a conversation the same ids however long it becomes", () => {
    fc.assert(
      fc.property(conversation, conversation, (before, after) => {
        const { calls } = idsOf(before);
        expect(idsOf([...before, ...after]).calls.slice(0, calls.length)).toEqual(calls);
      }),
    );
  });

  test("keeps calls apart whose ids were chosen to become the same", () => {
    const found = new Map<string, string>();
    let pair: string[] = [];
    for (let n = 0; pair.length === 0; n++) {
      const id = `call_${n}`;
      const short = sha256(id).slice(0, 9);
      const other = found.get(short);
      if (other !== undefined) pair = [other, id];
      found.set(short, id);
    }
    const { calls, results } = idsOf(round(pair));
    expect(results).toEqual(calls);
    expect(new Set(calls.map(([id]) => id)).size).toBe(2);
  });

  test("gives a result without its call an id all the same", () => {
    const { results } = idsOf([{ role: "tool", toolCallId: "gone!", content: "x" }]);
    expect(results).toEqual([[expect.stringMatching(/^[A-Za-z0-9]{9}$/u), "x"]]);
  });
});
