import { describe, expect, test } from "bun:test";
import { chooseFiles } from "../../../src/planner/context/choose-files.ts";

const PATHS = [
  "README.md",
  "go.mod",
  "package.json",
  "packages/a/package.json",
  "packages/a/src/deep/index.ts",
  "packages/a/tsconfig.json",
  "packages/b/package.json",
  "src/a.ts",
  "tsconfig.json",
];

function choose(goal: string): readonly string[] {
  return chooseFiles(goal, "/w", PATHS).map(({ path, priority }) => `${priority} ${path}`);
}

describe("chooseFiles()", () => {
  test("puts places of a trace first, then named files, then the manifests of the root", () => {
    expect(choose("README.md is wrong, src/a.ts:3:1 fails")).toEqual([
      "0 src/a.ts",
      "0 README.md",
      "2 package.json",
      "2 go.mod",
    ]);
  });

  test("shows 80 lines on both sides of each place, and a file that is named whole", () => {
    const [traced, named] = chooseFiles("src/a.ts:3 src/a.ts:500 README.md", "/w", PATHS);
    expect(traced?.ranges).toEqual([
      { startLine: 1, endLine: 83 },
      { startLine: 420, endLine: 580 },
    ]);
    expect(named?.ranges).toBeUndefined();
  });

  test.each([
    "ModuleNotFoundError: No module named 'requests'",
    "ImportError: cannot import name 'x'",
    "Error: Cannot find module 'left-pad'",
    "error TS2307: Cannot find module '@/x' or its corresponding type declarations",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x' imported from y",
    "error[E0432]: unresolved import `serde`",
    'main.go:3:2: cannot find package "github.com/x/y"',
    "no required module provides package github.com/x/y",
    "error: package org.apache.commons does not exist",
    'Failed to resolve import "./x" from "src/a.ts"',
    "Module not found: Error: Can't resolve 'x'",
  ])("puts the manifests before all when an import fails: %s", (goal) => {
    expect(choose(goal).slice(0, 3)).toEqual(["0 package.json", "0 go.mod", "0 tsconfig.json"]);
  });

  test("takes the manifests next to the file where an import fails first", () => {
    expect(choose("packages/a/src/deep/index.ts:1:1 Cannot find module 'x'")).toEqual([
      "0 packages/a/package.json",
      "0 packages/a/tsconfig.json",
      "0 package.json",
      "0 go.mod",
      "0 packages/a/src/deep/index.ts",
    ]);
  });

  test("gives other goals no such priority", () => {
    expect(choose("the import of users does not work")).toEqual(["2 package.json", "2 go.mod"]);
  });
});
