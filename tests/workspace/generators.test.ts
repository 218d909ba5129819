import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { resolveGenerators } from "../../src/workspace/checks/checks.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

type Files = Readonly<Record<string, string>>;

/** What is run for a change set, as `folder$ command`; an undefined text is a deleted file. */
async function found(
  files: Files,
  changed: Readonly<Record<string, string | undefined>>,
  rules: Partial<Workspace> = {},
): Promise<readonly string[]> {
  using dir = tempDir();
  writeTree(dir.path, files);
  const commands = await resolveGenerators(workspaceAt(dir.path, rules), toBytes(changed));
  return commands.map(({ folder, argv }) => `${folder}$ ${argv.join(" ")}`);
}

function workspaceAt(root: string, rules: Partial<Workspace> = {}): Workspace {
  const base = { name: "w", root, check: "none", checkTimeoutMs: 1000, maxActions: 0 } as const;
  return { ...base, protectedPaths: [], ...rules };
}

function toBytes(changed: Readonly<Record<string, string | undefined>>) {
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
  return new Map(Object.entries(changed).map(([path, text]) => [path, bytes(text)]));
}

const NPM = "npm install --package-lock-only --ignore-scripts";
const PNPM = "pnpm install --lockfile-only --ignore-scripts";
const YARN_1 = "yarn install --ignore-scripts --non-interactive";
const YARN = "yarn install --mode=update-lockfile";
const BUN = "bun install --lockfile-only --ignore-scripts";
const CARGO = "cargo update --workspace";
const LOCKED = { "package.json": "{}", "package-lock.json": "{}" };

describe("resolveGenerators() of a project", () => {
  const rows: readonly (readonly [
    title: string,
    files: Files,
    changed: Readonly<Record<string, string | undefined>>,
    commands: readonly string[],
  ])[] = [
    ["npm", LOCKED, { "package.json": "{}" }, [`$ ${NPM}`]],
    ["npm-shrinkwrap", { "npm-shrinkwrap.json": "" }, { "package.json": "{}" }, [`$ ${NPM}`]],
    ["pnpm", { "pnpm-lock.yaml": "" }, { "package.json": "{}" }, [`$ ${PNPM}`]],
    [
      "pnpm's catalog",
      { "package.json": "{}", "pnpm-lock.yaml": "" },
      { "pnpm-workspace.yaml": "" },
      [`$ ${PNPM}`],
    ],
    ["yarn 1", { "yarn.lock": "" }, { "package.json": "{}" }, [`$ ${YARN_1}`]],
    [
      "yarn by its settings",
      { "yarn.lock": "", ".yarnrc.yml": "" },
      { "package.json": "{}" },
      [`$ ${YARN}`],
    ],
    [
      "yarn by the manifest",
      { "yarn.lock": "" },
      { "package.json": '{"packageManager":"yarn@4.1.0"}' },
      [`$ ${YARN}`],
    ],
    [
      "yarn 1 by the manifest",
      { "yarn.lock": "" },
      { "package.json": '{"packageManager":"yarn@1.22.0"}' },
      [`$ ${YARN_1}`],
    ],
    ["bun", { "bun.lock": "" }, { "package.json": "{}" }, [`$ ${BUN}`]],
    ["bun's old lock file", { "bun.lockb": "" }, { "package.json": "{}" }, [`$ ${BUN}`]],
    ["cargo", { "Cargo.lock": "" }, { "Cargo.toml": "" }, [`$ ${CARGO}`]],
    [
      "a crate of a workspace",
      { "Cargo.toml": "", "Cargo.lock": "" },
      { "crates/a/Cargo.toml": "" },
      [`$ ${CARGO}`],
    ],
    ["go", { "go.sum": "" }, { "go.mod": "module a\n" }, ["$ go mod tidy"]],
    [
      "go's first module",
      {},
      { "go.mod": "module a\n\nrequire b.c/d v1.0.0\n" },
      ["$ go mod tidy"],
    ],
    ["go without modules", {}, { "go.mod": "module a\n" }, []],
    [
      "go in a folder",
      { "go.mod": "", "go.sum": "" },
      { "b/go.mod": "require (\n\tb.c/d v1\n)" },
      ["b$ go mod tidy"],
    ],
    ["uv", { "uv.lock": "" }, { "pyproject.toml": "" }, ["$ uv lock"]],
    ["poetry", { "poetry.lock": "" }, { "pyproject.toml": "" }, ["$ poetry lock --no-interaction"]],
    ["bundler", { "Gemfile.lock": "" }, { Gemfile: "" }, ["$ bundle lock"]],
    ["a gem", { "Gemfile.lock": "", Gemfile: "" }, { "a.gemspec": "" }, ["$ bundle lock"]],
    [
      "composer",
      { "composer.lock": "{}" },
      { "composer.json": "{}" },
      [
        "$ composer update --no-install --no-scripts --no-plugins --no-interaction --minimal-changes",
      ],
    ],
    ["a package of a monorepo", LOCKED, { "packages/a/package.json": "{}" }, [`$ ${NPM}`]],
    [
      "a package with a lock file of its own",
      { ...LOCKED, "a/pnpm-lock.yaml": "" },
      { "a/package.json": "{}", "a/src/b.ts": "" },
      [`a$ ${PNPM}`],
    ],
    [
      "several at once, each once",
      { ...LOCKED, "rs/Cargo.lock": "" },
      { "package.json": "{}", "p/package.json": "{}", "rs/Cargo.toml": "", "rs/a/Cargo.toml": "" },
      [`$ ${NPM}`, `rs$ ${CARGO}`],
    ],
    [
      "two lock files, of which the manifest names one",
      { ...LOCKED, "yarn.lock": "" },
      { "package.json": '{"packageManager":"npm@11.0.0"}' },
      [`$ ${NPM}`],
    ],
    [
      "two lock files, of which nobody says which",
      { ...LOCKED, "yarn.lock": "" },
      { "package.json": "{}" },
      [`$ ${YARN_1}`],
    ],
    [
      "a manager whose lock file is not there",
      LOCKED,
      { "package.json": '{"packageManager":"pnpm@9.0.0"}' },
      [],
    ],
    ["no lock file", { "package.json": "{}" }, { "package.json": "{}", "Cargo.toml": "" }, []],
    ["no manifest", LOCKED, { "src/package.json.ts": "", "a.ts": "" }, []],
    ["a manifest that is deleted", LOCKED, { "package.json": undefined }, []],
    [
      "a package that is deleted",
      { ...LOCKED, "a/package.json": "{}" },
      { "a/package.json": undefined },
      [`$ ${NPM}`],
    ],
    ["a manifest that is none", LOCKED, { "package.json": "\0{" }, [`$ ${NPM}`]],
    [
      "names with the signs of globs",
      { "a[b]/package-lock.json": "{}" },
      { "a[b]/package.json": "{}" },
      [`a[b]$ ${NPM}`],
    ],
  ];
  test.each(rows)("%s", async (_, files, changed, commands) => {
    expect(await found(files, changed)).toEqual(commands);
  });

  test("names only the lock file of its own folder and tool", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "a[b]/package-lock.json": "{}" });
    const changed = toBytes({ "a[b]/package.json": "{}" });
    const [command] = await resolveGenerators(workspaceAt(dir.path), changed);
    const fits = (path: string) => command?.locks.some((glob) => new Bun.Glob(glob).match(path));
    const paths = ["a[b]/package-lock.json", "ab/package-lock.json", "package-lock.json"];
    expect(paths.map(fits)).toEqual([true, false, false]);
    expect(fits("a[b]/yarn.lock")).toBe(false);
  });

  test("takes no lock file that a link or a folder is, nor one behind a link", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "real/package-lock.json": "{}" });
    symlinkSync("real/package-lock.json", join(dir.path, "package-lock.json"));
    mkdirSync(join(dir.path, "yarn.lock"));
    symlinkSync("real", join(dir.path, "linked"));
    const changed = toBytes({ "package.json": "{}", "linked/package.json": "{}" });
    expect(await resolveGenerators(workspaceAt(dir.path), changed)).toEqual([]);
  });

  test("finds every project that changes, however many and in however many folders", async () => {
    const folders = Array.from({ length: 30 }, (_, index) => `p${index}`);
    const files = Object.fromEntries(folders.map((each) => [`${each}/Cargo.lock`, ""]));
    const changed = Object.fromEntries(folders.map((each) => [`${each}/Cargo.toml`, ""]));
    expect(await found(files, changed)).toHaveLength(30);
    const deep = Object.fromEntries(
      folders.map((each) => [`${"d/".repeat(9)}${each}/x/Cargo.toml`, ""]),
    );
    const locks = Object.fromEntries(
      Object.keys(deep).map((each) => [each.replace("toml", "lock"), ""]),
    );
    expect(await found({ ...files, ...locks }, { ...changed, ...deep })).toHaveLength(60);
  });
});

describe("resolveGenerators() with commands of the owner's", () => {
  test("runs them for any manifest and for nothing else", async () => {
    const rules = {
      generate: [
        ["make", "lock"],
        ["npm", "i"],
      ],
    };
    expect(await found({}, { "a/Cargo.toml": "" }, rules)).toEqual(["$ make lock", "$ npm i"]);
    expect(await found({}, { "a/cargo.md": "" }, rules)).toEqual([]);
    expect(await found(LOCKED, { "package.json": "{}" }, { generate: "none" })).toEqual([]);
  });

  test("knows the lock files of a tool by its name, and of others those of what changed", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path, { generate: [["/usr/bin/npm", "i"], ["make"]] });
    const commands = await resolveGenerators(workspace, toBytes({ "go.mod": "" }));
    expect(commands.map(({ locks }) => locks)).toEqual([
      ["**/package-lock.json", "**/npm-shrinkwrap.json"],
      ["**/go.sum", "**/go.work.sum"],
    ]);
  });
});

describe("what a command would run of what a change set changes", () => {
  type Row = readonly [
    argv: readonly string[] | undefined,
    files: Files,
    changed: Files,
    programs: readonly string[],
  ];
  const PY = { "uv.lock": "" };
  const rows: readonly Row[] = [
    [undefined, LOCKED, { "package.json": "{}", "a.js": "" }, []],
    [
      undefined,
      { "pnpm-lock.yaml": "" },
      { "package.json": "{}", ".pnpmfile.cjs": "" },
      [".pnpmfile.cjs"],
    ],
    [undefined, { "yarn.lock": "" }, { "package.json": "{}", ".yarnrc.yml": "" }, [".yarnrc.yml"]],
    [
      undefined,
      { "yarn.lock": "" },
      { "package.json": "{}", ".yarn/releases/y.cjs": "" },
      [".yarn/releases/y.cjs"],
    ],
    [undefined, { "Cargo.lock": "" }, { "Cargo.toml": "", "src/main.rs": "" }, []],
    [
      undefined,
      { "Cargo.lock": "" },
      { "Cargo.toml": "", ".cargo/config.toml": "" },
      [".cargo/config.toml"],
    ],
    [
      undefined,
      { "Cargo.lock": "", "Cargo.toml": "" },
      { "a/Cargo.toml": "", "rust-toolchain": "" },
      ["rust-toolchain"],
    ],
    [undefined, { "go.sum": "" }, { "go.mod": "module a", "main.go": "" }, []],
    [undefined, PY, { "pyproject.toml": "[project]", "a.py": "" }, []],
    [undefined, PY, { "pyproject.toml": "[project]", "setup.py": "" }, ["setup.py"]],
    [
      undefined,
      PY,
      { "pyproject.toml": '[build-system]\nbackend-path = ["."]' },
      ["pyproject.toml"],
    ],
    [undefined, { "Gemfile.lock": "" }, { Gemfile: "" }, ["Gemfile"]],
    [undefined, { "composer.lock": "" }, { "composer.json": "{}" }, []],
    [["npm", "install", "--ignore-scripts"], {}, { "package.json": "{}" }, []],
    [["npm", "install"], {}, { "package.json": "{}" }, ["package.json"]],
    [["npm", "run", "lock", "--ignore-scripts"], {}, { "package.json": "{}" }, ["package.json"]],
    [["uv", "lock", "--upgrade"], {}, { "pyproject.toml": "" }, []],
    [
      ["uv", "run", "lock.py"],
      {},
      { "pyproject.toml": "", "lock.py": "" },
      ["pyproject.toml", "lock.py"],
    ],
    [["make", "lock"], {}, { "Cargo.toml": "", Makefile: "" }, ["Makefile"]],
    [["sh", "./ci/lock.sh"], {}, { "Cargo.toml": "", "ci/lock.sh": "" }, ["ci/lock.sh"]],
    [["bundle", "lock"], {}, { "a.gemspec": "" }, ["a.gemspec"]],
    // Nobody knows what these start, and each of the files is a program for some tool.
    [["sh", "lock.sh"], {}, { Gemfile: "", "Cargo.toml": "" }, ["Gemfile"]],
    [["sh", "lock.sh"], {}, { "x.gemspec": "" }, ["x.gemspec"]],
    [["mise", "exec"], {}, { "pnpm-workspace.yaml": "" }, ["pnpm-workspace.yaml"]],
    [["sh", "lock.sh"], {}, { "composer.json": "{}" }, ["composer.json"]],
  ];
  test.each(rows)("%j of %j with %j: %j", async (argv, files, changed, programs) => {
    using dir = tempDir();
    writeTree(dir.path, files);
    const workspace = workspaceAt(dir.path, argv && { generate: [argv] });
    const [command] = await resolveGenerators(workspace, toBytes(changed));
    expect(command?.programs).toEqual(programs);
  });
});
