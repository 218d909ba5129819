import { expect, test } from "bun:test";
import { trimResults } from "../../src/agent/turn/trim-results.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { wrapOutside } from "../../src/security/untrusted.ts";

const result = (toolCallId: string, chars: number): ChatMessage => ({
  role: "tool",
  toolCallId,
  content: toolCallId.repeat(chars),
});

test("trimResults() keeps the newest results whole and the beginning of older ones", () => {
  const user: ChatMessage = { role: "user", content: "u".repeat(9000) };
  const messages = [
    user,
    result("a", 4000),
    result("s", 900),
    result("b", 4000),
    result("c", 4000),
  ];
  const { messages: trimmed, stubbed } = trimResults(messages, 2000);
  expect(trimmed.map(({ content }) => content.slice(0, 1))).toEqual(["u", "a", "s", "b", "c"]);
  expect(trimmed.filter((each, i) => each !== messages[i])).toEqual([
    {
      role: "tool",
      toolCallId: "a",
      content: `${"a".repeat(1000)}… (the rest is left out to save room)`,
    },
  ]);
  expect([...stubbed]).toEqual(["a"]);
});

test("trimResults() names no call whose result would never be whole", () => {
  const { messages, stubbed } = trimResults([result("a", 4000), result("b", 9000)], 2000);
  expect(messages.every(({ content }) => content.includes("left out to save room"))).toBe(true);
  expect([...stubbed]).toEqual(["a"]);
});

test("trimResults() leaves alone what fits", () => {
  const messages = [result("a", 4000), result("b", 4000)];
  expect(trimResults(messages)).toEqual({ messages, stubbed: new Set() });
});

test("trimResults() keeps the end of what strangers wrote", () => {
  const content = wrapOutside("o".repeat(9000));
  const [trimmed] = trimResults([{ role: "tool", toolCallId: "o", content }], 100).messages;
  expect(trimmed?.content.length).toBeLessThan(1200);
  expect(trimmed?.content.split("\n").at(-1)).toBe(content.split("\n").at(-1));
});
