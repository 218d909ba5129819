import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { closeMarkdown, toTelegramHtml } from "../../../src/channels/telegram/message/markdown.ts";
import { splitText } from "../../../src/channels/telegram/message/split-text.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { measureEffort } from "../../support/effort.ts";
import { runs } from "../../support/long.ts";
import { checkText, readHtml } from "../../support/telegram-html.ts";

test.each([
  ["looks", "**b** _i_ ~~s~~ `a < b`", "<b>b</b> <i>i</i> <s>s</s> <code>a &lt; b</code>"],
  ["headings as bold", "# One **two**\ntext", "<b>One two</b>\n\ntext"],
  ["lines as they were broken", "one\ntwo  \nthree", "one\ntwo\nthree"],
  ["nested lists", "- a\n  - b\n    1. c\n- d", "• a\n   • b\n      1. c\n• d"],
  ["numbers that go on", "3. x\n4. y", "3. x\n4. y"],
  ["tasks", "- [x] done\n- [ ] open", "☑ done\n☐ open"],
  ["quotes, the inner in the outer", "> a\n> > b", "<blockquote>a\n\nb</blockquote>"],
  ["rules", "a\n\n---\n\nb", "a\n\n──────────\n\nb"],
  ["~~~ fences", "~~~ts x\na<b\n~~~", '<pre><code class="language-ts">a&lt;b</code></pre>'],
  ["an open fence", "```js\nlet a", '<pre><code class="language-js">let a</code></pre>'],
  ["an empty fence as nothing", "a\n```\n```", "a"],
  ["code next to bold", "**a `b`**", "<b>a </b><code>b</code>"],
  [
    "HTML as text, line breaks as such",
    "<b>x</b><br>y `<br>`",
    "&lt;b&gt;x&lt;/b&gt;\ny <code>&lt;br&gt;</code>",
  ],
  [
    "blocks of HTML with Markdown inside",
    "<details>\n**a**\n</details>",
    "&lt;details&gt;\n<b>a</b>\n&lt;/details&gt;",
  ],
  [
    "footnotes and sources, which nobody refers to",
    "a[^1]\n\n[^1]: note\n[2]: x",
    "a[^1]\n\n[^1]: note\n[2]: x",
  ],
  [
    "names with their underscores",
    "src/__init__.py `__a__` https://a.example/__b__/c **__call__**",
    'src/__init__.py <code>__a__</code> <a href="https://a.example/__b__/c">https://a.example/__b__/c</a> <b>__call__</b>',
  ],
  [
    "a link without words",
    "[](https://a.example/)",
    '<a href="https://a.example/">https://a.example/</a>',
  ],
  [
    "lists begun in one line, as deep as anybody reads",
    `${"- ".repeat(8)}1. a`,
    `${Array.from({ length: 8 }, (_, depth) => `${"   ".repeat(depth)}•`).join(" ")} 1. a`,
  ],
  ["a rule of many signs", "* ".repeat(12), "──────────"],
  ["sums of money", "$5 and $10", "$5 and $10"],
  [
    "links",
    "[a & b](https://a.example/?q=1&r=2)",
    '<a href="https://a.example/?q=1&amp;r=2">a &amp; b</a>',
  ],
  ["code in links", "[`x`](https://a.example/)", '<a href="https://a.example/">x</a>'],
  [
    "bare links and addresses",
    "https://a.example, a@b.example",
    '<a href="https://a.example/">https://a.example</a>, <a href="mailto:a@b.example">a@b.example</a>',
  ],
  ["tg: links", "[me](tg://user?id=1)", '<a href="tg://user?id=1">me</a>'],
  [
    "other targets as text",
    "[x](javascript:alert(1)) [f](src/a.ts)",
    "x (javascript:alert(1)) f (src/a.ts)",
  ],
  [
    "targets Telegram drops as text",
    "[x](http://localhost:3000)",
    "x (<code>http://localhost:3000</code>)",
  ],
  ["a target that is said once", "[src/a.ts](src/a.ts)", "src/a.ts"],
  ["images as links", "![a](https://a.example/i.png)", '<a href="https://a.example/i.png">🖼 a</a>'],
  [
    "quotation marks in targets",
    '[a](https://a.example/#"><b>)',
    '<a href="https://a.example/#%22%3E%3Cb%3E">a</a>',
  ],
  ["nothing", " \n\n", ""],
])("toTelegramHtml() shows %s", (_, markdown, html) => {
  expect(toTelegramHtml(markdown)).toBe(html);
});

test("toTelegramHtml() aligns a narrow table, Chinese characters two columns wide", () => {
  expect(toTelegramHtml("| a | n |\n|:--|--:|\n| 表格 | 1 |\n| `x` | 22 |")).toBe(
    "<pre>a      n\n────  ──\n表格   1\nx     22</pre>",
  );
});

test("toTelegramHtml() lists a table that is too wide for a phone", () => {
  const wide = "a description that takes its room";
  expect(
    toTelegramHtml(`| key | what | more |\n|-|-|-|\n| **k** | ${wide} | |\n| l | x | y |`),
  ).toBe(`<b>k</b>\nwhat: ${wide}\n\n<b>l</b>\nwhat: x\nmore: y`);
});

test("toTelegramHtml() folds a long quote", () => {
  expect(toTelegramHtml(`> ${"word ".repeat(200)}`)).toStartWith("<blockquote expandable>word");
});

test.each([
  ["a **bo", "<b>bo</b>"],
  ["- **a `co", "<b>a </b><code>co</code>"],
  ["~~z **q", "<s>z </s><b><s>q</s></b>"],
  ["see [the page](https://a.exa", "see the page"],
  ["see [the pa", "see the pa"],
  ["```md\n**x [", '<pre><code class="language-md">**x [</code></pre>'],
  ["```\na\n\nb **\n```\nthen **bo", "<pre><code>a\n\nb **</code></pre>\n\nthen <b>bo</b>"],
  ["see\n\n| a | b", "see"],
  ["see\n\n| a | b |\n|--", "see"],
  ["| a | b |\n|--|--|\n| 1 | 2 |\n| 3", "<pre>a  b\n─  ─\n1  2</pre>"],
  ["**a** and `b` [c](x.ts)", "<b>a</b> and <code>b</code> c (x.ts)"],
])("closeMarkdown() makes %p look as it will", (cut, html) => {
  expect(toTelegramHtml(closeMarkdown(cut))).toEndWith(html);
});

describe("toTelegramHtml() and splitText()", () => {
  const inline = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.constantFrom(
      "**",
      "*",
      "_",
      "~~",
      "`",
      "``",
      "[a](https://b.example)",
      "![",
      "](",
      ")",
      "<br>",
    ),
    fc.constantFrom(
      "<b>",
      "</code>",
      "&amp;",
      "&#0;",
      "\\",
      "$x$",
      "|",
      "https://c.example/?d=e&f",
      "表",
    ),
  );
  const start = fc.constantFrom(
    "",
    "# ",
    "> ",
    "- ",
    "  - ",
    "1. ",
    "- [x] ",
    "```ts\n",
    "~~~",
    "| ",
    "|-|-|",
    "    ",
    "[^1]: ",
    "---",
  );
  const line = fc.tuple(start, fc.array(inline, { maxLength: 8 })).map(([a, b]) => a + b.join(""));
  const markdown = fc.oneof(
    fc.array(line, { maxLength: 40 }).map((lines) => lines.join("\n")),
    fc.string({ unit: anyCharacter, maxLength: 400 }),
  );

  test("give messages that Telegram takes and lose nothing, whatever comes in and wherever it is cut", () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 20, max: 200 }), fc.nat(), (whole, limit, cut) => {
        for (const text of [whole, closeMarkdown(whole.slice(0, cut % (whole.length + 1)))]) {
          const html = toTelegramHtml(text);
          const parts = splitText(html, limit);
          for (const part of parts) expect(checkText(part, true)).toBe("");
          expect(visible(parts.join(""))).toBe(visible(html));
        }
      }),
      { numRuns: runs(100, 500) },
    );
  });

  test("take hostile Markdown in good time", () => {
    const hostile = [
      ">".repeat(20_000),
      "1. ".repeat(6000),
      "+ - > ".repeat(3000),
      "[".repeat(20_000),
      "**a *b ".repeat(3000),
      "[a](".repeat(5000),
      "`a``".repeat(5000),
      Array.from({ length: 200 }, (_, length) => "`".repeat(length)).join(" "),
      "<a ".repeat(7000),
      Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n"),
      `${"|a".repeat(2000)}\n${"|-".repeat(2000)}\n${"|b\n".repeat(500)}`,
    ];
    for (const text of hostile) {
      const effort = measureEffort();
      splitText(toTelegramHtml(closeMarkdown(text)), 4096);
      expect(effort()).toBeLessThan(2000);
    }
  });
});

/** What is to be read; a message of blanks alone is left out. */
function visible(html: string): string {
  return readHtml(html).replaceAll(
    /[\s\p{Cc}\p{Cf}\p{Z}\u{115f}\u{1160}\u{2800}\u{3164}\u{fffc}]/gu,
    "",
  );
}

test("toTelegramHtml() gives a line of mere words as Markdown would", () => {
  const signs = ["a", "Z", "é", "字", "7", " ", ".", ",", "!", "?", "-", "*", "#", "word ", ". "];
  const texts = fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map((all) => all.join(""));
  fc.assert(
    // A blank line behind it is nothing to Markdown, and no line of mere words.
    fc.property(texts, (text) => toTelegramHtml(text) === toTelegramHtml(`${text}\n\n`)),
  );
});
