import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { escapeHtml, toPlainText } from "../../../src/channels/telegram/html.ts";
import { splitText } from "../../../src/channels/telegram/split-text.ts";
import { checkText } from "../../support/bot-api-wire.ts";

test("splitText() leaves a text alone that fits", () => {
  expect(splitText("<b>a</b> &amp; b", 100)).toEqual(["<b>a</b> &amp; b"]);
});

test("splitText() cuts between paragraphs rather than lines, lines rather than words", () => {
  const line = "word word";
  expect(splitText(`${line}\n${line}\n\n${line}\n${line}`, 35)).toEqual([
    `${line}\n${line}\n\n`,
    `${line}\n${line}`,
  ]);
  expect(splitText(`${line}\n${line}`, 15)).toEqual([`${line}\n`, line]);
  expect(splitText(line, 6)).toEqual(["word ", "word"]);
});

test("splitText() closes and opens again what a cut goes through", () => {
  expect(splitText('<a href="x">aaaa\nbbbb</a>', 24)).toEqual([
    '<a href="x">aaaa\n</a>',
    '<a href="x">bbbb</a>',
  ]);
});

test("splitText() leaves out parts that show nothing", () => {
  expect(splitText("", 10)).toEqual([]);
  expect(splitText(" \n\n<b> </b>", 100)).toEqual([]);
});

test("splitText() never cuts an entity or a surrogate pair", () => {
  expect(splitText("a&amp;b", 5)).toEqual(["a", "&amp;", "b"]);
  expect(splitText("a😀😀", 3)).toEqual(["a😀", "😀"]);
});

test("splitText() gives parts that Telegram takes, within the limit, and loses nothing", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }).map(escapeHtml),
    fc.constantFrom("\n\n", "\n", " ", "&lt;&amp;"),
    fc.string({ maxLength: 120 }).map((text) => `<pre>${escapeHtml(text)}</pre>`),
    fc.string({ maxLength: 40 }).map((text) => `<b>x <code>${escapeHtml(text)}</code></b>`),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }),
      fc.integer({ min: 60, max: 300 }),
      (pieces, limit) => {
        const html = pieces.join("");
        const parts = splitText(html, limit);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit);
          expect(part.isWellFormed()).toBe(true);
          expect(checkText(part, true)).toBe("");
        }
        expect(parts.map(visible).join("")).toBe(visible(html));
      },
    ),
  );
});

/** What is to be read, blanks aside: those at a cut may fall away. */
function visible(html: string): string {
  return toPlainText(html).replaceAll(/\s/g, "");
}
