import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fitHistory } from "../../src/agent/history.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";

const user = (content: string): ChatMessage => ({ role: "user", content });
const call: ChatMessage = {
  role: "assistant",
  content: "",
  toolCalls: [{ id: "1", name: "read_file", arguments: "{}" }],
};
const result: ChatMessage = { role: "tool", toolCallId: "1", content: "text" };

describe("fitHistory()", () => {
  test("keeps all that fits", () => {
    const messages = [user("a"), call, result, { role: "assistant", content: "b" } as const];
    expect(fitHistory(messages)).toEqual(messages);
  });

  test("starts at a user's message, so that no tool result stands alone", () => {
    const kept = fitHistory([user("x".repeat(50)), call, result, user("new")], 20);
    expect(kept).toEqual([user("new")]);
  });

  test("answers a call whose result a crash swallowed", () => {
    const kept = fitHistory([user("a"), call, user("b")]);
    expect(kept.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  });

  test("always pairs every call with exactly one result", () => {
    const round = fc.constantFrom([user("q")], [user("q"), call], [user("q"), call, result]);
    fc.assert(
      fc.property(
        fc.array(round, { maxLength: 8 }),
        fc.integer({ min: 1, max: 60 }),
        (rounds, max) => {
          const kept = fitHistory(rounds.flat(), max);
          const calls = kept.filter((message) => message.role === "assistant").length;
          expect(kept.filter((message) => message.role === "tool").length).toBeGreaterThanOrEqual(
            calls > 0 ? 1 : 0,
          );
          expect(kept[0]?.role ?? "user").toBe("user");
        },
      ),
    );
  });
});
