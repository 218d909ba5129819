import { describe, expect, test } from "bun:test";
import { resolveChecks } from "../../src/workspace/checks.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

async function checksOf(files: Record<string, string>, check: Workspace["check"] = "detect") {
  using dir = tempDir();
  writeTree(dir.path, files);
  const limits = { checkTimeoutMs: 1000, maxActions: 0, protectedPaths: [] };
  const checks = await resolveChecks({ name: "w", root: dir.path, check, ...limits });
  return checks.map(({ name, argv }) => [name, argv.join(" ")]);
}

describe("resolveChecks()", () => {
  test("has none for none and for a plain folder", async () => {
    expect(await checksOf({ "go.mod": "module x" }, "none")).toEqual([]);
    expect(await checksOf({ "notes.md": "" })).toEqual([]);
  });

  test("takes configured commands as they are, named by themselves", async () => {
    const check = [
      ["make", "check"],
      ["./it", "a b"],
    ];
    expect(await checksOf({}, check)).toEqual([
      ["make check", "make check"],
      ["./it a b", "./it a b"],
    ]);
  });

  test("runs the scripts a node manifest has in the order verify, build, test", async () => {
    const all = { test: "vitest", lint: "eslint", build: "tsc -b", typecheck: "tsc" };
    const manifest = JSON.stringify({ scripts: all });
    expect(await checksOf({ "package.json": manifest, "bun.lock": "" })).toEqual([
      ["verify", "bun run typecheck"],
      ["build", "bun run build"],
      ["test", "bun run test"],
    ]);
    expect(
      await checksOf({ "package.json": JSON.stringify({ scripts: { test: "jest" } }) }),
    ).toEqual([["test", "npm run test"]]);
  });

  const scripts = { test: "t" };
  const managers: readonly (readonly [string, object, Record<string, string>])[] = [
    ["npm", { scripts }, {}],
    ["npm", { scripts }, { "package-lock.json": "" }],
    ["bun", { scripts }, { "bun.lock": "" }],
    ["bun", { scripts }, { "bun.lockb": "" }],
    ["bun", { scripts }, { "bunfig.toml": "" }],
    ["pnpm", { scripts }, { "pnpm-lock.yaml": "" }],
    ["yarn", { scripts }, { "yarn.lock": "" }],
    ["yarn", { scripts, packageManager: "yarn@4.1.0" }, { "package-lock.json": "" }],
    ["pnpm", { scripts, packageManager: "pnpm@9.0.0+sha512.ab" }, {}],
    ["npm", { scripts, packageManager: "sh -c evil" }, {}],
    ["npm", { scripts, packageManager: 3 }, {}],
  ];
  test.each([...managers])(
    "runs scripts with %s for %p and %p",
    async (manager, manifest, files) => {
      const all = { "package.json": JSON.stringify(manifest), ...files };
      expect(await checksOf(all)).toEqual([["test", `${manager} run test`]]);
    },
  );

  const nothing: readonly (readonly [string, Record<string, string>])[] = [
    ["no JSON", { "package.json": "{" }],
    ["no object", { "package.json": "[]" }],
    ["no scripts", { "package.json": "{}" }],
    ["scripts that are no texts", { "package.json": '{"scripts":{"test":["a"],"build":3}}' }],
    ["other scripts", { "package.json": '{"scripts":{"lint":"a","start":"b","pretest":"c"}}' }],
    ["an empty file", { "package.json": "" }],
  ];
  test.each([...nothing])("has none for a package.json with %s", async (_, files) => {
    expect(await checksOf(files)).toEqual([]);
  });

  test.each(["typecheck", "type-check", "check-types"])(
    "verifies by the script %s",
    async (name) => {
      const manifest = { scripts: { [name]: "tsc" } };
      expect(await checksOf({ "package.json": JSON.stringify(manifest) })).toEqual([
        ["verify", `npm run ${name}`],
      ]);
    },
  );

  test("goes by package.json first, then Cargo.toml, python, go.mod", async () => {
    const go = { "go.mod": "module x" };
    const python = { ...go, "setup.py": "" };
    const rust = { ...python, "Cargo.toml": "" };
    const node = { ...rust, "package.json": JSON.stringify({ scripts }) };
    const firstOf = async (files: Record<string, string>) => (await checksOf(files))[0]?.[1];
    expect(await firstOf(go)).toStartWith("go ");
    expect(await firstOf(python)).toStartWith("python3 ");
    expect(await firstOf(rust)).toStartWith("cargo ");
    expect(await firstOf(node)).toStartWith("npm ");
  });

  test("skips the test script that npm init writes", async () => {
    const manifest = { scripts: { test: 'echo "Error: no test specified" && exit 1' } };
    expect(await checksOf({ "package.json": JSON.stringify(manifest) })).toEqual([]);
  });

  test("checks rust and go with their own tools", async () => {
    expect(await checksOf({ "Cargo.toml": "" })).toEqual([
      ["verify", "cargo check"],
      ["test", "cargo test --no-run"],
    ]);
    expect(await checksOf({ "go.mod": "module x" })).toEqual([
      ["verify", "go vet ./..."],
      ["build", "go build ./..."],
    ]);
  });

  test("compiles python roots and modules, never a virtual environment or an odd name", async () => {
    const files = {
      "setup.py": "",
      "main.py": "",
      "-x.py": "",
      "snake/__init__.py": "",
      "venv/lib/x.py": "",
      "tests/t.py": "",
    };
    expect(await checksOf(files)).toEqual([
      ["verify", "python3 -m compileall -q snake tests main.py setup.py"],
    ]);
    expect(await checksOf({ "requirements.txt": "" })).toEqual([]);
  });

  test("runs pytest only where it is configured", async () => {
    const pyproject = '[project]\nname = "x"\n[tool.pytest.ini_options]\nminversion = "8"\n';
    expect(await checksOf({ "pyproject.toml": pyproject })).toEqual([
      ["test", "python3 -m pytest -q"],
    ]);
    expect(await checksOf({ "setup.py": "", "setup.cfg": "[tool:pytest]\n" })).toContainEqual([
      "test",
      "python3 -m pytest -q",
    ]);
  });
});
