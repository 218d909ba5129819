import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { foldLine } from "../../src/patch/lines/fold-line.ts";
import { createLineIndex } from "../../src/patch/lines/line-index.ts";
import { runs } from "../support/long.ts";

function findNaively(lines: readonly string[], block: readonly string[]): number[] {
  const starts = [...lines.keys()].filter((at) => at + block.length <= lines.length);
  return starts.filter((at) => block.every((line, k) => lines[at + k] === line));
}

describe("createLineIndex()", () => {
  test("find() finds what looking everywhere finds, also where lines repeat", () => {
    const line = fc.constantFrom("a", "a", "b");
    const texts = fc.array(line, { minLength: 0, maxLength: 200, size: "max" });
    fc.assert(
      fc.property(texts, fc.array(line, { minLength: 1, maxLength: 6 }), (lines, block) => {
        const index = createLineIndex(lines, (text) => text);
        expect(index.find(block, 1000)).toEqual(findNaively(lines, block));
      }),
      { numRuns: runs(100, 500) },
    );
  });

  test("finds the same where only some lines are wanted, also for the others", () => {
    const line = fc.constantFrom("a", " a", "b", `"c"`, "'c'", "d", "é");
    const texts = fc.array(line, { minLength: 20, maxLength: 100, size: "max" });
    const block = fc.array(line, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(texts, block, block, (lines, wanted, other) => {
        const whole = createLineIndex(lines, foldLine);
        const index = createLineIndex(lines, foldLine, wanted);
        for (const asked of [wanted, other]) {
          expect(index.find(asked, 1000)).toEqual(whole.find(asked, 1000));
          for (const one of asked) expect(index.positions(one)).toEqual(whole.positions(one));
        }
      }),
    );
  });

  test("find() compares by key and stops at its limit", () => {
    const index = createLineIndex(Array(100).fill("  x "), (line) => line.trim());
    expect(index.find(["x"], 3)).toEqual([0, 1, 2]);
    expect(index.find(["y"], 3)).toEqual([]);
    expect(index.find([], 3)).toEqual([]);
    expect(index.positions("x")).toHaveLength(100);
    expect(index.positions("y")).toHaveLength(0);
  });
});
