import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { enterFolder, FOLDER_VARIABLE, LAUNCH_FLAGS } from "../../src/system/own/own.ts";
import { oneOf } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const LAUNCHER = join(import.meta.dir, "../../bin/papayu");

/** Bun asked which files of this shape it takes variables from, in each of its modes. */
function findEnvFiles(): readonly string[] {
  using dir = tempDir();
  const ends = ["development", "production", "test", "staging", "example", "vault", "ci"];
  const names = ["", ...ends.map((end) => `.${end}`)].flatMap((end) => [
    `.env${end}`,
    `.env${end}.local`,
  ]);
  const tree = Object.fromEntries(names.map((name, index) => [name, `MARK_${index}=1\n`]));
  writeTree(dir.path, { ...tree, ".envrc": "MARK_RC=1\n" });
  const program = "console.log(Object.keys(process.env).join('\\n'))";
  const read = ["", ...ends].flatMap((mode) => {
    const env = { PATH: process.env["PATH"], HOME: dir.path, NODE_ENV: mode };
    const child = Bun.spawnSync([process.execPath, "-e", program], { cwd: dir.path, env });
    const set = child.stdout.toString().split("\n");
    return names.filter((_, index) => set.includes(`MARK_${index}`));
  });
  return [...new Set(read)];
}

const ENV_FILES = findEnvFiles();

const EVIL = 'require("node:fs").writeFileSync(process.env.MARK, "");\n';
const paths = (pattern: string) =>
  `{ "compilerOptions": { "baseUrl": ".", "paths": { "${pattern}": ["./evil.ts"] } } }`;

/** One way in which a folder could have its own code run, or its own settings obeyed. */
interface Way {
  /** Below a folder, in which `a/b` is the one that papa-yu is called in. */
  readonly tree: Readonly<Record<string, string>>;
  /** Entries of PATH before the real ones. */
  readonly path?: string;
  /**
   * What `bun main.ts` does: refuses, or obeys nothing. "taken": Bun runs another program in the
   * place of main.ts, so that none of ours can refuse; documented, and the reason for the launcher.
   */
  readonly plain: "refused" | "harmless" | "taken";
}

const PROGRAMS = ["readlink", "bun", "cd", "env", "dirname", "uname", "git", "bwrap", "sh"];
const programs = (folder: string) =>
  Object.fromEntries(PROGRAMS.map((name) => [`${folder}/${name}`, '#!/bin/sh\n: >"$MARK"\n']));

const WAYS: readonly (readonly [title: string, way: Way])[] = [
  ...ENV_FILES.map(
    (name) =>
      [
        `variables of ${name}`,
        { tree: { [`a/b/${name}`]: "PAPAYU_CONFIG=./evil.toml\n" }, plain: "refused" },
      ] as const,
  ),
  ...[".env", ".env.local", "bunfig.toml"].map(
    (name) =>
      [
        `${name} of the folder above`,
        { tree: { [`a/${name}`]: 'preload = ["./evil.ts"]\n' }, plain: "harmless" },
      ] as const,
  ),
  [
    "a preload of bunfig.toml, which has run when main.ts refuses",
    { tree: { "a/b/bunfig.toml": 'preload = ["./evil.ts"]\n' }, plain: "taken" },
  ],
  ...["a/b", "a", "."].flatMap((folder) =>
    ["tsconfig.json", "jsconfig.json"].flatMap((name) => [
      [
        `paths of ${folder}/${name} for packages`,
        { tree: { [`${folder}/${name}`]: paths("smol-toml") }, plain: "refused" },
      ] as const,
      [
        `paths of ${folder}/${name} for everything`,
        { tree: { [`${folder}/${name}`]: paths("*") }, plain: "taken" },
      ] as const,
    ]),
  ),
  [
    "paths above a tsconfig.json that hides them",
    { tree: { "a/tsconfig.json": paths("*"), "a/b/tsconfig.json": "{}" }, plain: "refused" },
  ],
  ...["a/b", "a"].map(
    (folder) =>
      [
        `packages in ${folder}`,
        {
          tree: {
            [`${folder}/package.json`]: '{ "imports": { "#*": "./evil.ts" }, "type": "module" }',
            [`${folder}/bun.lock`]: "{}",
            [`${folder}/.npmrc`]: "registry=http://127.0.0.1:1/\n",
            ...Object.fromEntries(
              ["smol-toml", "ajv", "croner", "openai", "node:os"].map((name) => [
                `${folder}/node_modules/${name}/index.js`,
                EVIL,
              ]),
            ),
          },
          plain: "harmless",
        },
      ] as const,
  ),
  ...[".", "", "./", "bin", "../b", ".:", ":."].map(
    (path) =>
      [
        `programs in the entry "${path}" of PATH`,
        { tree: { ...programs("a/b"), ...programs("a/b/bin") }, path, plain: "harmless" },
      ] as const,
  ),
];

/** All that Bun obeys but its variables, in one folder, and all entries of PATH in a row. */
const ALL_AT_ONCE: Way = {
  tree: Object.assign({}, ...WAYS.filter(([, { plain }]) => plain !== "refused").map(toTree)),
  path: WAYS.flatMap(([, { path }]) => path ?? []).join(":"),
  plain: "taken",
};
const ALL_VARIABLES: Way = {
  tree: Object.assign({}, ...WAYS.filter(([title]) => title.startsWith("variables")).map(toTree)),
  plain: "refused",
};

function toTree([, { tree }]: (typeof WAYS)[number]): Way["tree"] {
  return tree;
}

/** Where it is papa-yu that runs, however Bun was started. */
const REFUSABLE = WAYS.filter(([, { plain }]) => plain !== "taken");

/** A folder of somebody else's in which papa-yu is called, and what was run of it. */
function enter({ tree, path }: Way) {
  const dir = tempDir();
  const cwd = join(dir.path, "a/b");
  const evil = { "evil.ts": EVIL, "a/evil.ts": EVIL, "a/b/evil.ts": EVIL, "a/b/evil.toml": "" };
  writeTree(dir.path, { ...evil, ...tree, "home/.papa-yu/config.toml": "" });
  for (const name of PROGRAMS) {
    for (const folder of [cwd, join(cwd, "bin")]) {
      if (existsSync(join(folder, name))) chmodSync(join(folder, name), 0o755);
    }
  }
  const mark = join(dir.path, "ran");
  const real = process.env["PATH"] ?? "";
  const env = {
    PATH: path === undefined ? real : `${path}:${real}`,
    HOME: join(dir.path, "home"),
    MARK: mark,
  };
  return {
    own: join(dir.path, "home/.papa-yu/config.toml"),
    hasRun: () => existsSync(mark),
    async call(...argv: string[]) {
      const child = Bun.spawn(argv, { cwd, env, stdout: "pipe", stderr: "pipe" });
      const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      return { exitCode: await child.exited, text: out + err };
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

describe("the folder that papa-yu is called in, or one above, runs nothing and sets nothing by", () => {
  test("names that the test asks Bun for", () => {
    expect(ENV_FILES).toContain(".env.production.local");
    expect(ENV_FILES).not.toContain(".env.example");
  });

  const together = [
    ["everything that Bun obeys, and every such entry of PATH", ALL_AT_ONCE],
    ["the variables of every such file", ALL_VARIABLES],
  ] as const;

  test.each([...together, ...oneOf(5, WAYS)])("%s: bin/papayu", async (_title, way) => {
    using folder = enter(way);
    const { exitCode, text } = await folder.call(LAUNCHER, "config", "path");
    expect({ exitCode, text }).toEqual({ exitCode: 0, text: expect.stringContaining(folder.own) });
    expect(folder.hasRun()).toBe(false);
  });

  test.each(oneOf(4, REFUSABLE))("%s: bun main.ts", async (_title, way) => {
    using folder = enter(way);
    const { exitCode, text } = await folder.call(process.execPath, MAIN, "config", "path");
    const said = way.plain === "refused" ? "Cannot run here: Bun was started" : folder.own;
    expect({ exitCode, text }).toEqual({
      exitCode: way.plain === "refused" ? 2 : 0,
      text: expect.stringContaining(said),
    });
    expect(folder.hasRun()).toBe(false);
  });
});

test("bin/papayu hands on no PATH that means the folder, and a usual one where nothing is left", () => {
  using dir = tempDir();
  writeTree(dir.path, { "pkg/src/main.ts": "", "pkg/bun": '#!/bin/sh\nprintf "%s" "$PATH"\n' });
  const launcher = join(dir.path, "pkg/bin/papayu");
  writeTree(dir.path, { "pkg/bin/a": "", "pkg/node_modules/bun/bin/a": "" });
  Bun.spawnSync(["cp", LAUNCHER, launcher]);
  chmodSync(join(dir.path, "pkg/bun"), 0o755);
  symlinkSync("../../../bun", join(dir.path, "pkg/node_modules/bun/bin/bun.exe"));
  const handedOn = (path: string) =>
    Bun.spawnSync([launcher], { cwd: dirname(launcher), env: { PATH: path } }).stdout.toString();
  expect(handedOn("/usr/bin:.:/bin::relative")).toBe("/usr/bin:/bin");
  expect(handedOn(":/usr/bin:/bin:")).toBe("/usr/bin:/bin");
  expect(handedOn(".")).toBe("/usr/local/bin:/usr/bin:/bin");
  expect(handedOn("")).toBe("/usr/local/bin:/usr/bin:/bin");
});

test.each([
  [".:/usr/bin::bin:/bin", "/usr/bin:/bin"],
  ["", "/usr/local/bin:/usr/bin:/bin"],
  ["/usr/bin:/opt/a b", "/usr/bin:/opt/a b"],
])("enterFolder() leaves of the PATH %j what no folder decides", (path, left) => {
  const env: Record<string, string> = { PATH: path, [FOLDER_VARIABLE]: process.cwd() };
  enterFolder(LAUNCH_FLAGS, env);
  expect(env).toEqual({ PATH: left });
});
