import { expect, test } from "bun:test";
import { join } from "node:path";
import { runInProcess } from "../e2e/in-process.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** One of each exit code, with data, text, and nothing on an output. */
const ROWS: readonly (readonly string[])[] = [
  ["--help"],
  [],
  ["nonsense", "--json"],
  ["history"],
  ["config", "check", "--json"],
  ["tool", "read_file", '{"path":"a.txt"}'],
  ["undo", "-w", "notes"],
  ["status", "--json"],
];

test("a command says and ends in a process as it does in that of the tests", async () => {
  using dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "x\u001b[2Jy\n" });
  const config = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  const sandbox = createSandbox(dir.path, config);
  await sandbox.process("history"); // the home is begun
  for (const args of ROWS) {
    const options = { input: "", cwd: dir.path, env: sandbox.env };
    const here = await runInProcess(args, options);
    expect({ args, ...here }).toEqual({ args, ...(await sandbox.process(...args)) });
  }
});
