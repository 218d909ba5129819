import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { foldLine } from "../../src/patch/lines/fold-line.ts";
import { sketchLine } from "../../src/patch/lines/sketch-line.ts";

describe("sketchLine()", () => {
  test("is the same before and after a line is trimmed or folded", () => {
    const unit = fc.constantFrom("a", "B", "_", "=", `"`, "'", " ", "\t", "\f", "\0", "1");
    fc.assert(
      fc.property(fc.string({ unit }), (line) => {
        expect(sketchLine(line.trim())).toBe(sketchLine(line));
        expect(sketchLine(foldLine(line))).toBe(sketchLine(line));
      }),
    );
  });

  test("tells lines with other words from each other", () => {
    expect(sketchLine("const a = 1")).not.toBe(sketchLine("const a = 2"));
  });

  test("says nothing about lines that may have other Unicode forms", () => {
    expect(sketchLine("a \u2014 b")).toBeUndefined();
    expect(sketchLine("a\u00A0b")).toBeUndefined();
  });
});
