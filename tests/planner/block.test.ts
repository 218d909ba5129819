import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cutMiddle, renderBlocks, renderFileBlock } from "../../src/planner/block.ts";

const file = { path: "a.ts", text: "one\r\ntwo\nthree\n", sha256: "f".repeat(64) };

describe("renderFileBlock()", () => {
  test("numbers lines and shows them without their line ends", () => {
    const block = renderFileBlock(file, 0);
    expect(renderBlocks([block])).toBe(
      `FILE[a.ts] (sha256=${"f".repeat(64)}):\n1|one\n2|two\n3|three`,
    );
  });

  test("shows a range with the numbers of the whole file", () => {
    expect(renderFileBlock(file, 0, { startLine: 2, endLine: 99 }).body).toBe("2|two\n3|three");
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
