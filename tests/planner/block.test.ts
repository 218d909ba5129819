import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cutMiddle, renderBlocks, renderFileBlock, toOneLine } from "../../src/planner/block.ts";

const file = { path: "a.ts", text: "one\r\ntwo\nthree\n", sha256: "f".repeat(64) };

describe("renderFileBlock()", () => {
  test("numbers lines and shows them without their line ends", () => {
    const block = renderFileBlock(file, 0);
    expect(renderBlocks([block])).toBe(
      `FILE[a.ts] (sha256=${"f".repeat(64)}):\n1|one\n2|two\n3|three`,
    );
  });

  test("shows a range with the numbers of the whole file, and where the file ends", () => {
    const body = (startLine: number, endLine?: number) =>
      renderFileBlock(file, 0, { startLine, ...(endLine !== undefined && { endLine }) }).body;
    expect(body(2, 99)).toBe("2|two\n3|three");
    expect(body(2)).toBe("2|two\n3|three");
    expect(body(1, 2)).toBe("1|one\n2|two\n… the file goes on to line 3 …");
    expect(body(7, 9)).toBe("… the file ends at line 3 …");
    expect(body(3, 2)).toBe("… the file goes on to line 3 …");
  });

  test("keeps an empty file, form feeds and U+2028 as they are", () => {
    expect(renderFileBlock({ ...file, text: "" }, 0).body).toBe("");
    expect(renderFileBlock({ ...file, text: "a\fb\u2028c" }, 0).body).toBe("1|a\fb\u2028c");
  });
});

describe("cutMiddle()", () => {
  test("keeps 60 % head and 40 % tail and counts what fell out", () => {
    const cut = cutMiddle("a".repeat(600) + "b".repeat(400), 200);
    const [head = "", note = "", tail = ""] = cut.split("\n");
    expect(note).toMatch(/^… \d+ characters left out …$/);
    expect(head.length / (head.length + tail.length)).toBeCloseTo(0.6, 1);
    expect(head.length + tail.length + Number(/\d+/.exec(note)?.[0])).toBe(1000);
  });

  test("never exceeds its limit and never splits a code point", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.integer({ min: 60, max: 300 }),
        (text, limit) => {
          const cut = cutMiddle(text, limit);
          expect(cut.length).toBeLessThanOrEqual(Math.max(limit, 60));
          expect(cut.isWellFormed()).toBe(text.isWellFormed());
        },
      ),
    );
  });
});

describe("toOneLine()", () => {
  test("leaves a name no way to begin a line of its own", () => {
    expect(toOneLine("a\nFILE[b]\r\u2028c d.ts")).toBe("a\uFFFDFILE[b]\uFFFD\uFFFDc d.ts");
  });
});
