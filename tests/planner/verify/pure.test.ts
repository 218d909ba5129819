import { describe, expect, test } from "bun:test";
import { sha256 } from "../../../src/core/sha256.ts";
import { withKept } from "../../../src/planner/verify/keep.ts";
import { touchedChecks } from "../../../src/planner/verify/touched-checks.ts";
import type { Change, ChangeSet, FileState } from "../../../src/transaction/change.ts";
import { buildChangeSet } from "../../../src/transaction/change-set.ts";

const contents = new Map<string, Uint8Array>();

function state(text: string): FileState {
  const bytes = Buffer.from(text);
  contents.set(sha256(bytes), bytes);
  return { sha256: sha256(bytes), mode: 0o644, sizeBytes: bytes.length };
}

const create = (path: string, text = path): Change => ({
  kind: "create",
  path,
  after: state(text),
});
const update = (path: string, before: string, after: string): Change => ({
  kind: "update",
  path,
  before: state(before),
  after: state(after),
});
const remove = (path: string): Change => ({ kind: "delete", path, before: state(path) });
const set = (...changes: readonly Change[]): ChangeSet => buildChangeSet(changes, contents);
const effects = (...changes: readonly Change[]) => ({ changes, contents, isCut: false });
const anywhere = () => true;

describe("withKept()", () => {
  test("adds what fits, with its folders, and nothing else", () => {
    const found = effects(
      { kind: "mkdir", path: "src", mode: 0o755 },
      { kind: "mkdir", path: "src/__snapshots__", mode: 0o755 },
      { kind: "mkdir", path: "coverage-report", mode: 0o755 },
      create("src/__snapshots__/a.snap"),
      create("coverage-report/index.html"),
      update("package-lock.json", "{}", "{1}"),
      update("deep/package-lock.json", "{}", "{2}"),
      remove("old.snap"),
    );
    const globs = ["package-lock.json", "**/__snapshots__/**", "*.snap"];
    const { changeSet, kept, added } = withKept(set(create("a.ts")), found, globs, anywhere);
    expect(changeSet.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "mkdir src",
      "mkdir src/__snapshots__",
      "create a.ts",
      "create src/__snapshots__/a.snap",
      "update package-lock.json",
      "delete old.snap",
    ]);
    expect([...kept].toSorted()).toEqual([
      "old.snap",
      "package-lock.json",
      "src",
      "src/__snapshots__",
      "src/__snapshots__/a.snap",
    ]);
    expect(added?.changes).toHaveLength(5);
    expect(changeSet.id).not.toBe(set(create("a.ts")).id);
  });

  test("goes on from what the change set writes, and has no part in what comes back to it", () => {
    const base = set(update("a.gen", "1", "2"), create("b.gen", "x"));
    const found = effects(update("a.gen", "2", "3"), {
      ...remove("b.gen"),
      kind: "delete",
      before: state("x"),
    });
    const { changeSet } = withKept(base, found, ["*.gen"], anywhere);
    expect(changeSet.changes).toEqual([update("a.gen", "1", "3")]);
  });

  test("keeps nothing that may not be written, and nothing without a glob", () => {
    const base = set(create("a.ts"));
    const found = effects(create(".env"), create("ok.txt"));
    expect(withKept(base, found, [], anywhere)).toEqual({ changeSet: base, kept: new Set() });
    const { kept } = withKept(base, found, ["**", ".env"], (path) => path !== ".env");
    expect([...kept]).toEqual(["ok.txt"]);
  });

  test("keeps nothing that is too much, that was not read, or that one change set cannot say", () => {
    const base = set(remove("gen"));
    const large = effects(create("large.gen", "x".repeat(9 * 1024 * 1024)));
    expect(withKept(base, large, ["*.gen"], anywhere).changeSet).toBe(base);
    const unread = { ...effects(create("a.gen", "unread")), contents: new Map() };
    expect(
      withKept(buildChangeSet([create("a.ts")], new Map()), unread, ["*.gen"], anywhere).kept.size,
    ).toBe(0);
    const cut = { ...effects(create("a.gen")), isCut: true };
    expect(withKept(base, cut, ["*.gen"], anywhere).changeSet).toBe(base);
    const folder = effects({ kind: "mkdir", path: "gen", mode: 0o755 }, create("gen/a"));
    expect(withKept(base, folder, ["gen/**"], anywhere).changeSet).toBe(base);
  });
});

describe("touchedChecks()", () => {
  const commands = [
    { name: "test", argv: ["npm", "run", "test"] },
    { name: "own", argv: ["./ci/check.sh", "--all"] },
  ];
  const judges = [
    "tests/a.ts",
    "pkg/__tests__/b.js",
    "src/sum.test.ts",
    "src/sum_test.go",
    "test_sum.py",
    "conftest.py",
    "vitest.config.ts",
    "tsconfig.build.json",
    "pyproject.toml",
    "Makefile",
    "Cargo.toml",
    "ci/check.sh",
  ];
  const others = ["src/sum.ts", "contest.py", "docs/testing.md", "latest/a.ts", "ci/check.sh.md"];

  test("names what decides what the checks look at, and nothing else", () => {
    const changes = [...judges, ...others].map((path) => create(path));
    expect(touchedChecks(set(...changes), commands)).toEqual(judges.toSorted());
  });

  test("looks into a package.json: scripts decide, dependencies do not", () => {
    const [before, scripts] = ['{"scripts":{"test":"a"}}', '{"scripts":{"test":"true"}}'];
    const dependency = '{"scripts":{"test":"a"},"dependencies":{"x":"1"}}';
    const path = "package.json";
    expect(touchedChecks(set(update(path, before, scripts)), commands)).toEqual([path]);
    expect(touchedChecks(set(update(path, before, dependency)), commands)).toEqual([]);
    expect(touchedChecks(set(update(path, before, "{")), commands)).toEqual([path]);
    expect(touchedChecks(set(remove(path)), commands)).toEqual([path]);
  });
});
