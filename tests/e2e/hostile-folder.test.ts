import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LAUNCH_FLAGS } from "../../src/system/launch.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");

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
    const child = Bun.spawn([MAIN, ...command.split(" ")], {
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
      const child = Bun.spawnSync([MAIN, ...args], { cwd: dir.path, env: dir.env });
      return child.stdout.toString() + child.stderr.toString();
    };
    expect(run("start", "--detach")).toContain("started");
    expect(run("restart")).toContain("started");
    expect(run("stop")).toContain("stopped");
    expect(run("init", "--service", "launchd")).toContain("<string>--tsconfig-override=/dev/null");
    expect(existsSync(join(dir.path, "ran"))).toBe(false);
  });

  test("refuses when Bun was started there without its launcher", () => {
    using dir = enterHostile();
    rmSync(join(dir.path, "tsconfig.json"));
    rmSync(join(dir.path, "jsconfig.json"));
    rmSync(join(dir.path, "bunfig.toml"));
    const { stderr, exitCode } = Bun.spawnSync([process.execPath, MAIN, "config", "path"], {
      cwd: dir.path,
      env: dir.env,
    });
    expect(exitCode).toBe(2);
    expect(stderr.toString()).toContain("has read .env, .env.local, .env.production of");
  });
});

test("the first line of main.ts starts Bun with the flags of the launcher", () => {
  const [line] = readFileSync(MAIN, "utf8").split("\n");
  expect(line).toBe(`#!/usr/bin/env -S bun ${LAUNCH_FLAGS.join(" ")}`);
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

test.each([
  [["config", "path"]],
  [["status"]],
  [["stop"]],
  [["restart"]],
  [["logs"]],
  [["start"]],
  [["tools"]],
  [["config", "set", "default.language", "ru"]],
])("papayu %j refuses a home that anybody can exchange", async (args) => {
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
