import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { escapeHtml } from "../../../src/channels/telegram/message/rich-text.ts";
import { splitText } from "../../../src/channels/telegram/message/split-text.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { runs } from "../../support/long.ts";
import { checkText, readHtml } from "../../support/telegram-html.ts";

test("splitText() leaves a text alone that fits", () => {
  expect(splitText("<b>a</b> &amp; b", 5)).toEqual(["<b>a</b> &amp; b"]);
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

test("splitText() closes and opens again what a cut goes through, a block with its language", () => {
  expect(splitText('<a href="x">aaaa\nbbbb</a>', 6)).toEqual([
    '<a href="x">aaaa\n</a>',
    '<a href="x">bbbb</a>',
  ]);
  expect(splitText('<pre><code class="language-ts">one\ntwo</code></pre>', 5)).toEqual([
    '<pre><code class="language-ts">one\n</code></pre>',
    '<pre><code class="language-ts">two</code></pre>',
  ]);
});

test("splitText() leaves out what shows nothing", () => {
  expect(splitText("", 10)).toEqual([]);
  expect(splitText(" \n\n<b> \u200b\u2800\u00a0</b>", 100)).toEqual([]);
});

test("splitText() never cuts an entity, a surrogate pair or what people see as one character", () => {
  expect(splitText("a&amp;b", 1)).toEqual(["a", "&amp;", "b"]);
  expect(splitText("a😀😀", 2)).toEqual(["a", "😀", "😀"]);
  expect(splitText("ab👨‍👩‍👧e\u0301", 8)).toEqual(["ab", "👨‍👩‍👧", "e\u0301"]);
  expect(splitText("abc🇩🇪", 5)).toEqual(["abc", "🇩🇪"]);
});

test("splitText() gives no message more than 100 entities, nor more HTML than Telegram reads", () => {
  const bold = splitText("<b>a</b> ".repeat(150), 4096);
  expect(bold.map((part) => part.split("<b>").length - 1)).toEqual([99, 51]);
  const link = `<a href="https://a.example/${"x".repeat(900)}">a</a> `;
  for (const part of splitText(link.repeat(90), 4096)) expect(checkText(part, true)).toBe("");
});

test("splitText() corrects tags that may not be nested", () => {
  expect(splitText("<b>a <code>b</code></b>", 9)).toEqual(["<b>a </b><code>b</code>"]);
  expect(splitText("<blockquote>a<blockquote>b</blockquote></blockquote>", 9)).toEqual([
    "<blockquote>ab</blockquote>",
  ]);
  expect(splitText('<a href="x"><code>a</code><b>b</b></a>', 9)).toEqual([
    '<a href="x">a<b>b</b></a>',
  ]);
});

describe("splitText()", () => {
  const tags = ["b", "i", "s", "u", "code", "pre", "blockquote", 'a href="https://a.example"'];
  const { html } = fc.letrec<{ html: string }>((tie) => ({
    html: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.string({ unit: anyCharacter, maxLength: 60 }).map(escapeHtml),
      fc.constantFrom("\n\n", "\n", " ", "&lt;&amp;", "👩‍👩‍👧", "\u200b"),
      fc.array(tie("html"), { maxLength: 6 }).map((parts) => parts.join("")),
      fc
        .tuple(fc.constantFrom(...tags), tie("html"))
        .map(([tag, inner]) => `<${tag}>${inner}</${tag.split(" ")[0]}>`),
    ),
  }));

  test("gives messages that Telegram takes, within the limit, and loses nothing that is to be read", () => {
    fc.assert(
      fc.property(html, fc.integer({ min: 12, max: 300 }), (whole, limit) => {
        const parts = splitText(whole, limit);
        for (const part of parts) {
          expect(readHtml(part).length).toBeLessThanOrEqual(limit);
          expect(checkText(part, true)).toBe("");
        }
        expect(visible(parts.join(""))).toBe(visible(whole));
      }),
      { numRuns: runs(60, 500) },
    );
  });
});

/** What is to be read; a message of blanks alone is left out. */
function visible(html: string): string {
  return readHtml(html).replaceAll(
    /[\s\p{Cc}\p{Cf}\p{Z}\u{115f}\u{1160}\u{2800}\u{3164}\u{fffc}]/gu,
    "",
  );
}
