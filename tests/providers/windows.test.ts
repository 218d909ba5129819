import { expect, test } from "bun:test";
import { knownWindow } from "../../src/providers/windows.ts";

test.each([
  ["gpt-4o-mini", 128_000],
  ["gpt-4.1-nano", 1_047_576],
  ["gpt-4", 8192],
  ["gpt-4-0613", 8192],
  ["gpt-4-turbo-2024-04-09", 128_000],
  ["gpt-3.5-turbo", 16_385],
  ["gpt-5-mini", 400_000],
  ["o3-mini", 200_000],
  ["openai/gpt-4o", 128_000],
  ["anthropic/Claude-3.5-Sonnet", 200_000],
  ["llama3:8b", 8192],
  ["llama3", 8192],
  ["deepseek-chat", 64_000],
])("knownWindow(%s) is %i, as its maker states", (model, tokens) => {
  expect(knownWindow(model)).toBe(tokens);
});

test.each(["llama3.1:8b", "qwen2.5-coder:7b", "my-gpt-4", "o10", "", "gpt"])(
  "knownWindow(%s) is not known",
  (model) => {
    expect(knownWindow(model)).toBeUndefined();
  },
);
