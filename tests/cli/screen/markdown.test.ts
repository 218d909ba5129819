import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { renderMarkdown } from "../../../src/cli/screen/markdown.ts";
import { createMarkdownStream } from "../../../src/cli/screen/markdown-stream.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { measureEffort } from "../../support/effort.ts";
import { runs } from "../../support/long.ts";

const PLAIN = { width: 40, color: false };
const COLOR = { width: 40, color: true };

/** The codes that `renderMarkdown` may use; anything else with an escape in it is a hole. */
const OWN = new RegExp(String.raw`\x1b\[(?:1|22|3|23|36|39)m`, "g");
const OBEYED = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u200b]/u;

test.each([
  ["bold", "**b** c", "\x1b[1mb\x1b[22m c", "**b** c"],
  ["italics", "*i* c", "\x1b[3mi\x1b[23m c", "*i* c"],
  ["code", "`x * y` c", "\x1b[36mx * y\x1b[39m c", "`x * y` c"],
  ["headings", "## One **two**\ntext", "\x1b[1mOne two\x1b[22m\n\ntext", "## One **two**\n\ntext"],
  ["struck out words as written", "~~s~~ c", "~~s~~ c", "~~s~~ c"],
])("renderMarkdown() shows %s", (_, markdown, color, plain) => {
  expect(renderMarkdown(markdown, COLOR)).toBe(color);
  expect(renderMarkdown(markdown, PLAIN)).toBe(plain);
});

test.each([
  ["lines as they were broken", "one\ntwo", "one\ntwo"],
  ["nested lists", "- a\n  - b\n    1. c\n- d", "• a\n  • b\n    1. c\n• d"],
  [
    "items below their own words",
    "- one two three four five six seven eight nine",
    "• one two three four five six seven\n  eight nine",
  ],
  ["numbers that go on", "9. x\n10. y", "9. x\n10. y"],
  ["tasks", "- [x] done\n- [ ] open", "☑ done\n☐ open"],
  ["quotes", "> a\n> > b", "│ a\n│\n│ │ b"],
  ["rules as wide as the window", "a\n\n---\n\nb", `a\n\n${"─".repeat(40)}\n\nb`],
  ["code as it is, in one line", `~~~ts\n${"x ".repeat(30)}y\n\n~~~`, `  ${"x ".repeat(30)}y`],
  ["code in a list", "1. a\n   ```\n   b\n   ```", "1. a\n\n     b"],
  ["an open fence", "```js\nlet a", "  let a"],
  ["where a link leads", "[a](https://a.example/)", "a (https://a.example/)"],
  [
    "an address once",
    "<https://a.example/> https://b.example",
    "https://a.example/ https://b.example",
  ],
  ["images as links", "![a](i.png)", "a (i.png)"],
  ["HTML as text", "<b>x</b><br>y", "<b>x</b>\ny"],
  ["sources, which nobody refers to", "a\n\n[1]: x", "a\n\n[1]: x"],
  ["names with their underscores", "src/__init__.py", "src/__init__.py"],
  ["tables in columns", "|a|b|\n|-|-:|\n|中文|12|", "a      b\n────  ──\n中文  12"],
  [
    "wide tables row by row",
    `|a|b|\n|-|-|\n|x|${"y ".repeat(20)}z|`,
    `x\nb: ${"y ".repeat(19).trimEnd()}\ny z`,
  ],
])("renderMarkdown() shows %s", (_, markdown, shown) => {
  expect(renderMarkdown(markdown, PLAIN)).toBe(shown);
});

/** Markdown, entities and what a terminal would obey, in any order. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...Array.from("*_`~#>|[]()!\\<>-+1.\n \t"),
        "\n\n",
        "```",
        "**",
        "&#27;[2J",
        "&#x9b;8m",
        "&#x202e;",
        "&#xfdd1;",
        "\x1b]0;t\x07",
        "\x1b[31m",
        "\u009b2J",
        "\ufde0",
        "](\x1b[2J)",
        "中文",
        "👨‍👩‍👧",
        "word",
      ),
      fc.string({ unit: anyCharacter, maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

test("renderMarkdown() shows a line break in code as a blank", () => {
  expect(renderMarkdown("`\n` and `a\nb`", PLAIN)).toBe("` ` and `a b`");
});

describe("renderMarkdown(), whoever wrote it", () => {
  test("has nothing that commands a terminal but our own looks, each of which ends", () => {
    fc.assert(
      fc.property(hostile, (markdown) => {
        const shown = renderMarkdown(markdown, COLOR);
        expect(shown.replaceAll(OWN, "")).not.toMatch(OBEYED);
        const count = (code: string) => shown.split(`\x1b[${code}m`).length;
        for (const [on, off] of [
          ["1", "22"],
          ["3", "23"],
          ["36", "39"],
        ] as const) {
          expect(count(on)).toBe(count(off));
        }
        expect(renderMarkdown(markdown, PLAIN)).not.toMatch(OBEYED);
      }),
      { numRuns: runs(400, 20_000) },
    );
  });

  test("has no line of words that is wider than the window, and loses none of them", () => {
    const word = fc.oneof(
      fc.string({ unit: fc.constantFrom("a", "b", "c", "ä", "ж"), minLength: 1, maxLength: 60 }),
      fc.constantFrom("中文没有空格的长句子", "👨‍👩‍👧", "**bold**", "`c`", "*i*"),
    );
    const line = fc
      .tuple(fc.constantFrom("", "- ", "  - ", "> ", "1. ", "# "), fc.array(word, { minLength: 1 }))
      .map(([sign, words]) => sign + words.join(" "));
    const document = fc.array(line, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(document, fc.integer({ min: 20, max: 100 }), (lines, width) => {
        const shown = renderMarkdown(lines.join("\n\n"), { width, color: false });
        const widths = shown.split("\n").map((each) => Bun.stringWidth(each));
        expect(Math.max(...widths)).toBeLessThanOrEqual(width);
        expect(shown.replaceAll(/[^\p{L}\p{So}]/gu, "").replaceAll("│", "")).toBe(
          lines.join("").replaceAll(/[^\p{L}\p{So}]/gu, ""),
        );
      }),
      { numRuns: runs(200, 10_000) },
    );
  });
});

const DOCUMENT = `# A heading **bold**

Some *italic* and **bold words** with \`code\` and a [link](https://example.org/a) that goes on 中文没有空格的长句子会不会断开呢，也许会。
- one item that is long enough to be wrapped below its own words
  - nested **with bold that is wrapped somewhere in the middle**
    1. deep
- [x] done

12 apples

> quote that is long enough to be wrapped and to keep its bar
> > inner

| a | b |
|---|--:|
| x **y** | 12345 |

\`\`\`ts
const x = "a line of code";

let y;
\`\`\`
---
2 * 3 * 4 _a_ snake_case &#27;[31m [1]: http://a
`;

function pour(markdown: string, pieces: readonly number[], surface = PLAIN): string {
  const stream = createMarkdownStream(() => surface);
  let shown = "";
  let at = 0;
  for (let turn = 0; at < markdown.length; turn++) {
    const size = pieces[turn % pieces.length] ?? 1;
    shown += stream.push(markdown.slice(at, at + size));
    at += size;
  }
  return shown + stream.end();
}

describe("createMarkdownStream()", () => {
  test.each([[[1]], [[4]], [[3, 1, 7]], [[50]], [[5000]]])(
    "pieces of %p give the same as the whole",
    (pieces) => {
      expect(pour(DOCUMENT, pieces)).toBe(renderMarkdown(DOCUMENT, PLAIN));
      const colored = renderMarkdown(DOCUMENT, COLOR);
      expect(Bun.stripANSI(pour(DOCUMENT, pieces, COLOR))).toBe(Bun.stripANSI(colored));
    },
  );

  test("shows a paragraph word by word, and what has no mark open", () => {
    const stream = createMarkdownStream(() => PLAIN);
    expect(stream.push("one two th")).toBe("one two");
    expect(stream.push("ree **bo")).toBe(" three");
    expect(stream.push("ld words** and")).toBe(" **bold words**");
    expect(stream.end()).toBe(" and");
  });

  test("does work in proportion to words that go on without a blank", () => {
    const stream = createMarkdownStream(() => PLAIN);
    const effort = measureEffort();
    stream.push("字".repeat(40_000));
    for (let piece = 0; piece < 5; piece++) stream.push(" b");
    expect(effort()).toBeLessThan(200); // 25; 900 where each place may be where the last word begins
  });

  test.each([
    ["a list", "- an item of **some** words\n".repeat(1000)],
    ["a paragraph", "words that `go` on and on ".repeat(1000)],
    ["code", `\`\`\`ts\n${"const value = 1;\n".repeat(1500)}\`\`\`\n`],
  ])("renders %s that goes on and on as often as it grows by a part", (_, markdown) => {
    let renders = 0;
    const stream = createMarkdownStream(() => {
      renders += 1;
      return PLAIN;
    });
    let shown = "";
    for (let at = 0; at < markdown.length; at += 4)
      shown += stream.push(markdown.slice(at, at + 4));
    shown += stream.end();
    expect(shown).toBe(renderMarkdown(markdown, PLAIN));
    // 512 of the first 2,048 characters, and then a thirty-second part each time.
    expect(renders).toBeLessThan(700);
  });

  test("does work in proportion to lines of nothing but signs", () => {
    const stream = createMarkdownStream(() => PLAIN);
    const effort = measureEffort();
    stream.push(`a b\n${"+\n".repeat(30_000)}c d e`);
    expect(effort()).toBeLessThan(80); // 5 to 20; 280 where each line may be where the last one begins
  });

  test("loses and repeats no letter, whatever it is cut into", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(hostile, sizes, (markdown, pieces) => {
        const letters = (text: string) => text.replaceAll(/[^\p{Script=Han}w]/gu, "");
        expect(letters(pour(markdown, pieces))).toBe(letters(renderMarkdown(markdown, PLAIN)));
      }),
      { numRuns: runs(300, 20_000) },
    );
  });
});
