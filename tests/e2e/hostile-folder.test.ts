import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

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
