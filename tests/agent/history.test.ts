import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fitHistory } from "../../src/agent/history/fit-history.ts";
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
    const answer: ChatMessage = { role: "assistant", content: "b" };
    const messages = [user("a"), call, result, answer, user("c")];
    expect(fitHistory(messages, 6000)).toEqual(messages);
  });

  test("starts at a user's message, so that no tool result is without its call", () => {
    expect(fitHistory([user("x".repeat(500)), call, result, user("new")], 75)).toEqual([
      user("new"),
    ]);
  });

  test("keeps the newest message however long it is", () => {
    const long = user("x".repeat(1000));
    expect(fitHistory([user("old"), long], 25)).toEqual([long]);
  });

  test("counts the arguments of calls too", () => {
    const toolCalls = [{ id: "1", name: "write", arguments: "x".repeat(1000) }];
    const heavy: ChatMessage = { role: "assistant", content: "", toolCalls };
    expect(fitHistory([user("old"), heavy, result, user("new")], 225)).toEqual([user("new")]);
  });

  test("answers a call whose result a crash swallowed, though an earlier one had its id", () => {
    const kept = fitHistory([user("a"), call, result, user("b"), call, user("c")], 6000);
    expect(kept.map(({ role }) => role).join(" ")).toBe(
      "user assistant tool user assistant tool user",
    );
    expect(kept[5]?.content).toContain("interrupted");
  });

  test("whatever was stored, every call has its one result right behind it", () => {
    const some = fc.constantFrom(user("q"), call, result, result, { ...call, content: "text" });
    fc.assert(
      fc.property(fc.array(some), fc.integer({ min: 1, max: 225 }), (messages, max) => {
        const kept = fitHistory([...messages, user("now")], max);
        const shape = kept.map(({ role }) => role.charAt(0)).join("");
        expect(shape).toMatch(/^u(u|at)*$/);
        expect(kept.at(-1)).toEqual(user("now"));
      }),
    );
  });
});
