import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toPages } from "../../src/http/to-pages.ts";

describe("toPages() cuts", () => {
  test.each([
    ["behind a paragraph", "one two\n\nthree four", 12, ["one two\n\n", "three four"]],
    ["behind a line", "one two\nthree four", 12, ["one two\n", "three four"]],
    ["behind a word", "one two three", 9, ["one two ", "three"]],
    ["at its length what has no break", "abcdefgh", 3, ["abc", "def", "gh"]],
    ["not for a break far from the end", "a\n\nbcdefghijk", 8, ["a\n\nbcdef", "ghijk"]],
    ["in no character", "a😀😀", 2, ["a", "😀", "😀"]],
    ["nothing from what fits", "one\n\ntwo", 8, ["one\n\ntwo"]],
    ["an empty text into one page", "", 8, [""]],
  ])("%s", (_where, text, maxLength, pages) => {
    expect(toPages(text, maxLength)).toEqual(pages);
  });
});

test("toPages() gives pages that are the text again, none too long or empty, no character cut", () => {
  const text = fc.string({ unit: fc.constantFrom("a", " ", "\n", "\n\n", "😀", "é", "word") });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 20 }), (whole, maxLength) => {
      const pages = toPages(whole, maxLength);
      expect(pages.join("")).toBe(whole);
      for (const page of pages) {
        expect(page.length).toBeLessThanOrEqual(maxLength);
        expect(page.length > 0 || whole === "").toBe(true);
        expect(page.isWellFormed()).toBe(true);
      }
    }),
  );
});

test.each([0, 1, -5, Number.NaN])("toPages() throws on pages of %d", (maxLength) => {
  expect(() => toPages("text", maxLength)).toThrow(RangeError);
});
