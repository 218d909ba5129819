import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  createLineSplitter,
  MAX_LINE_CHARS,
  parseClientLine,
} from "../../../src/channels/socket/wire.ts";

describe("parseClientLine()", () => {
  test.each([
    '{"type":"hello","version":1}',
    '{"type":"message","session_id":"s","content":"hi"}',
    '{"type":"confirm_response","request_id":"r","approved":false}',
    '{"type":"cancel","session_id":"s"}',
    '{"type":"status"}',
  ])("reads %s", (line) => {
    expect(parseClientLine(line)).toMatchObject({ ok: true, line: JSON.parse(line) });
  });

  test.each([
    "",
    "null",
    "[]",
    "{}",
    '{"type":"message"}',
    '{"type":"hello","version":2}',
    '{"type":"x"}',
    "{",
  ])("answers %p with what is expected", (line) => {
    expect(parseClientLine(line).ok).toBe(false);
  });

  test("never throws", () => {
    fc.assert(fc.property(fc.string(), (line) => void parseClientLine(line)));
  });
});

describe("createLineSplitter()", () => {
  test("gives the same lines however the bytes are cut", () => {
    const text = "one\nzwei ü 中 🙂\n\nthree\n";
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (sizes) => {
        const lines: (string | undefined)[] = [];
        const push = createLineSplitter((line) => lines.push(line));
        const bytes = Buffer.from(text);
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(lines).toEqual(["one", "zwei ü 中 🙂", "three"]);
      }),
    );
  });

  test("skips a line over the limit, says so once, and goes on", () => {
    const lines: (string | undefined)[] = [];
    const push = createLineSplitter((line) => lines.push(line));
    const half = Buffer.alloc(MAX_LINE_CHARS / 2 + 1, "x");
    for (let i = 0; i < 5; i++) push(half);
    push(Buffer.from("\nnext\n"));
    expect(lines).toEqual([undefined, "next"]);
  });
});
