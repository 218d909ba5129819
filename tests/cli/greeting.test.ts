import { expect, test } from "bun:test";
import { renderGreeting } from "../../src/cli/daemon/greeting.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

test("renderGreeting() has its steps in columns that fit a window of 80, and promises no checks before they run", async () => {
  using dir = tempDir();
  writeTree(dir.path, {
    "s/a.txt": "",
    "config.toml": '[[workspaces]]\nname = "s"\npath = "./s"\n',
  });
  const loaded = await loadConfig({
    path: "config.toml",
    cwd: dir.path,
    home: dir.path,
    env: {},
  });
  const steps = renderGreeting(loaded).split("\n").slice(6, 10);
  expect(steps.filter((line) => line.length > 80)).toEqual([]);
  const columns = steps.map((line) => line.replace(/^( {2}\S.*? {2,})\S.*$/u, "$1").length);
  expect(new Set(columns).size).toBe(1);
  expect(steps[1]).toMatch(/^ {2}ok +shows the diff and its checks, and asks$/u);
});
