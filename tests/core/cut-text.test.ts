import { expect, test } from "bun:test";
import { cutText } from "../../src/core/cut-text.ts";

test.each([
  ["abc", 3, "abc"],
  ["abc", 2, "ab"],
  ["abc", 0, ""],
  ["abc", Number.POSITIVE_INFINITY, "abc"],
  ["a😀b", 2, "a"],
  ["a😀b", 3, "a😀"],
])("cutText() of %p to %d is %p", (text, maxLength, cut) => {
  expect(cutText(text, maxLength)).toBe(cut);
});
