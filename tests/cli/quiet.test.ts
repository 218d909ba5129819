import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { RIGHT } from "./right-commands.ts";

const GOAL = "add what a newcomer would miss";

function prepare(dir: string): Sandbox {
  writeTree(join(dir, "notes"), { "check.ts": 'console.log("fine");' });
  const check = '[["bun", "check.ts"]]';
  const workspace = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${check}\n`;
  const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  return createSandbox(dir, workspace, { TERM: "xterm", PATH: path });
}

test("--quiet leaves results and takes what helps on the way", async () => {
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  const check = await sandbox.run("check", "--quiet");
  expect(check).toMatchObject({ exitCode: 0, stderr: "" });
  expect(check.stdout).toStartWith("✓ bun check.ts");
  expect((await sandbox.run("check")).stderr).toContain("bun check.ts");

  const planned = await sandbox.run("plan", GOAL, "--quiet");
  expect(planned).toMatchObject({ exitCode: 0, stderr: "" });
  const [, planId = ""] = /\nplan (plan_\w+)\n$/.exec(planned.stdout) ?? [];
  const preview = await sandbox.run("preview", planId, "--quiet");
  expect(preview.stderr).toBe("");
  expect(preview.stdout).toContain("+# notes\n");
  expect(preview.stdout).not.toContain("papayu apply");
  const applied = await sandbox.run("apply", planId, "--yes", "--quiet");
  expect(applied).toMatchObject({ exitCode: 0, stderr: "" });
  expect(applied.stdout).toStartWith("✓ Applied in notes");
  expect(applied.stdout).not.toContain("undo takes it back");
});

test("--quiet still says what went wrong, and asks on a terminal without a passing line", async () => {
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  const failed = await sandbox.run("apply", "plan_none", "--quiet");
  expect(failed.exitCode).toBe(2);
  expect(failed.stderr).toContain("ERR_PLAN_UNKNOWN");
  await using terminal = sandbox.terminal("apply", "--goal", GOAL, "-w", "notes", "--quiet");
  const shown = await terminal.waitFor(/\[y\/N\] /);
  expect(shown).not.toContain(" · ");
  terminal.type("n\r");
  expect(await terminal.exited).toBe(1);
});

test("every command takes --quiet", async () => {
  expect(Object.keys(RIGHT).toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  const names = Object.keys(RIGHT).filter((name) => !ENDLESS.has(name));
  for (const name of names) {
    const { stderr } = await sandbox.run(...(RIGHT[name] ?? []), "--quiet");
    expect({ name, stderr }).not.toMatchObject({ stderr: expect.stringContaining("'--quiet'") });
  }
});

/** These go on, or start what does; their options are read in the same way. */
const ENDLESS: ReadonlySet<string> = new Set(["start", "restart", "demo", "logs"]);
