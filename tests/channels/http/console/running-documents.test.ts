import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AgentEvent } from "../../../../src/channels/channel.ts";
import { toRunningDocuments } from "../../../../src/channels/http/console/chats/running-documents.ts";
import { toBlocks } from "../../../../src/channels/http/markdown-tree.ts";
import { beginTurn, takeDocument } from "../../../../src/console/pages/chat/turn.ts";
import { readBlocks } from "../../../../src/console/pages/chat/wire.ts";
import { toPrintableText, toVisibleText } from "../../../../src/core/visible-text.ts";
import { textsIn } from "../../../../src/texts/texts.ts";
import { EVENTS, EVIL, spoil } from "../../conformance/events.ts";

const TEXTS = textsIn("en");
/** What hides, what obeys, and what may stand in prose alone: an emoji of two. */
const HIDDEN = `\x1b[2J\u202e\u200b\u{e0041}\r\0${EVIL}`;
const FAMILY = "👩\u200d👧";
/** Where what joins letters may stay. */
const PROSE: ReadonlySet<string> = new Set(["content", "error", "rendered"]);
const KINDS = Object.values(EVENTS).map(({ event }) => event);

/** Every text in a document, names of fields too. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).concat(Object.values(value).flatMap(textsOf));
}

test.each(KINDS)("of what runs nothing of $kind is hidden from who looks on", (event) => {
  for (const isRendered of [false, true]) {
    const documents = toRunningDocuments([spoil(event, HIDDEN)], TEXTS, isRendered);
    for (const text of textsOf(documents)) expect(toPrintableText(text)).toBe(text);
    const exact = documents.flatMap((document) =>
      Object.entries(document).filter(([key]) => !PROSE.has(key)),
    );
    for (const text of textsOf(exact)) expect(toVisibleText(text)).toBe(text);
  }
});

test("names of arguments hide nothing either, and prose keeps what joins its letters", () => {
  const event = { ...EVENTS.call_approval.event, args: { "a\u202eb": [{ "c\u200b": FAMILY }] } };
  const [, asked] = toRunningDocuments([event], TEXTS, true);
  expect(asked).toMatchObject({
    approval: { args: { "a\\u{202e}b": [{ "c\\u{200b}": "👩\\u{200d}👧" }] } },
  });
  const [said] = toRunningDocuments([{ kind: "content", text: FAMILY }], TEXTS, true);
  expect(said).toEqual({ content: FAMILY });
});

test("whatever has come, a second window has every answer in blocks, to its last word", () => {
  const content = fc
    .constantFrom("a **b** ", "\n\n# c\n", "- d\n", "```\n", `${HIDDEN} `, FAMILY)
    .map((text): AgentEvent => ({ kind: "content", text }));
  const anything = fc.constantFrom(...KINDS.filter(({ kind }) => kind !== "done"));
  fc.assert(
    fc.property(fc.array(fc.oneof(content, anything), { maxLength: 12 }), (events) => {
      const documents = toRunningDocuments(events, TEXTS, true);
      const turn = documents.reduce<ReturnType<typeof beginTurn>>(
        takeDocument,
        beginTurn("key", "words"),
      );
      const prose = turn.pieces.filter((piece) => piece.kind === "prose");
      for (const { text, chars, blocks } of prose) {
        expect(chars).toBe(text.length);
        expect(blocks).toEqual(readBlocks([...toBlocks(text)]));
      }
      const said = events.flatMap((event) => (event.kind === "content" ? event.text : []));
      expect(prose.map(({ text }) => text).join("")).toBe(
        toPrintableText(said.join("\ufdd0")).replaceAll("\ufdd0", ""),
      );
    }),
  );
});
