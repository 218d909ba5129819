import { describe, expect, test } from "bun:test";
import type { Edit } from "../../src/patch/edits/edit.ts";
import { applyEdits } from "../../src/patch/edits/edits.ts";
import { measureEffort } from "../support/effort.ts";
import { edit } from "./edits.ts";

describe("applyEdits() is bounded", () => {
  const same = "x\n".repeat(100_000);
  const long = `${"x\n".repeat(24_000)}y`;
  const worst: Record<string, readonly [string, Edit]> = {
    "an anchor on 100,000 equal lines": [same, edit("x", "x", "y")],
    "a long text that almost fits everywhere": [`head\n${same}`, edit("head", long, "z")],
    "an occurrence among them": [same, edit("x", long, "z", { occurrence: 3 })],
    "one long line": [
      "ab".repeat(300_000),
      edit("b", `${"ab".repeat(20_000)}ba`, "", { occurrence: 9 }),
    ],
    "a line of combining marks": [
      `head\na${"\u0301\u0316".repeat(40_000)}\n`,
      edit("head", `b${"\u0316\u0301".repeat(40_000)}`, "c"),
    ],
    "two long texts that differ throughout": [
      `head\n${same}`,
      edit("head", "a\n".repeat(20_000), "b\nc\n".repeat(10_000)),
    ],
  };
  for (const [name, [source, one]] of Object.entries(worst)) {
    test(name, () => {
      const effort = measureEffort();
      expect(applyEdits(source, [one]).ok).toBe(false);
      // Anything worse than linear takes minutes; this leaves room for a busy machine.
      expect(effort()).toBeLessThan(4000);
    });
  }

  test("a list of edits of a large file, as quoted or not, takes no new look at all of it", () => {
    const line = (i: number) => `  const value${i} = compute("${i}");\n`;
    const source = Array.from({ length: 60_000 }, (_, i) => line(i)).join("");
    const quoted = (i: number) => (i % 2 === 0 ? line(i) : line(i).replaceAll('"', "'"));
    const edits = Array.from({ length: 50 }, (_, k) => {
      const i = k * 1201;
      return edit(`value${i} =`, quoted(i), `  changed${k}();\n`);
    });
    const effort = measureEffort();
    const result = applyEdits(source, edits);
    expect(result.ok).toBe(true);
    // To index the file again for every edit takes ten times as long.
    expect(effort()).toBeLessThan(5000);
  });
});
