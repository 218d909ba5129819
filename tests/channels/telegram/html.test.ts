import { expect, test } from "bun:test";
import { escapeUnlinked } from "../../../src/channels/telegram/message/rich-text.ts";
import { checkText } from "../../support/telegram-html.ts";

test.each([
  ["read_file a<b.ts", "<i>read_file a&lt;b.ts</i>"],
  ["read https://e.example/?d=1 now", "<i>read </i><code>https://e.example/?d=1</code><i> now</i>"],
  ["e.example/?d=1&2", "<code>e.example/?d=1&amp;2</code>"],
  ["a ftp://e.example/1", "<i>a </i><code>ftp://e.example/1</code>"],
])("escapeUnlinked(%j) has no address outside of code", (text, html) => {
  expect(escapeUnlinked(text, "i")).toBe(html);
  expect(checkText(html, true)).toBe("");
});
