import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findNamedFiles } from "../../../src/planner/context/choose-files.ts";
import { measureEffort } from "../../support/effort.ts";

const PATHS = [
  ".env.example",
  ".github/workflows/ci.yml",
  "README.md",
  "a b/c.txt",
  "app/(shop)/[slug]/page.tsx",
  "lib/index.ts",
  "packages/x/README.md",
  "src/index.ts",
  "src/progress.ts",
  "src/utils/progress.test.ts",
  "文档/说明.md",
];

describe("findNamedFiles()", () => {
  test.each([
    ["fix src/progress.ts", ["src/progress.ts"]],
    ["fix ./src/progress.ts, please", ["src/progress.ts"]],
    ["почини `src/progress.ts`: он падает", ["src/progress.ts"]],
    ["why does progress.ts:12:3 throw?", ["src/progress.ts"]],
    ['(see "src/progress.ts").', ["src/progress.ts"]],
    ["修复src/progress.ts中的错误", ["src/progress.ts"]],
    ["看看“文档/说明.md”。", ["文档/说明.md"]],
    ["route app/(shop)/[slug]/page.tsx is slow", ["app/(shop)/[slug]/page.tsx"]],
    ["copy .env.example", [".env.example"]],
    ["ci.yml is wrong.", [".github/workflows/ci.yml"]],
  ])("finds in %j %j", (goal, files) => {
    expect(findNamedFiles(goal, PATHS)).toEqual(files);
  });

  test("takes a base name for a file only when one file has it", () => {
    expect(findNamedFiles("index.ts", PATHS)).toEqual([]);
    expect(findNamedFiles("README.md", PATHS)).toEqual(["README.md"]);
    expect(findNamedFiles("packages/x/README.md", PATHS)).toEqual(["packages/x/README.md"]);
  });

  test("takes no part of a word for a file", () => {
    expect(findNamedFiles("progress and progress.tsx, README", PATHS)).toEqual([]);
  });

  test("puts paths before names and stops at a thousand", () => {
    const many = Array.from({ length: 1100 }, (_, i) => `d/f${i}.ts`);
    const goal = many.map((path) => path.slice(2)).join(" ");
    expect(findNamedFiles(`${goal} d/f15.ts`, many)[0]).toBe("d/f15.ts");
    expect(findNamedFiles(goal, many)).toHaveLength(1000);
  });

  test("finds any path that stands between blanks", () => {
    const path = fc
      .array(fc.stringMatching(/^[\w@()[\]{}#+-][\w.@()[\]{}#+-]{0,8}\w$/), {
        minLength: 1,
        maxLength: 4,
      })
      .map((segments) => segments.join("/"));
    fc.assert(
      fc.property(path, (each) => {
        expect(findNamedFiles(`fix ${each} now`, [each])).toEqual([each]);
      }),
    );
  });

  test("stays fast on a long goal and many files of one name", () => {
    const paths = Array.from({ length: 50_000 }, (_, i) => `d${i}/index.ts`);
    const hostile = `x${"(".repeat(20_000)}x ${"(((.,;".repeat(3000)}`;
    const effort = measureEffort();
    expect(findNamedFiles(`index.ts ${hostile}`, paths)).toEqual([]);
    expect(effort()).toBeLessThan(2000);
  });
});
