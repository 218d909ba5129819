import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { replaceRange } from "../../src/patch/replace-range.ts";
import { runs } from "../support/long.ts";

const SOURCE = "a\nb\nc\n";

function textOf(source: string, startLine: number, endLine: number, content: string): string {
  const result = replaceRange(source, { startLine, endLine, content });
  if (!result.ok) throw new Error(result.message);
  return result.text;
}

describe("replaceRange()", () => {
  test("replaces, inserts and deletes", () => {
    expect(textOf(SOURCE, 2, 2, "B")).toBe("a\nB\nc\n");
    expect(textOf(SOURCE, 1, 3, "x\ny\n")).toBe("x\ny\n");
    expect(textOf(SOURCE, 2, 1, "new")).toBe("a\nnew\nb\nc\n");
    expect(textOf(SOURCE, 4, 3, "end\n")).toBe("a\nb\nc\nend\n");
    expect(textOf(SOURCE, 2, 3, "")).toBe("a\n");
    expect(textOf("", 1, 0, "first")).toBe("first\n");
  });

  test("keeps line ends, byte order mark and the state of the last line", () => {
    expect(textOf("\uFEFFa\r\nb\r\n", 1, 1, "x\ny")).toBe("\uFEFFx\r\ny\r\nb\r\n");
    expect(textOf("a\nb", 2, 2, "B\n")).toBe("a\nB");
    expect(textOf("a\r\nb", 3, 2, "c\n")).toBe("a\r\nb\r\nc");
    expect(textOf("a\nb\r", 2, 2, "c\r")).toBe("a\nc\r");
  });

  for (const [startLine, endLine] of [
    [0, 1],
    [1, 4],
    [5, 4],
    [3, 1],
    [1.5, 2],
    [1, Number.NaN],
  ] as const) {
    test(`refuses ${startLine}-${endLine} of three lines`, () => {
      const result = replaceRange(SOURCE, { startLine, endLine, content: "x" });
      expect(result).toMatchObject({ ok: false, code: "ERR_RANGE_OUT_OF_BOUNDS" });
      expect(result).not.toHaveProperty("text");
    });
  }

  const unit = fc.constantFrom("a", " ", "\t", "\r", "é", "😀", "\u2028", "\uFEFF");
  const part = fc.array(fc.oneof(unit, fc.constantFrom("\n", "\r\n")), { maxLength: 20 });
  const text = part.map((parts) => parts.join(""));
  const at = fc.nat(30);

  /** The pieces of a text that are its lines with their ends; the mark is apart. */
  function piecesOf(source: string): readonly string[] {
    return source.replace(/^\uFEFF/, "").match(/[^\n]*\n|[^\n]+$/g) ?? [];
  }

  test("a range replaced by itself is the same text", () => {
    fc.assert(
      fc.property(text, at, at, (source, from, to) => {
        const pieces = piecesOf(source);
        const [start, end] = [from % (pieces.length + 1), to % (pieces.length + 1)];
        fc.pre(start <= end && !pieces.slice(start, end)[0]?.startsWith("\uFEFF"));
        const own = pieces.slice(start, end).join("");
        expect(textOf(source, start + 1, end, own)).toBe(source);
      }),
      { numRuns: runs(200, 1000) },
    );
  });

  test("every byte outside of the range stays", () => {
    fc.assert(
      fc.property(text, text, at, at, (source, content, from, to) => {
        const pieces = piecesOf(source);
        const [start, end] = [from % (pieces.length + 1), to % (pieces.length + 1)];
        // At the end of the text the state of its last line decides.
        fc.pre(start <= end && end < pieces.length);
        const mark = source.startsWith("\uFEFF") ? "\uFEFF" : "";
        const result = textOf(source, start + 1, end, content);
        expect(result).toStartWith(mark + pieces.slice(0, start).join(""));
        expect(result).toEndWith(pieces.slice(end).join(""));
      }),
      { numRuns: runs(200, 1000) },
    );
  });

  test("all lines replaced give the new text, with the line ends of the old", () => {
    const plain = fc.array(fc.constantFrom("a", "é", "😀", "\n"), { maxLength: 20 });
    fc.assert(
      fc.property(plain, fc.nat(5), fc.constantFrom("\n", "\r\n"), (parts, count, end) => {
        const content = `${parts.join("")}\n`;
        const source = `x${end}`.repeat(count + 1);
        expect(textOf(source, 1, count + 1, content)).toBe(content.replaceAll("\n", end));
      }),
    );
  });

  test("what was inserted can be deleted again", () => {
    fc.assert(
      fc.property(text, text, at, (source, content, from) => {
        const pieces = piecesOf(source);
        const added = piecesOf(content).length;
        const line = (from % (pieces.length + 1)) + 1;
        // A last line without an end takes one from the text above it.
        fc.pre(pieces.length > 0 && source.endsWith("\n") && !content.startsWith("\uFEFF"));
        const inserted = textOf(source, line, line - 1, content);
        expect(textOf(inserted, line, line - 1 + added, "")).toBe(source);
      }),
    );
  });

  test("is refused for exactly the ranges that are not in the file", () => {
    const number = fc.oneof(fc.integer({ min: -2, max: 6 }), fc.double(), fc.maxSafeInteger());
    fc.assert(
      fc.property(number, number, (startLine, endLine) => {
        const result = replaceRange(SOURCE, { startLine, endLine, content: "x" });
        const inside = [1, 2, 3, 4].includes(startLine) && [0, 1, 2, 3].includes(endLine);
        expect(result.ok).toBe(inside && endLine >= startLine - 1);
      }),
      { numRuns: runs(400, 2000) },
    );
  });
});
