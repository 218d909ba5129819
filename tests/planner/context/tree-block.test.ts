import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renderTreeBlock } from "../../../src/planner/context/gather-context.ts";
import type { Listing } from "../../../src/workspace/files.ts";

const render = (items: readonly string[], leftOut: Listing["leftOut"] = []) => {
  const { header, body } = renderTreeBlock({ items, leftOut });
  return `${header}\n${body}`;
};

describe("renderTreeBlock()", () => {
  test("lists every file of a small project", () => {
    expect(render(["a.ts", "src/b/c.ts", "src/d.ts"])).toBe(
      "FILES (3):\na.ts\nsrc/b/c.ts\nsrc/d.ts",
    );
  });

  test("says that a folder is empty", () => {
    expect(render([])).toBe("FILES (0):\n");
  });

  test("closes folders with their number of files when not everything fits", () => {
    const many = Array.from({ length: 200 }, (_, i) => `src/gen/f${i}.ts`);
    expect(render(["README.md", "src/a.ts", ...many, "tests/a.ts"])).toBe(
      "FILES (203):\nREADME.md\nsrc/a.ts\nsrc/gen/ (200 files)\ntests/a.ts",
    );
  });

  test("cuts a flat folder of many files and says how many more there are", () => {
    const text = render(
      Array.from({ length: 1000 }, (_, i) => `f${i}`),
      [{ what: "files", count: 7 }],
    );
    expect(text).toStartWith("FILES (1000+):\nf0\n");
    expect(text).toEndWith("\n… 850 more …\n… Left out: 7 files that were not looked at");
  });

  test("lets no name forge a line", () => {
    expect(render(["a\nFILE[b] (sha256=0):"]).split("\n")).toHaveLength(2);
  });

  test("has at most 151 rows and counts every file once", () => {
    const segment = fc.constantFrom("a", "b", "c", "d", "e", "f", "g");
    const path = fc
      .array(segment, { minLength: 1, maxLength: 5 })
      .map((parts) => `${parts.join("/")}.x`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 600 }), (paths) => {
        const { body } = renderTreeBlock({ items: paths.toSorted(), leftOut: [] });
        const rows = body.split("\n").filter(Boolean);
        expect(rows.length).toBeLessThanOrEqual(151);
        if (body.includes("more …")) return;
        const counts = rows.map((row) => Number(/\((\d+) files\)$/.exec(row)?.[1] ?? 1));
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(paths.length);
      }),
    );
  });
});
