import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { wrapText } from "../../../src/cli/screen/wrap.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { runs } from "../../support/long.ts";

/** What wraps in its own ways: wide, joined, combining, blank, long. */
const piece = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.constantFrom(
    "中文没有空格",
    "日本語。",
    "👨‍👩‍👧",
    "e\u0301",
    "🇩🇪",
    "ｱ",
    "word",
    "a-b/c.ts",
    "  ",
    "\n",
    "。",
  ),
  fc.constant("x".repeat(50)),
);
/** As it is printed: nothing in it steers a terminal. */
const printable = fc
  .array(piece, { maxLength: 30 })
  .map((pieces) => pieces.join("").replaceAll(/(?!\n)\p{C}|\p{Zl}|\p{Zp}/gu, ""));

test.each([
  ["short lines as they are", "a  b\n  c ", 10, "a  b\n  c "],
  ["words at the edge", "one two three", 10, "one two\nthree"],
  ["below the indent of a line", "  one two three four", 12, "  one two\n  three four"],
  ["Chinese by its width, without blanks", "中文没有空格", 10, "中文没有空\n格"],
  [
    "emoji as one, by their width",
    "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧",
    10,
    "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧\n👨‍👩‍👧",
  ],
  [
    "accents with their letters",
    "e\u0301".repeat(12),
    10,
    `${"e\u0301".repeat(10)}\n${"e\u0301".repeat(2)}`,
  ],
  ["again where what is left is too wide", "é⺀。", 3, "é\n⺀\n。"],
  ["words that are longer than a line", "a".repeat(12), 10, `${"a".repeat(10)}\naa`],
  [
    "colours, which take no room",
    "\x1b[1mone two\x1b[22m three",
    10,
    "\x1b[1mone two\x1b[22m\nthree",
  ],
  [
    "colours over the edge",
    "\x1b[1mone two three\x1b[22m",
    10,
    "\x1b[1mone two\x1b[22m\n\x1b[1mthree\x1b[22m",
  ],
])("wrapText() cuts %s", (_, text, width, wrapped) => {
  expect(wrapText(text, width)).toBe(wrapped);
});

test("wrapText() cuts no character that is wider than the window", () => {
  expect(wrapText("\u{20000}\u1beaab", 2)).toBe("\u{20000}\u1bea\nab");
});

describe("wrapText(), whatever the text", () => {
  const width = fc.integer({ min: 2, max: 60 });

  test("has no line that is wider than the window, but for one character that is", () => {
    const people = new Intl.Segmenter();
    fc.assert(
      fc.property(printable, width, (text, columns) => {
        const wide = wrapText(text, columns)
          .split("\n")
          .filter((line) => Bun.stringWidth(line) > columns)
          .filter((line) => [...people.segment(line)].length > 1);
        expect(wide).toEqual([]);
      }),
      { numRuns: runs(300, 20_000) },
    );
  });

  test("loses no character but blanks at a cut", () => {
    fc.assert(
      fc.property(printable, width, (text, columns) => {
        const bare = (shown: string) => shown.replaceAll(/\s/gu, "");
        expect(bare(wrapText(text, columns))).toBe(bare(text));
      }),
      { numRuns: runs(300, 20_000) },
    );
  });
});
