import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, openTerminal, type Sandbox, type Terminal } from "../e2e/papayu.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const CTRL_Z = "\x1a";
const SETSID = Bun.which("setsid") ?? "";

/** Brings what was stopped to the foreground again, as a person does; 0 to 127 are ends. */
const SHELL =
  '"$@"; while code=$?; [ $code -gt 128 ]; do echo STOPPED; stty sane; fg; done; echo ENDED $code';

/** A command as a job of a shell; `wrap` is what else is in the job, as npm is. */
function openJob(
  { dir: cwd, env }: Sandbox,
  args: readonly string[],
  wrap: readonly string[] = [],
): Terminal {
  const program = [...wrap, process.execPath, papayuProgram(), ...args];
  const shell = [SETSID, "--ctty", "sh", "-mc", SHELL, "sh"];
  return openTerminal([...shell, ...program], { cwd, env: { ...env } });
}

function prepare(dir: string): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  writeFileSync(join(dir, "fix.diff"), "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n");
  const workspace = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  return createSandbox(dir, workspace, { TERM: "xterm" });
}

const WRAP = ["sh", "-c", '"$@"; exit $?', "sh"];

test.each([
  ["alone", []],
  ["below another program", WRAP],
])("a chat that was stopped with Ctrl-Z %s reads on, with what was typed", async (_, wrap) => {
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  await using _daemon = await sandbox.host();
  await using terminal = openJob(sandbox, ["chat"], wrap);
  await terminal.waitFor(/› /);
  for (let time = 0; time < 2; time++) {
    terminal.type(`/w${CTRL_Z}`);
    const shown = await terminal.waitFor(/STOPPED[^]*› \/w/u);
    expect(shown).toMatch(/\[\?2004l[^]*STOPPED[^]*\[\?2004h/u);
    terminal.type("s\r");
    await terminal.waitFor(/▸ notes[^]*› /u);
  }
  terminal.type("\x04");
  await terminal.waitFor(/ENDED 0/);
});

test("a question that was stopped with Ctrl-Z is still there, and takes an answer", async () => {
  using dir = tempDir();
  const args = ["apply", "--patch", "fix.diff", "-w", "notes"];
  await using terminal = openJob(prepare(dir.path), args);
  await terminal.waitFor(/\[y\/N\] /);
  terminal.type(CTRL_Z);
  await terminal.waitFor(/STOPPED[^]*\[y\/N\] /u);
  terminal.type("y\r");
  await terminal.waitFor(/Applied in notes[^]*ENDED 0/u);
  expect(readFileSync(join(dir.path, "notes/a.txt"), "utf8")).toBe("y\n");
});

test("Ctrl-Z where no shell can stop the job changes nothing", async () => {
  using dir = tempDir();
  const { dir: cwd, env } = prepare(dir.path);
  const program = [
    process.execPath,
    papayuProgram(),
    "apply",
    "--patch",
    "fix.diff",
    "-w",
    "notes",
  ];
  await using terminal = openTerminal([SETSID, "--ctty", ...program], { cwd, env: { ...env } });
  await terminal.waitFor(/\[y\/N\] /);
  terminal.type(CTRL_Z);
  await terminal.waitFor(/\[y\/N\] /);
  terminal.type("n\r");
  expect(await terminal.exited).toBe(1);
});
