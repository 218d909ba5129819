import { describe, expect, test } from "bun:test";
import { chmodSync, linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describeCheck, findObstacles, resolveChecks } from "../../src/workspace/checks/checks.ts";
import type { CheckCommand, Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const limits = { checkTimeoutMs: 1000, maxActions: 0, protectedPaths: [] };

interface Scene {
  readonly check?: Workspace["check"];
  readonly network?: boolean;
  /** Programs on PATH; all that the samples name unless said. */
  readonly programs?: readonly string[];
  /** Files that may be run. */
  readonly executables?: readonly string[];
  /** Where the workspace lies in the tree. */
  readonly at?: string;
  readonly changed?: readonly string[];
}

const PROGRAMS =
  "just make npm pnpm yarn bun task composer tox nox pre-commit deno cargo go python3 poetry mvn gradle dotnet bundle rspec rake phpunit mix cmake ctest swift zig".split(
    " ",
  );

async function inProject<T>(
  files: Record<string, string | Uint8Array>,
  scene: Scene,
  use: (workspace: Workspace, env: Record<string, string>) => Promise<T>,
): Promise<T> {
  using dir = tempDir();
  using bin = tempDir();
  writeTree(dir.path, files);
  for (const path of scene.executables ?? []) chmodSync(join(dir.path, path), 0o755);
  writeTree(bin.path, { program: "#!/bin/sh\n" });
  chmodSync(join(bin.path, "program"), 0o755);
  for (const name of scene.programs ?? PROGRAMS)
    linkSync(join(bin.path, "program"), join(bin.path, name));
  const root = join(dir.path, scene.at ?? "");
  const { check = "detect", network: checkNetwork = false } = scene;
  return await use({ name: "w", root, check, checkNetwork, ...limits }, { PATH: bin.path });
}

function detect(files: Record<string, string | Uint8Array>, scene: Scene = {}) {
  return inProject(files, scene, (workspace, env) =>
    resolveChecks(workspace, { env, ...(scene.changed && { changed: scene.changed }) }),
  );
}

async function checksOf(files: Record<string, string | Uint8Array>, scene: Scene = {}) {
  return (await detect(files, scene)).map(({ name, argv }) => [name, argv.join(" ")]);
}

const shown = (checks: readonly CheckCommand[]) =>
  checks.map((check) => `${check.name}: ${describeCheck(check)}`);

const NPM = (scripts: Record<string, string>, more: object = {}) =>
  JSON.stringify({ scripts, ...more });

type Row = readonly [
  title: string,
  files: Record<string, string | Uint8Array>,
  checks: readonly string[],
  scene?: Scene,
];

/** One small project for each way to say how it is checked. */
const SAMPLES: readonly Row[] = [
  [
    "justfile",
    { justfile: "set shell := ['sh']\ntest *args: build\n\tcargo test\nbuild:\n" },
    ["test: just test (justfile: test)"],
  ],
  [
    "justfile with both",
    { Justfile: "@check:\n\tx\ntest level='1':\n\ty\n" },
    ["verify: just check (Justfile: check)", "test: just test (Justfile: test)"],
  ],
  [
    "Makefile",
    { Makefile: ".PHONY: test\nall: x\ntest: all\n\techo\n" },
    ["test: make test (Makefile: test)"],
  ],
  [
    "Makefile whose check runs test",
    { Makefile: "lint test:\n\tx\ncheck: lint \\\n  test\n" },
    ["test: make check (Makefile: check)"],
  ],
  [
    "GNUmakefile before Makefile",
    { GNUmakefile: "check:\n", Makefile: "test:\n" },
    ["test: make check (GNUmakefile: check)"],
  ],
  [
    "package.json",
    { "package.json": NPM({ test: "t", lint: "l", build: "b", typecheck: "c" }), "bun.lock": "" },
    [
      "verify: bun run typecheck (package.json: typecheck)",
      "build: bun run build (package.json: build)",
      "test: bun run test (package.json: test)",
    ],
  ],
  [
    "package.json with check alone",
    { "package.json": NPM({ check: "c" }) },
    ["test: npm run check (package.json: check)"],
  ],
  [
    "Taskfile",
    {
      "Taskfile.yml":
        "version: '3'\nvars:\n  test: no\ntasks:\n  # all\n  'build':\n    cmds: [x]\n  test:\n    deps: [check]\n",
    },
    ["test: task test (Taskfile.yml: test)"],
  ],
  [
    "composer.json",
    { "composer.json": NPM({ test: "phpunit" }), "phpunit.xml": "" },
    ["test: composer run-script --no-interaction test (composer.json: test)"],
  ],
  ["tox", { "tox.ini": "[tox]\nenvlist = py\n" }, ["test: tox -q (tox.ini)"], { network: true }],
  ["nox", { "noxfile.py": "import nox\n" }, ["test: nox (noxfile.py)"], { network: true }],
  [
    "pre-commit's own hooks, then the language",
    {
      ".git/HEAD": "",
      ".pre-commit-config.yaml":
        "repos:\n  - repo: https://example.org/x\n    rev: v1\n    hooks:\n      - id: far\n  - repo: local\n    hooks:\n      - id: style\n        language: system\n        entry: x\n      - id: later\n        language: system\n        stages: [manual]\n      - id: fetched\n        language: python\n",
      "go.mod": "module x",
    },
    [
      "verify: pre-commit run style --all-files (.pre-commit-config.yaml: style)",
      "verify: go vet ./... (go.mod)",
      "test: go test ./... (go.mod)",
    ],
  ],
  [
    "Deno tasks",
    { "deno.jsonc": '{\n  // all\n  "tasks": { "test": "deno test -A" }\n}' },
    ["test: deno task test (deno.jsonc: test)"],
  ],
  [
    "Deno test files",
    { "deno.json": "{}", "main_test.ts": "" },
    ["test: deno test --cached-only (deno.json)"],
  ],
  [
    "Cargo.toml",
    { "Cargo.toml": '[package]\nname = "x"' },
    ["verify: cargo check (Cargo.toml)", "test: cargo test (Cargo.toml)"],
  ],
  [
    "Cargo workspace",
    { "Cargo.toml": '[workspace]\nmembers = ["a"]' },
    ["verify: cargo check --workspace (Cargo.toml)", "test: cargo test --workspace (Cargo.toml)"],
  ],
  [
    "pytest configured",
    { "pyproject.toml": '[project]\nname = "x"\n[tool.pytest.ini_options]\nminversion = "8"\n' },
    ["test: python3 -m pytest -q (pyproject.toml: [tool.pytest])"],
  ],
  [
    "pytest declared",
    {
      "pyproject.toml": '[dependency-groups]\ndev = ["pytest>=8", "ruff"]\n',
      "src/x/__init__.py": "",
      "tests/test_x.py": "def test_x(): pass\n",
    },
    [
      "verify: python3 -m compileall -q src tests (pyproject.toml)",
      "test: python3 -m pytest -q (pyproject.toml)",
    ],
  ],
  [
    "unittest",
    {
      "setup.py": "",
      "tests/__init__.py": "",
      "tests/test_x.py": "import unittest\n",
    },
    [
      "verify: python3 -m compileall -q tests setup.py (setup.py)",
      "test: python3 -m unittest discover -q -s tests -t . (tests/test_x.py: unittest)",
    ],
  ],
  [
    "environment of the project",
    { "pytest.ini": "[pytest]\n", "setup.py": "", ".venv/bin/python": "" },
    [
      "verify: .venv/bin/python -m compileall -q setup.py (setup.py)",
      "test: .venv/bin/python -m pytest -q (pytest.ini: [pytest])",
    ],
    { executables: [".venv/bin/python"] },
  ],
  [
    "poetry",
    { "pyproject.toml": "[tool.pytest.ini_options]\n", "poetry.lock": "" },
    ["test: poetry run python -m pytest -q (pyproject.toml: [tool.pytest])"],
  ],
  [
    "go.mod",
    { "go.mod": "module x" },
    ["verify: go vet ./... (go.mod)", "test: go test ./... (go.mod)"],
  ],
  [
    "go.work",
    { "go.work": "go 1.22\nuse (\n\t./a // one\n\t./b/c\n\t../out\n)\nuse ./d\n" },
    [
      "verify: go vet ./a/... ./b/c/... ./d/... (go.work)",
      "test: go test ./a/... ./b/c/... ./d/... (go.work)",
    ],
  ],
  [
    "go.work with more modules than a command takes",
    { "go.work": `use (\n${Array.from({ length: 60 }, (_, n) => `\t./m${n}\n`).join("")})\n` },
    ["verify: go vet", "test: go test"].map((start) => {
      const modules = Array.from({ length: 50 }, (_, n) => `./m${n}/...`);
      return `${start} ${modules.join(" ")} (go.work: the first 50 of 60 modules)`;
    }),
  ],
  ["Maven", { "pom.xml": "<project/>" }, ["test: mvn -q -B -o test (pom.xml)"]],
  [
    "Maven's wrapper, with a network",
    { "pom.xml": "<project/>", mvnw: "" },
    ["test: ./mvnw -q -B test (pom.xml)"],
    { executables: ["mvnw"], network: true },
  ],
  [
    "Maven's wrapper that may not be run",
    { "pom.xml": "<project/>", mvnw: "" },
    ["test: mvn -q -B -o test (pom.xml)"],
  ],
  [
    "Gradle",
    { "build.gradle.kts": "", "settings.gradle.kts": "", gradlew: "" },
    ["test: ./gradlew --no-daemon --console=plain -q --offline test (build.gradle.kts)"],
    { executables: ["gradlew"] },
  ],
  [".NET", { "App.sln": "", "App.csproj": "" }, ["test: dotnet test --nologo ./App.sln (App.sln)"]],
  [
    "RSpec",
    { Gemfile: 'gem "rspec"', "spec/a_spec.rb": "" },
    ["test: bundle exec rspec (Gemfile: rspec)"],
  ],
  [
    "Rake",
    { Rakefile: 'require "minitest/test_task"\nMinitest::TestTask.create # the default\n' },
    ["test: rake test (Rakefile: test)"],
  ],
  [
    "Rails",
    { Gemfile: "", "bin/rails": "", "test/a_test.rb": "" },
    ["test: bin/rails test (bin/rails)"],
    { executables: ["bin/rails"] },
  ],
  [
    "PHPUnit",
    { "phpunit.xml.dist": "", "vendor/bin/phpunit": "" },
    ["test: vendor/bin/phpunit --no-progress (phpunit.xml.dist)"],
  ],
  ["Elixir", { "mix.exs": "" }, ["test: mix test (mix.exs)"]],
  [
    "CMake",
    { "CMakeLists.txt": "project(x)\nenable_testing()\n" },
    [
      "verify: cmake -S . -B .papa-yu/cache/cmake (CMakeLists.txt)",
      "build: cmake --build .papa-yu/cache/cmake (CMakeLists.txt)",
      "test: ctest --test-dir .papa-yu/cache/cmake --output-on-failure (CMakeLists.txt)",
    ],
  ],
  [
    "CMake's own build folder",
    { "CMakeLists.txt": "project(x)\ninclude(CTest)\n", "build/CMakeCache.txt": "" },
    [
      "build: cmake --build build (CMakeLists.txt)",
      "test: ctest --test-dir build --output-on-failure (CMakeLists.txt)",
    ],
  ],
  [
    "CMake with tests that are off",
    {
      "CMakeLists.txt": "project(x)\nif(WITH_TESTS)\n  enable_testing()\nendif()\n",
      "out/CMakeCache.txt": "",
    },
    ["build: cmake --build out (CMakeLists.txt)"],
  ],
  [
    "Swift",
    { "Package.swift": "", "Tests/x.swift": "" },
    ["build: swift build (Package.swift)", "test: swift test (Package.swift)"],
  ],
  [
    "Zig",
    { "build.zig": 'const t = b.step("test", "Run");' },
    ["test: zig build test (build.zig: test)"],
  ],
  [
    "a build of one language and the tests of another",
    { "package.json": NPM({ build: "b" }), "go.mod": "module x" },
    [
      "build: npm run build (package.json: build)",
      "verify: go vet ./... (go.mod)",
      "test: go test ./... (go.mod)",
    ],
  ],
];

/** What must make no check, or none but the plain one. */
const HOSTILE: readonly Row[] = [
  ["a giant Makefile", { Makefile: `test:\n${"#".repeat(1024 * 1024)}` }, []],
  [
    "a giant Makefile in a Go module",
    { Makefile: `test:\n${"x: y\n".repeat(400_000)}`, "go.mod": "module x" },
    ["verify: go vet ./... (go.mod)", "test: go test ./... (go.mod)"],
  ],
  ["a Makefile of one long line", { Makefile: "a ".repeat(500_000) }, []],
  [
    "targets with shell characters",
    { Makefile: "test;rm: x\n$(shell rm): test\n`test`:\n--test:\n" },
    [],
  ],
  ["a Makefile that includes others", { Makefile: "include test.mk\n", "test.mk": "test:\n" }, []],
  [
    "assignments in place of targets",
    {
      Makefile:
        "test := x\ntest ::= x\ntest: CFLAGS = -g\ntest: override X += 1\ndefine D\ntest:\nendef\n\ttest: x\n",
    },
    [],
  ],
  [
    "a Makefile with CRLF",
    { Makefile: "all: x\r\ntest: all\r\n\techo\r\n" },
    ["test: make test (Makefile: test)"],
  ],
  [
    "a recipe that needs an argument",
    { justfile: "test name:\n\tx\ncheck +files:\n\ty\ntest2 := 'x'\n" },
    [],
  ],
  ["a binary package.json", { "package.json": new Uint8Array([0x7b, 0, 0xff, 0x7d]) }, []],
  ["a package.json without an end", { "package.json": "[".repeat(500_000) }, []],
  [
    "a Cargo.toml without an end",
    { "Cargo.toml": `a=${"[".repeat(100_000)}` },
    ["verify: cargo check (Cargo.toml)", "test: cargo test (Cargo.toml)"],
  ],
  ["scripts that are no texts", { "package.json": '{"scripts":{"test":["a"],"build":3}}' }, []],
  [
    "hooks with names that are options",
    {
      ".git/HEAD": "",
      ".pre-commit-config.yaml":
        "repos:\n- repo: local\n  hooks:\n  - id: --config=/tmp/x\n    language: system\n  - id: a b\n    language: system\n",
    },
    [],
  ],
  ["tox without a network", { "tox.ini": "[tox]\n" }, []],
  ["two projects of .NET", { "a.csproj": "", "b.csproj": "" }, []],
  [
    "a project of .NET that is named like an option",
    { "--logger:x.csproj": "" },
    ["test: dotnet test --nologo ./--logger:x.csproj (--logger:x.csproj)"],
  ],
  ["modules of go.work elsewhere", { "go.work": "use ../x\nuse /etc\nuse ./a/../../b\n" }, []],
  [
    "a preference that the project does not offer",
    {
      ".papa-yu/project.json": JSON.stringify({ "project.default_test_command": "true" }),
      "package.json": NPM({ test: "t" }),
    },
    ["test: npm run test (package.json: test)"],
  ],
];

describe("resolveChecks()", () => {
  test.each([...SAMPLES])("detects the checks of %s", async (_, files, checks, scene = {}) => {
    expect(shown(await detect(files, scene))).toEqual([...checks]);
  });

  test.each([...HOSTILE])("is not led by %s", async (_, files, checks, scene = {}) => {
    expect(shown(await detect(files, scene))).toEqual([...checks]);
  });

  test("has none for none and for a plain folder", async () => {
    expect(await checksOf({ "go.mod": "module x" }, { check: "none" })).toEqual([]);
    expect(await checksOf({ "notes.md": "" })).toEqual([]);
  });

  test("takes configured commands as they are, named by themselves", async () => {
    const check = [
      ["make", "check"],
      ["./it", "a b"],
    ];
    expect(await checksOf({ Makefile: "test:\n" }, { check, changed: ["a.go"] })).toEqual([
      ["make check", "make check"],
      ["./it a b", "./it a b"],
    ]);
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
    ["other scripts", { "package.json": '{"scripts":{"lint":"a","start":"b","pretest":"c"}}' }],
    ["the script of npm init", { "package.json": NPM({ test: "echo no test specified" }) }],
    ["an empty file", { "package.json": "" }],
  ];
  test.each([...nothing])("has none for a package.json with %s", async (_, files) => {
    expect(await checksOf(files)).toEqual([]);
  });

  test.each(["typecheck", "type-check", "check-types"])(
    "verifies by the script %s",
    async (name) => {
      expect(await checksOf({ "package.json": NPM({ [name]: "tsc" }) })).toEqual([
        ["verify", `npm run ${name}`],
      ]);
    },
  );

  test("believes a task file first, then package.json, Cargo.toml, python, go.mod", async () => {
    const go = { "go.mod": "module x" };
    const python = { ...go, "setup.py": "", "pytest.ini": "[pytest]" };
    const rust = { ...python, "Cargo.toml": "" };
    const node = { ...rust, "package.json": JSON.stringify({ scripts }) };
    const make = { ...node, Makefile: "test:\n" };
    const just = { ...make, justfile: "test:\n" };
    const programsOf = async (files: Record<string, string>) =>
      (await checksOf(files)).map(([, command = ""]) => command.split(" ")[0]);
    expect(await programsOf(go)).toEqual(["go", "go"]);
    expect(await programsOf(python)).toEqual(["python3", "python3"]);
    expect(await programsOf(rust)).toEqual(["cargo", "cargo"]);
    expect(await programsOf(node)).toEqual(["npm"]);
    expect(await programsOf(make)).toEqual(["make"]);
    expect(await programsOf(just)).toEqual(["just"]);
  });

  test("takes the preferred one of the tests that the project offers", async () => {
    const files = {
      Makefile: "test:\n",
      "package.json": NPM({ test: "t" }),
      "pytest.ini": "[pytest]",
    };
    const preferred = (command: string) => ({
      ...files,
      ".papa-yu/project.json": JSON.stringify({ "project.default_test_command": command }),
    });
    expect(await checksOf(preferred("npm test"))).toEqual([["test", "npm run test"]]);
    expect(await checksOf(preferred("pytest -q"))).toEqual([["test", "python3 -m pytest -q"]]);
    expect(await checksOf(preferred("make test; rm -rf x"))).toEqual([["test", "make test"]]);
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

  test("passes over what nobody here can run when something later tests, and says so", async () => {
    const files = { justfile: "test:\n", "go.mod": "module x" };
    const scene = { programs: ["go"] };
    expect(await checksOf(files, scene)).toEqual([
      ["verify", "go vet ./..."],
      ["test", "go test ./..."],
    ]);
    const said = await inProject(files, scene, async (workspace, env) =>
      findObstacles(workspace, await resolveChecks(workspace, { env }), env),
    );
    expect(said).toEqual(['justfile: test is not used: "just" is not on PATH']);
  });

  test("never follows a link out of the folder", async () => {
    using outside = tempDir();
    const files = { Makefile: "test:\n", "package.json": NPM({ test: "t" }), "pom.xml": "" };
    writeTree(outside.path, files);
    const found = await inProject({ "a.txt": "" }, {}, async (workspace, env) => {
      for (const name of Object.keys(files)) {
        symlinkSync(join(outside.path, name), join(workspace.root, name));
      }
      return resolveChecks(workspace, { env });
    });
    expect(found).toEqual([]);
  });
});

describe("resolveChecks() of a package in a monorepo", () => {
  const repository = (files: Record<string, string>) => ({ ".git/HEAD": "", ...files });

  const members: readonly Row[] = [
    [
      "npm workspaces",
      { "package.json": NPM({}, { workspaces: ["packages/*"] }), "package-lock.json": "" },
      ["test: npm run test (package.json: test)"],
    ],
    [
      "pnpm",
      { "pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n", "pnpm-lock.yaml": "" },
      ["test: pnpm run test (package.json: test)"],
    ],
    [
      "yarn",
      {
        "package.json": NPM({}, { workspaces: { packages: ["packages/**"] } }),
        "yarn.lock": "",
      },
      ["test: yarn run test (package.json: test)"],
    ],
    [
      "bun",
      { "package.json": NPM({}, { workspaces: ["./packages/*/"] }), "bun.lock": "" },
      ["test: bun run test (package.json: test)"],
    ],
  ];
  test.each([...members])("uses the lock file of %s", async (_, root, checks) => {
    const own = { "packages/a/package.json": NPM({ test: "t" }) };
    const files = { ".git/HEAD": "", ...root, ...own };
    expect(shown(await detect(files, { at: "packages/a" }))).toEqual([...checks]);
  });

  const yarn = { "package.json": NPM({}, { workspaces: ["packages/*"] }), "yarn.lock": "" };
  const inside = { "packages/a/package.json": NPM({ test: "t" }) };

  const strangers: readonly (readonly [string, Record<string, string>])[] = [
    ["is in no repository", { ...yarn, ...inside }],
    ["is a repository of its own", repository({ ...yarn, ...inside, "packages/a/.git/HEAD": "" })],
    [
      "is none of its packages",
      repository({ ...yarn, ...inside, "package.json": NPM({}, { workspaces: ["apps/*"] }) }),
    ],
    [
      "is taken out of its packages",
      repository({
        ...yarn,
        ...inside,
        "package.json": NPM({}, { workspaces: ["packages/*", "!packages/a"] }),
      }),
    ],
  ];
  test.each([...strangers])("knows no root when the folder %s", async (_, files) => {
    expect(await checksOf(files, { at: "packages/a" })).toEqual([["test", "npm run test"]]);
  });

  test("knows no root that others may write, or that is a link", async () => {
    const files = repository({ ...yarn, ...inside });
    const attempt = (change: (top: string) => void) =>
      inProject(files, { at: "packages/a" }, async (workspace, env) => {
        change(join(workspace.root, "../.."));
        return (await resolveChecks(workspace, { env })).map(({ argv }) => argv[0]);
      });
    expect(await attempt(() => {})).toEqual(["yarn"]);
    expect(await attempt((top) => chmodSync(top, 0o777))).toEqual(["npm"]);
    expect(await attempt((top) => chmodSync(join(top, "package.json"), 0o666))).toEqual(["npm"]);
    expect(await attempt((top) => chmodSync(join(top, "packages"), 0o777))).toEqual(["npm"]);
  });

  test("builds a member of a Cargo workspace where it may write", async () => {
    const files = repository({
      "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/out"]',
      "crates/a/Cargo.toml": '[package]\nname = "a"',
      "crates/out/Cargo.toml": '[package]\nname = "out"',
    });
    expect(await checksOf(files, { at: "crates/a" })).toEqual([
      ["verify", "cargo check --target-dir .papa-yu/cache/cargo"],
      ["test", "cargo test --target-dir .papa-yu/cache/cargo"],
    ]);
    expect(await checksOf(files, { at: "crates/out" })).toContainEqual(["test", "cargo test"]);
  });

  test("uses the environment of a uv workspace and the wrappers of parents", async () => {
    const uv = repository({
      "pyproject.toml": '[tool.uv.workspace]\nmembers = ["libs/*"]',
      ".venv/bin/python": "",
      "libs/a/pyproject.toml": "[tool.pytest.ini_options]\n",
    });
    const scene = { at: "libs/a", executables: [".venv/bin/python"] };
    expect(await checksOf(uv, scene)).toEqual([["test", "../../.venv/bin/python -m pytest -q"]]);
    const java = repository({
      "pom.xml": "",
      mvnw: "",
      "settings.gradle": "",
      gradlew: "",
      "m/pom.xml": "",
      "g/build.gradle": "",
    });
    const executables = ["mvnw", "gradlew"];
    expect(await checksOf(java, { at: "m", executables })).toEqual([
      ["test", "../mvnw -q -B -o test"],
    ]);
    expect(await checksOf(java, { at: "g", executables })).toEqual([
      [
        "test",
        "../gradlew --no-daemon --console=plain -q --project-cache-dir .papa-yu/cache/gradle --offline test",
      ],
    ]);
    expect(await checksOf(java, { at: "m" })).toEqual([["test", "mvn -q -B -o test"]]);
  });
});

describe("resolveChecks() of a change", () => {
  const cargo = {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]',
    "crates/a/Cargo.toml": '[package]\nname = "alpha"',
    "crates/b/Cargo.toml": '[package]\nname = "--evil"',
  };
  const npm = {
    "package.json": NPM({ test: "t" }, { workspaces: ["packages/*"] }),
    "packages/a/package.json": NPM({ test: "t" }),
    "packages/b/package.json": NPM({ build: "t" }),
  };
  const go = { "go.mod": "module x", "sub/go.mod": "module y" };
  const python = { "pytest.ini": "[pytest]", "requirements.txt": "" };
  const rows: readonly (readonly [
    Record<string, string>,
    readonly string[],
    string | undefined,
  ])[] = [
    [cargo, ["crates/a/src/lib.rs", "crates/a/Cargo.toml"], "cargo test -p alpha"],
    [cargo, ["crates/b/src/lib.rs"], undefined],
    [cargo, ["crates/a/src/lib.rs", "README.md"], undefined],
    [cargo, ["tools/x.rs"], undefined],
    [npm, ["packages/a/src/x.ts"], "npm run test -w packages/a"],
    [npm, ["packages/b/src/x.ts"], undefined],
    [npm, ["src/x.ts"], undefined],
    [go, ["pkg/b/b.go", "pkg/a/a.go", "main.go"], "go test . ./pkg/a ./pkg/b"],
    [go, ["sub/x.go"], undefined],
    [go, ["pkg/testdata/x.go"], undefined],
    [go, ["pkg/a/a.go", "pkg/a/data.json"], undefined],
    [go, ["-x/a.go"], undefined],
    [go, Array.from({ length: 9 }, (_, index) => `p${index}/a.go`), undefined],
    [python, ["src/a.py", "tests/test_a.py"], "python3 -m pytest -q tests/test_a.py"],
    [python, ["src/a.py", "-k/test_a.py"], undefined],
    [python, ["tests/a::b/test_a.py"], undefined],
    [{ Makefile: "test:\n", ...go }, ["pkg/a/a.go"], undefined],
  ];
  test.each([...rows])("of %p has %p tested first: %s", async (files, changed, first) => {
    const plain = await checksOf(files);
    const chosen = await checksOf(files, { changed });
    const whole = plain.at(-1) ?? [];
    const expected = first === undefined ? plain : [...plain.slice(0, -1), ["test", first], whole];
    expect(chosen).toEqual(expected);
  });
});

describe("findObstacles()", () => {
  const obstacles = (files: Record<string, string>, scene: Scene = {}) =>
    inProject(files, scene, async (workspace, env) =>
      findObstacles(workspace, await resolveChecks(workspace, { env }), env),
    );

  test("names each program that is missing, once", async () => {
    expect(await obstacles({ "Cargo.toml": "" }, { programs: [] })).toEqual([
      'a check needs "cargo", not on PATH',
    ]);
    expect(await obstacles({ "mix.exs": "" })).toEqual([]);
  });

  test("misses packages unless the package or its root has them", async () => {
    const manifest = NPM({ test: "t" }, { dependencies: { a: "1" } });
    const missing = "node_modules is missing: install the packages first, or the checks may fail";
    expect(await obstacles({ "package.json": manifest })).toEqual([missing]);
    expect(await obstacles({ "package.json": manifest, "node_modules/a/x": "" })).toEqual([]);
    const root = {
      ".git/HEAD": "",
      "package.json": NPM({}, { workspaces: ["p/*"] }),
      "p/a/package.json": manifest,
    };
    expect(await obstacles(root, { at: "p/a" })).toEqual([missing]);
    expect(await obstacles({ ...root, "node_modules/a/x": "" }, { at: "p/a" })).toEqual([]);
  });

  test("looks for pytest in the project's environment, and runs nothing of it", async () => {
    const files = {
      "pytest.ini": "[pytest]",
      "setup.py": "",
      ".venv/bin/python": "#!/bin/sh\ntouch ran\n",
      ".venv/lib/python3.12/site-packages/x": "",
    };
    const scene = { executables: [".venv/bin/python"] };
    const missing = ['a check needs pytest, which ".venv/bin/python" does not have'];
    await inProject(files, scene, async (workspace, env) => {
      const checks = await resolveChecks(workspace, { env });
      expect(await findObstacles(workspace, checks, env)).toEqual(missing);
      const site = ".venv/lib/python3.12/site-packages";
      mkdirSync(join(workspace.root, site, "pytest"));
      expect(await findObstacles(workspace, checks, env)).toEqual([]);
      expect(await Bun.file(join(workspace.root, "ran")).exists()).toBe(false);
    });
  });
});
