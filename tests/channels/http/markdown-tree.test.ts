import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type MarkdownNode, toBlocks } from "../../../src/channels/http/markdown-tree.ts";
import { createRenderedData } from "../../../src/channels/http/rendered-data.ts";
import { toData } from "../../../src/channels/http/to-data.ts";
import { toPrintableText } from "../../../src/core/visible-text.ts";
import { textsIn } from "../../../src/texts/texts.ts";

const wordsOf = (node: MarkdownNode): string =>
  typeof node === "string" ? node : node.of.map(wordsOf).join("");

const SAMPLES: readonly (readonly [string, readonly MarkdownNode[]])[] = [
  ["", []],
  ["a **b** `c`", [paragraph("a ", { kind: "strong", of: ["b"] }, " ", code("c"))]],
  ["## T", [{ kind: "heading", level: 2, of: ["T"] }]],
  ["```ts\na <b>\n```", [{ kind: "code", language: "ts", of: ["a <b>"] }]],
  ["2. a\n3. b", [{ kind: "ordered", start: 2, of: [item("a"), item("b")] }]],
  ["- [x] a", [{ kind: "list", of: [{ kind: "item", checked: true, of: ["a"] }] }]],
  ["> a", [{ kind: "quote", of: [paragraph("a")] }]],
  ["a<br>b", [paragraph("a\nb")]],
  ["[a](http://b.c)", [paragraph({ kind: "link", href: "http://b.c", of: ["a"] })]],
  ["![a](http://b.c/d.png)", [paragraph({ kind: "image", href: "http://b.c/d.png", of: ["a"] })]],
  [
    "| a |\n|:-:|\n| b |",
    [
      {
        kind: "table",
        of: [
          { kind: "row", of: [{ kind: "head", align: "center", of: ["a"] }] },
          { kind: "row", of: [{ kind: "cell", align: "center", of: ["b"] }] },
        ],
      },
    ],
  ],
];

function paragraph(...of: readonly MarkdownNode[]): MarkdownNode {
  return { kind: "paragraph", of };
}

function item(...of: readonly MarkdownNode[]): MarkdownNode {
  return { kind: "item", of };
}

function code(text: string): MarkdownNode {
  return { kind: "codespan", of: [text] };
}

test.each(SAMPLES)("toBlocks(%j) has its words where they belong", (markdown, blocks) => {
  expect(toBlocks(markdown)).toEqual(blocks);
});

test.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "&lt;b&gt; &#x202e;x",
  "a\u202eb\u0000c\ufdd00\ufdd1",
  "[x](javascript:alert(1))",
  "x".repeat(1_000_000),
  ">".repeat(5000),
  "[".repeat(5000),
])("toBlocks() has nothing hidden and no HTML in %.40p", (markdown) => {
  const words = toBlocks(markdown).map(wordsOf).join("\n");
  expect(words).toBe(toPrintableText(words));
  expect(words).not.toMatch(/[\ufdd0-\ufdef]/u);
});

const event = (text: string) => ({ kind: "content", text }) as const;

/** As programs read it. */
function toRendered(value: unknown) {
  const it = { chars: -1, from: -1, blocks: [], ...(typeof value === "object" ? value : {}) };
  const blocks: readonly unknown[] = it.blocks;
  return { chars: it.chars, from: it.from, blocks };
}

test("blocks that were sent piece by piece are those of the whole, whenever they were due", () => {
  const piece = fc.constantFrom(
    "a ",
    "**b",
    "** ",
    "\n",
    "\n\n",
    "- c",
    "```",
    "| d |",
    "|-|",
    "[e](http://f.g)",
    "1. ",
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, fc.nat(150)), { maxLength: 40 }), (pieces) => {
      let now = 0;
      const asIs = (each: Parameters<typeof toData>[0]) => toData(each, textsIn("en"));
      const render = createRenderedData(asIs, () => now);
      let blocks: readonly unknown[] = [];
      let chars = 0;
      const take = (documents: readonly Readonly<Record<string, unknown>>[]) => {
        for (const { rendered } of documents) {
          if (rendered === undefined) continue;
          const { from, blocks: changed, ...rest } = toRendered(rendered);
          blocks = [...blocks.slice(0, from), ...changed];
          chars = rest.chars;
        }
      };
      for (const [text, ms] of pieces) {
        now += ms;
        take(render(event(text)));
      }
      take(render({ kind: "done" }));
      const whole = pieces.map(([text]) => text).join("");
      expect(chars).toBe(whole.length);
      expect(blocks).toEqual([...toBlocks(whole)]);
    }),
  );
});

test("what is no answer of a model is marked as it is, and ends the answer before it", () => {
  const render = createRenderedData(
    (each) => toData(each, textsIn("en")),
    () => 0,
  );
  expect(render(event("a"))).toEqual([
    { content: "a" },
    { rendered: { chars: 1, from: 0, blocks: [paragraph("a")] } },
  ]);
  expect(render(event("b"))).toEqual([{ content: "b" }]);
  expect(render({ kind: "call_result", tool: "x", ok: true, text: "<b>" })).toEqual([
    { rendered: { chars: 2, from: 0, blocks: [paragraph("ab")] } },
    { content: expect.any(String), verbatim: true },
  ]);
});
