import { expect, test } from "bun:test";
import { join } from "node:path";
import { openState } from "../../src/store/open/open.ts";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const CONFIG = `
[[workspaces]]
name = "notes"
path = "./notes"
check = false
[[routines.jobs]]
name = "daily"
schedule = "0 8 29 2 *"
mode = "plan"
workspace = "notes"
task = "x"
channel = "none"
`;

/** A home with a plan and a change, in which no note of papa-yu can be read any more. */
async function prepare(dir: string) {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const sandbox = createSandbox(dir, CONFIG);
  const goal = ["--goal", "add a README", "-w", "notes"];
  expect(await sandbox.run("apply", ...goal, "--yes")).toMatchObject({ exitCode: 0 });
  const { stdout } = await sandbox.run("plan", "again", "-w", "notes", "--json");
  const { plan_id: planId }: { plan_id: string } = JSON.parse(stdout);
  spoil(sandbox);
  return { sandbox, planId };
}

/** All of them, the one that says whose the database is as well. */
function spoil({ home }: Sandbox): void {
  using store = openState(home);
  const insert = store.query("INSERT OR REPLACE INTO settings (key, value) VALUES (?, 'x')");
  for (const key of ["wish.cli", "allowed:cli", "untold.cli", "daemon.life"]) insert.run(key);
  store.run(`UPDATE settings SET value = '{"rubbish'`);
}

test("no command stops for notes that cannot be read, the first one after that neither", async () => {
  using dir = tempDir();
  const { sandbox, planId } = await prepare(dir.path);
  const doctor = await sandbox.run("doctor", "--json");
  expect(doctor.exitCode).toBe(0);
  expect(doctor.stdout).toContain("5 of papa-yu's own notes cannot be read");
  const commands = [
    ["preview", planId],
    ["undo", "-w", "notes"],
    ["redo", "-w", "notes"],
    ["history", "-w", "notes"],
    ["recover", "-w", "notes"],
    ["routine", "list"],
    ["routine", "run", "daily"],
    ["routine", "logs", "daily"],
    ["tools"],
    ["tool", "list_files", "{}"],
    ["ask", "hello", "-w", "notes"],
    ["plan", "more", "-w", "notes"],
    ["apply", "--goal", "more", "-w", "notes", "--yes"],
    ["pair"],
  ];
  for (const command of commands) {
    spoil(sandbox);
    const { exitCode, stderr } = await sandbox.run(...command);
    expect({ command, exitCode, stderr }).toMatchObject({ command, exitCode: 0 });
  }
});
