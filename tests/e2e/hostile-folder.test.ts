import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");

test("papayu as a command runs nothing and takes no variables from the current folder", () => {
  using dir = tempDir();
  writeTree(dir.path, {
    "bunfig.toml": 'preload = ["./evil.ts"]\n',
    "evil.ts": 'await Bun.write("ran", "");\n',
    ".env": "PAPAYU_CONFIG=./evil.toml\n",
    "evil.toml": "",
  });
  const { PAPAYU_CONFIG: _, ...env } = process.env;
  const { stdout, stderr } = Bun.spawnSync([MAIN, "config", "path", "--json"], {
    cwd: dir.path,
    env: { ...env, HOME: dir.path, PAPAYU_HOME: join(dir.path, "home") },
  });
  expect(stderr.toString()).toBe("");
  expect(stdout.toString()).not.toContain("evil.toml");
  expect(existsSync(join(dir.path, "ran"))).toBe(false);
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
