import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { complete } from "../../src/providers/complete.ts";
import { createEventReader } from "../../src/providers/server-events.ts";
import { event, startModelServer } from "../support/model-server.ts";
import { localProvider } from "./local-provider.ts";

const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/gu, ""));
const sent = fc.record({
  kind: fc.option(fc.constantFrom("message", "ping", "error")),
  lines: fc.array(fc.oneof(line, fc.constantFrom("", " ", "é漢😀")), { maxLength: 3 }),
  comment: fc.option(line),
});

test("createEventReader() reads the same events whatever ends their lines and wherever they are cut", () => {
  fc.assert(
    fc.property(
      fc.array(sent, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.array(fc.nat()),
      (all, end, cuts) => {
        const stream = all
          .flatMap(({ kind, lines, comment }) => [
            ...(comment === null ? [] : [`:${comment}`, end]),
            ...(kind === null ? [] : [`event: ${kind}`, end]),
            ...lines.flatMap((each) => [`data: ${each}`, end]),
            end,
          ])
          .join("");
        const bytes = Buffer.from(stream);
        const at = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
        const pieces = [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length));
        const reader = createEventReader();
        const events = [...pieces.flatMap((each) => reader.take(each)), ...reader.end()];
        const said = all
          .map(({ kind, lines }) => ({ kind: kind ?? "", text: lines.join("\n") }))
          .filter(({ text }) => text.trim() !== "");
        expect(events).toEqual(said);
      },
    ),
  );
});

const TEXT = event({ delta: { content: "all of it" } });
const STOP = event({ delta: {}, finish_reason: "stop" });

/** What an answer of these pieces, each in a packet of its own, comes to. */
async function answerOf(chunks: readonly string[]) {
  await using server = startModelServer([{ kind: "raw", chunks }]);
  return await complete(localProvider(server.url), { messages: [{ role: "user", content: "hi" }] });
}

describe("createOpenAiProvider() reads on behind", () => {
  test.each<[string, string]>([
    ["an event without data", "data:\n\n"],
    ["an event with blank data", "data: \n\n"],
    ["an event with empty lines", "data:\ndata:\n\n"],
    ["a sign of life with a name", "event: ping\ndata: keep-alive\n\n"],
    ["a sign of life with a name and JSON", 'event: ping\ndata: {"type":"ping"}\n\n'],
    ["a name alone", "event: ping\n\n"],
  ])("%s", async (_, sign) => {
    const answer = await answerOf([sign, TEXT, sign, STOP + sign, "data: [DONE]\n\n"]);
    expect(answer).toMatchObject({ text: "all of it", reason: "stop" });
  });

  test.each(["data: [DONE] \n\n", "data:  [DONE]\n\n", "data:[DONE]\t\n\n"])(
    "an end with blanks around it: %j",
    async (end) => {
      expect(await answerOf([TEXT, end])).toMatchObject({ text: "all of it", reason: "stop" });
    },
  );

  test.each(["\r", "\r\n"])("lines that end in %j", async (end) => {
    const stream = (TEXT + STOP + "data: [DONE]\n\n").replaceAll("\n", end);
    for (const chunks of [[stream], stream.split("")]) {
      expect(await answerOf(chunks)).toMatchObject({ text: "all of it", reason: "stop" });
    }
  });

  test.each(["", "event: message\n", "event: error\n"])(
    "no piece that is to be a part of the answer and is none: %j",
    async (head) => {
      const answer = await answerOf([TEXT, `${head}data: keep-alive\n\n`, STOP]);
      expect(answer).toMatchObject({ text: "all of it", reason: "failed" });
    },
  );
});
