import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { CONNECTIONS, CONNECTIONS_VARIABLE } from "../../src/system/own/connections.ts";
import { LAUNCH_FLAGS } from "../../src/system/own/own.ts";
import { crossed, oneOf } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const LAUNCHER = join(import.meta.dir, "../../bin/papayu");

/** Every file by which Bun can be made to run something else, each leaving a mark. */
const HOSTILE = {
  "bunfig.toml": 'preload = ["./evil.ts"]\n',
  "evil.ts": 'require("node:fs").writeFileSync("ran", "");\n',
  "tsconfig.json": '{ "compilerOptions": { "baseUrl": ".", "paths": { "*": ["./evil.ts"] } } }\n',
  "jsconfig.json": '{ "compilerOptions": { "baseUrl": ".", "paths": { "*": ["./evil.ts"] } } }\n',
  "package.json": '{ "imports": { "#*": "./evil.ts" }, "browser": { "openai": "./evil.ts" } }\n',
  "node_modules/openai/package.json": '{ "name": "openai", "main": "../../evil.ts" }\n',
  "node_modules/ajv/package.json": '{ "name": "ajv", "main": "../../evil.ts" }\n',
  "node_modules/croner/package.json": '{ "name": "croner", "main": "../../evil.ts" }\n',
  ".env": "PAPAYU_CONFIG=./evil.toml\n",
  ".env.local": "PAPAYU_CONFIG=./evil.toml\n",
  ".env.production": "PAPAYU_CONFIG=./evil.toml\n",
  "evil.toml": "",
  "sub/a": "",
};

function enterHostile() {
  const dir = tempDir();
  const path = join(dir.path, "hostile");
  writeTree(path, HOSTILE);
  const { PAPAYU_CONFIG: _, ...inherited } = process.env;
  const env = { ...inherited, HOME: dir.path, PAPAYU_HOME: join(dir.path, "home") };
  return { path, env, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

describe("papayu as a command in a hostile folder", () => {
  test.each([
    ["config path", "."],
    ["config path", "sub"],
    ["ask hi", "."],
    ["plan x -w sub", "."],
    ["tools", "."],
    ["doctor", "."],
  ])("runs nothing and takes no variables from it: %s in %s", async (command, folder) => {
    using dir = enterHostile();
    const child = Bun.spawn([LAUNCHER, ...command.split(" ")], {
      cwd: join(dir.path, folder),
      env: dir.env,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect(out + err).not.toContain("evil.toml");
    expect(out.length).toBeGreaterThan(0);
    expect(existsSync(join(dir.path, "ran"))).toBe(false);
    expect(existsSync(join(dir.path, folder, "ran"))).toBe(false);
  });

  test("starts a daemon in the background, and a service, in the same way", () => {
    using dir = enterHostile();
    const run = (...args: string[]) => {
      const child = Bun.spawnSync([LAUNCHER, ...args], { cwd: dir.path, env: dir.env });
      return child.stdout.toString() + child.stderr.toString();
    };
    expect(run("start", "--detach")).toContain("started");
    expect(run("restart")).toContain("started");
    expect(run("stop")).toContain("stopped");
    expect(run("init", "--service", "launchd")).toContain("<string>--tsconfig-override=/dev/null");
    expect(existsSync(join(dir.path, "ran"))).toBe(false);
  });
});

/** Files that Bun or a launcher might wait for, each as a pipe that nobody writes to. */
const PIPES = `.env .env.local .env.production .npmrc .bunfig.toml bunfig.toml tsconfig.json
  jsconfig.json package.json bun.lock bun.lockb node_modules/openai/package.json
  src/main.ts`.split(/\s+/u);
const EXTENDING = ["tsconfig.json", "jsconfig.json"];

describe("bin/papayu waits for nothing in the folder that it is called in", () => {
  const places = [".", "sub"];
  /** Bun reads all these before the program begins: the shortest one will do for each alone. */
  const [long, short] = [["tools"], ["config", "path"]];
  const all = ["all are pipes", PIPES, {}] as const;
  // Each alone: together they show that none is waited for, not which.
  const alone = [
    ...oneOf(4, PIPES).map((name) => [`"${name}" is a pipe`, [name], {}] as const),
    ...EXTENDING.map(
      (name) =>
        [`"${name}" extends a pipe`, ["pipe"], { [name]: '{ "extends": "./pipe" }' }] as const,
    ),
  ] as const;
  const rows = [
    ...places.map((at) => [all, at, long] as const),
    ...crossed(alone, places, 1).map(([row, at]) => [row, at, short] as const),
  ];
  test.each(
    rows.map(([[title, pipes, files], at, args]) => [title, at, pipes, files, args] as const),
  )("%s, called in %s", async (_title, at, pipes, files, args) => {
    using dir = tempDir();
    const folder = join(dir.path, "folder");
    writeTree(folder, { "sub/a": "", ...files });
    for (const pipe of pipes) {
      mkdirSync(dirname(join(folder, pipe)), { recursive: true });
      Bun.spawnSync(["mkfifo", join(folder, pipe)]);
    }
    const env = { ...process.env, HOME: dir.path, PAPAYU_HOME: join(dir.path, "home") };
    const cwd = join(folder, at);
    const child = Bun.spawn([LAUNCHER, ...args], { cwd, env, stdout: "pipe", timeout: 60_000 });
    expect(await child.stdout.text()).toContain(args === long ? "read_file" : "built-in defaults");
    expect(await child.exited).toBe(0);
  });

  test("and takes no folder from a variable", () => {
    using dir = tempDir();
    writeTree(dir.path, { "here/config.toml": "", "other/config.toml": "" });
    const { stdout } = Bun.spawnSync([LAUNCHER, "config", "path", "--json"], {
      cwd: join(dir.path, "here"),
      env: {
        PATH: process.env["PATH"],
        HOME: dir.path,
        PAPAYU_CWD: join(dir.path, "other"),
        PWD: join(dir.path, "other"),
      },
    });
    expect(stdout.toString()).toContain(join(dir.path, "here/config.toml"));
  });

  test("says so when the folder is gone", () => {
    using dir = tempDir();
    const script = `mkdir gone && cd gone && rmdir ../gone && exec ${LAUNCHER} config path`;
    const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", script], {
      cwd: dir.path,
      env: { ...process.env, HOME: dir.path },
    });
    expect({ exitCode, stderr: stderr.toString() }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining("Cannot work in the folder that you are in: "),
    });
  });
});

test("bin/papayu starts Bun with the flags of what papa-yu starts by itself", () => {
  const script = readFileSync(LAUNCHER, "utf8").replaceAll("\\\n", "");
  expect(script.replaceAll(/ +/gu, " ")).toContain(`exec "$bun" ${LAUNCH_FLAGS.join(" ")} "$`);
  expect(script).toContain(
    `\nexport ${CONNECTIONS_VARIABLE}="\${${CONNECTIONS_VARIABLE}:-${CONNECTIONS}}"\n`,
  );
  expect(packageJson.bin).toEqual({ papayu: "bin/papayu" });
});

test("papayu takes a home that others could write from them, and says so once", async () => {
  using dir = tempDir();
  const sandbox = createSandbox(dir.path, "");
  mkdirSync(sandbox.home, { recursive: true });
  chmodSync(sandbox.home, 0o777);
  writeFileSync(join(sandbox.home, "state.db"), "");
  const first = await sandbox.run("config", "check");
  expect(first.stdout).toContain(`warning: "${sandbox.home}" could be written by others`);
  expect(statSync(sandbox.home).mode & 0o777).toBe(0o700);
  expect((await sandbox.run("config", "check")).stdout).not.toContain("warning");
});

test.each(
  oneOf(2, [
    [["config", "path"]],
    [["status"]],
    [["stop"]],
    [["restart"]],
    [["logs"]],
    [["start"]],
    [["tools"]],
    [["config", "set", "default.language", "ru"]],
  ]),
)("papayu %j refuses a home that anybody can exchange", async (args) => {
  using dir = tempDir();
  writeTree(dir.path, { "shared/theirs": "" });
  chmodSync(join(dir.path, "shared"), 0o777);
  const home = join(dir.path, "shared/home");
  const sandbox = createSandbox(dir.path, "", { PAPAYU_HOME: home });
  const { exitCode, stderr } = await sandbox.run(...args);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining("papayu: ERR_HOME_UNSAFE: Cannot use"),
  });
  expect(existsSync(home)).toBe(false);
  const { report } = await sandbox.json("doctor");
  expect(JSON.stringify(report["findings"])).toContain("everybody can rename what is in it");
});
