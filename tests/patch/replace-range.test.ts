import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { replaceRange } from "../../src/patch/replace-range.ts";

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

  const rows = fc.array(
    fc.tuple(fc.stringMatching(/^[a-z ]{0,5}$/), fc.constantFrom("\n", "\r\n")),
    {
      minLength: 1,
      maxLength: 10,
    },
  );

  test("a range replaced by itself is the same text", () => {
    fc.assert(
      fc.property(rows, fc.nat(), fc.nat(), (all, from, length) => {
        const start = from % all.length;
        const end = Math.min(all.length, start + 1 + (length % all.length));
        const source = all.map((row) => row.join("")).join("");
        const content = all
          .slice(start, end)
          .map(([text]) => `${text}\n`)
          .join("");
        expect(textOf(source, start + 1, end, content)).toBe(source);
      }),
    );
  });

  test("what was inserted can be deleted again", () => {
    fc.assert(
      fc.property(rows, rows, fc.nat(), (all, added, at) => {
        const line = (at % (all.length + 1)) + 1;
        const source = all.map((row) => row.join("")).join("");
        const content = added.map(([text]) => `${text}\n`).join("");
        const inserted = textOf(source, line, line - 1, content);
        expect(textOf(inserted, line, line - 1 + added.length, "")).toBe(source);
      }),
    );
  });
});
