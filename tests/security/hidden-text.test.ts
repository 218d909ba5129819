import { describe, expect, test } from "bun:test";
import { renderEvent } from "../../src/channels/render-event.ts";
import { type Message, toParts, toSends } from "../../src/channels/telegram/message/message.ts";
import { toFilters } from "../../src/cli/run-command-line.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { createLog } from "../../src/trace/log.ts";

const PLACE = { chatId: 1, threadId: undefined };

/** What turns text, joins or hides in it, or commands a terminal. */
const HIDDEN: Readonly<Record<string, string>> = {
  "an override": "\u202e",
  "an embedding": "\u202a",
  "an isolate": "\u2066",
  "the end of one": "\u2069",
  "a mark of direction": "\u200f",
  "a blank of no width": "\u200b",
  "a joiner": "\u2060",
  "a byte order mark": "\ufeff",
  "a soft hyphen": "\u00ad",
  "a tag": "\u{e0041}",
  "a filler": "\u3164",
  "a line separator": "\u2028",
  "an escape sequence": "\u001b[2J",
  "a C1 command": "\u009b2J",
  "a NUL": "\0",
  "a bell": "\u0007",
};

/** Where people read, besides Telegram. */
const EDGES: Readonly<Record<string, (text: string) => string>> = {
  "the log": (text) => {
    let line = "";
    createLog({ write: (each) => (line = each), redact: String, now: () => 0 })("NOTICE", { text });
    return line;
  },
  "what a command prints": (text) => toFilters(["preview", "plan_1"]).stdout?.(text) ?? text,
  "what it says of failures": (text) => toFilters(["status", "--json"]).stderr?.(text) ?? text,
  "an answer in a terminal": (text) => renderEvent({ kind: "content", text }, textsIn("en")).text,
};

describe.each(Object.entries(HIDDEN))("every edge that people read spells out %s", (_, hidden) => {
  const text = `a${hidden}b`;
  const buttons = [{ label: text, press: { act: "approve", ref: "ap_1" } }] as const;
  const file = { absolute: "/x", sha256: "", isPhoto: false, otherwise: "" };
  const messages: readonly Message[] = [
    { kind: "text", html: `<b>${text}</b>`, buttons },
    { kind: "document", filename: text, content: text, caption: text, buttons },
    { kind: "file", filename: "a.txt", caption: text, ...file, buttons: [] },
  ];

  test.each(Object.entries(EDGES))("in %s", (_edge, show) => {
    expect(show(text)).not.toContain(hidden);
    expect(show(text)).toMatch(/\\u(?:\{|[0-9a-f]{4})/);
  });

  test.each(messages)("in a message of kind $kind", (message) => {
    const sends = JSON.stringify(toSends(PLACE, message));
    expect(sends).not.toContain(hidden);
    expect(sends).not.toContain(JSON.stringify(hidden).slice(1, -1));
    expect(sends).toContain("\\\\u{");
  });
});

test("toParts() leaves what people write as it is", () => {
  const words = "Привет 你好\u3000 👩‍💻 ❤️ نمی‌خواهم\ttab\nline";
  expect(toParts(words)).toEqual([words]);
});
