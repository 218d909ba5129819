import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { resolveChecks } from "../../src/workspace/checks/checks.ts";
import { measureEffort } from "../support/effort.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const CHARS = 256 * 1024;
const fill = (unit: string) => unit.repeat(Math.floor(CHARS / unit.length));
const numbered = (unit: (n: number) => string, count: number) =>
  Array.from({ length: count }, (_, n) => unit(n)).join("");

/** What a pattern may run over again and again. */
const FILLS: readonly (readonly [string, string])[] = [
  ["empty lines", fill("\n")],
  ["blanks", fill(" ")],
  ["blanks in a row of a list", `packages:\n  - ${fill(" ")}x"y\n`],
  ["signs of comments in a line that ends otherwise", `test: ${fill("#")}\u2028\n`],
  ["other signs of comments", `${fill("//")}\u2028\n`],
  ["places that begin something", fill("use (\n")],
  ["words with nothing behind them", `task${fill("\n")}`],
  ["words of a list", `- repo: local\n${fill("-\n")}`],
  ["one target again and again", fill("test: check\n")],
  [
    "many targets with much before each",
    `${numbered((n) => `a${n} `, 20_000)}: ${numbered((n) => `b${n} `, 20_000)}\n`,
  ],
];

const MANIFESTS: readonly string[] =
  `justfile Makefile package.json pnpm-workspace.yaml Taskfile.yml composer.json tox.ini noxfile.py
  .pre-commit-config.yaml Cargo.toml go.mod go.work pyproject.toml setup.cfg pytest.ini
  requirements.txt deno.jsonc Gemfile Rakefile CMakeLists.txt build.zig test_a.py`.split(/\s+/);

test.each(FILLS)("a manifest of %s takes time in proportion to its length", async (_, text) => {
  for (const name of MANIFESTS) {
    using dir = tempDir();
    using bin = tempDir();
    writeTree(bin.path, { "pre-commit": "#!/bin/sh\n" });
    chmodSync(join(bin.path, "pre-commit"), 0o755);
    // What has some rows looked at: the language of a pytest.ini, a repository, tests.
    writeTree(dir.path, { "setup.py": "", ".git/HEAD": "", "tests/test_a.py": "", [name]: text });
    const root = dir.path;
    const limits = { checkTimeoutMs: 1000, maxActions: 0, protectedPaths: [] };
    const effort = measureEffort();
    await resolveChecks(
      { name: "w", root, check: "detect", checkNetwork: true, ...limits },
      { env: { PATH: bin.path } },
    );
    expect([name, effort() < 300]).toEqual([name, true]);
  }
});
