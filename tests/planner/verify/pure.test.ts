import { describe, expect, test } from "bun:test";
import { sha256 } from "../../../src/core/sha256.ts";
import { withKept } from "../../../src/planner/verify/keep.ts";
import { namedBy } from "../../../src/planner/verify/named-by-checks.ts";
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

const NONE = () => false;
const toWords = (text: string) => text.trim().split(/\s+/u);

describe("touchedChecks()", () => {
  const judges = toWords(`
    tests/a.ts pkg/__tests__/b.js src/sum.test.ts src/sum_test.go test_sum.py conftest.py
    vitest.config.ts tsconfig.build.json pyproject.toml Makefile Cargo.toml test.js test.ts
    app/tests.py src/tests.rs Tests/A.swift e2e/a.ts cypress/a.ts cypress.config.ts
    src/a.cy.ts features/a.rb src/SumTest.php src/SumSpec.groovy src/__mocks__/a.js
    src/a.snap golden/a test-x.js Package.swift build.zig src/A.csproj settings.gradle
    gradle.properties gradlew ci/rules.mk go.work Taskfile.dist.yml .justfile
    pnpm-workspace.yaml .pnpmfile.cjs .yarnrc.yml .npmrc turbo.json nx.json sitecustomize.py
    unittest.py pytest.py .flake8 .golangci.yml .config/nextest.toml .husky/pre-commit
    .github/workflows/ci.yml bunfig.toml`);
  const others = toWords(`
    src/sum.ts contest.py docs/testing.md latest/a.ts ci/check.sh src/avatar.ts
    docs/test-plan.md src/features/cart.ts src/attest.ts src/index.ts README.md src/nxt.ts
    src/spectrum.ts src/Latest.java src/protest.py src/golden.ts`);

  test.each(judges)("names %s", (path) => {
    expect(touchedChecks(set(create(path)), NONE)).toEqual([path]);
  });

  test.each(others)("does not name %s", (path) => {
    expect(touchedChecks(set(create(path)), NONE)).toEqual([]);
    expect(touchedChecks(set(create(path)), (each) => each === path)).toEqual([path]);
  });

  test("looks into a package.json: scripts decide, dependencies do not", () => {
    const [before, scripts] = ['{"scripts":{"test":"a"}}', '{"scripts":{"test":"true"}}'];
    const dependency = '{"scripts":{"test":"a"},"dependencies":{"x":"1"}}';
    const path = "package.json";
    expect(touchedChecks(set(update(path, before, scripts)), NONE)).toEqual([path]);
    expect(touchedChecks(set(update(path, before, dependency)), NONE)).toEqual([]);
    expect(touchedChecks(set(update(path, before, "{")), NONE)).toEqual([path]);
    expect(touchedChecks(set(remove(path)), NONE)).toEqual([path]);
  });
});

describe("namedBy()", () => {
  const scripts = [
    ["test", "npm run verify -- --all"],
    ["pretest", "node prepare.cjs"],
    ["verify", "cd ci && sh verify.sh; node ./tool/run"],
    ["start", "node server.js"],
    ["verify", "sh other/of-a-folder.sh"],
  ] as const;

  test.each([
    ["./ci/check.sh --all", ["ci/check.sh"], ["ci/check.sh.md", "ci/other.sh"]],
    ["node run.js", ["run.js"], ["rerun.js"]],
    ["python3 -m app.tests -v", ["app/tests.py", "app/tests/a.py"], ["app/main.py"]],
    ["python3 -m unittest", ["unittest.py", "unittest/__init__.py"], ["app/main.py"]],
    ["python3 -m app", ["app/__main__.py"], ["app/models.py"]],
    [
      "npm test",
      ["prepare.cjs", "ci/verify.sh", "tool/run.js", "other/of-a-folder.sh"],
      ["server.js", "ci/start.sh"],
    ],
    ["npm t", ["ci/verify.sh"], ["server.js"]],
    ["eslint src", [], ["src/a.ts", "lib/src"]],
    ["tool --config=conf/x.ini", ["conf/x.ini"], ["conf/y.ini"]],
  ] as const)("knows what %s runs", (line, named, others) => {
    const words = line.split(" ");
    for (const argv of [
      words,
      ["sh", "-c", line],
      ["sh", "-c", `true && (${line}) || "${line}"`],
    ]) {
      const isNamed = namedBy([{ name: "check", argv }], scripts);
      expect(named.filter((path) => !isNamed(path))).toEqual([]);
      expect(others.filter((path) => isNamed(path))).toEqual([]);
    }
  });

  test("follows scripts that run each other once", () => {
    const round = [
      ["a", "npm run b"],
      ["b", "npm run a; sh x.sh"],
    ] as const;
    expect(namedBy([{ name: "check", argv: ["npm", "run", "a"] }], round)("x.sh")).toBe(true);
  });
});
