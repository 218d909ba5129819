import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const GOAL = "add what a newcomer would miss";

/** A folder in which papa-yu made one change, and then these are its checks. */
async function changed(dir: string, check: unknown): Promise<Sandbox> {
  const config = (value: unknown) =>
    `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${JSON.stringify(value)}\n`;
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const sandbox = createSandbox(dir, config(false));
  const { report } = await sandbox.json("plan", GOAL, "-w", "notes");
  expect((await sandbox.json("apply", String(report["plan_id"]), "--yes")).exitCode).toBe(0);
  writeFileSync(join(dir, "config.toml"), config(check));
  return sandbox;
}

/** The folder before the change. */
const ORIGINAL = (() => {
  using dir = tempDir();
  writeTree(dir.path, { "a.txt": "x\n" });
  return readTree(dir.path);
})();

const sh = (script: string) => [["sh", "-c", script]];
const files = ({ dir }: Sandbox) => readTree(join(dir, "notes"));

describe.if(hasOverlay)("papayu undo --check", () => {
  test.each([
    ["pass", sh("test ! -e README.md"), true, "undone", 0],
    ["pass, without a yes", sh("test ! -e README.md"), false, "rejected", 3],
    ["fail with the undo only", sh("test -e README.md"), true, "rolled_back", 1],
    ["fail either way", sh("echo 'not ok 1 - old'; exit 1"), true, "rejected", 3],
    ["are none", false, true, "undone", 0],
    ["are none, without a yes", false, false, "rejected", 3],
  ])("where the checks %s", async (_, check, isAgreed, status, code) => {
    using dir = tempDir();
    const sandbox = await changed(dir.path, check);
    const before = files(sandbox);
    const args = ["undo", "--check", "-w", "notes", ...(isAgreed ? ["--yes"] : [])];
    const { exitCode, report } = await sandbox.json(...args);
    const isDone = status === "undone";
    expect({ exitCode, report }).toMatchObject({
      exitCode: code,
      report: { ok: isDone, status, touched: isDone },
    });
    expect(report["changes"]).not.toEqual([]);
    expect(report["check"] === undefined).toBe(check === false);
    const isTold = JSON.stringify(report["notes"] ?? []).includes("check = false");
    expect(isTold).toBe(isDone && check === false);
    expect(files(sandbox)).toEqual(isDone ? ORIGINAL : before);
  });

  test("leaves out what the checks change, and names what was edited since", async () => {
    using dir = tempDir();
    const sandbox = await changed(dir.path, sh("echo junk > junk; rm -f a.txt"));
    writeFileSync(join(dir.path, "notes/README.md"), "mine\n");
    const before = files(sandbox);
    const { exitCode, report } = await sandbox.json("undo", "--check", "-w", "notes", "--yes");
    expect({ exitCode, report }).toMatchObject({ exitCode: 1, report: { status: "conflict" } });
    expect(files(sandbox)).toEqual({ ...ORIGINAL, "README.md": before["README.md"] ?? "" });
  });

  test("runs nothing that was found in the folder before anybody has seen it", async () => {
    using dir = tempDir();
    const sandbox = await changed(dir.path, []);
    writeFileSync(join(dir.path, "notes/Makefile"), "test:\n\ttouch ran\n");
    const before = files(sandbox);
    const { exitCode, report } = await sandbox.json("undo", "--check", "-w", "notes", "--yes");
    expect({ exitCode, report }).toMatchObject({ exitCode: 1, report: { touched: false } });
    expect(String(report["error"])).toContain("nobody has seen its checks yet (make test)");
    expect(files(sandbox)).toEqual(before);
  });

  test.each([
    ["y\r", 0, true],
    ["n\r", 1, false],
  ])("asks on a terminal and takes %j", async (keys, exitCode, isDone) => {
    using dir = tempDir();
    const sandbox = await changed(dir.path, sh("test ! -e README.md"));
    const before = files(sandbox);
    await using terminal = sandbox.terminal("undo", "--check", "-w", "notes");
    expect(await terminal.waitFor(/Undo it\? \[y\/N\] /)).toContain("Checks passed");
    terminal.type(keys);
    expect(await terminal.exited).toBe(exitCode);
    expect(files(sandbox)).toEqual(isDone ? ORIGINAL : before);
  });

  test("undoes nothing when a file changed between the check and the yes", async () => {
    using dir = tempDir();
    const sandbox = await changed(dir.path, sh("test ! -e README.md"));
    await using terminal = sandbox.terminal("undo", "--check", "-w", "notes");
    await terminal.waitFor(/Undo it\? \[y\/N\] /);
    writeFileSync(join(dir.path, "notes/a.txt"), "mine\n");
    const before = files(sandbox);
    terminal.type("y\r");
    await terminal.waitFor(/ERR_CHANGE_SET_STALE/);
    expect(await terminal.exited).toBe(1);
    expect(files(sandbox)).toEqual(before);
  });

  test("has nothing to check where there is nothing to undo", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, '[[workspaces]]\nname = "n"\npath = "./n"\n');
    writeTree(join(dir.path, "n"), { "a.txt": "x\n" });
    const { exitCode, report } = await sandbox.json("undo", "--check", "-w", "n");
    expect({ exitCode, report }).toMatchObject({
      exitCode: 1,
      report: { error_code: "UNDO_NOTHING", touched: false },
    });
  });
});

test("papayu undo --check where checks reach the network undoes nothing", async () => {
  using dir = tempDir();
  const sandbox = await changed(dir.path, sh("true"));
  const config = await Bun.file(join(dir.path, "config.toml")).text();
  writeFileSync(join(dir.path, "config.toml"), `${config}check_network = true\n`);
  const before = files(sandbox);
  const { exitCode, report } = await sandbox.json("undo", "--check", "-w", "notes", "--yes");
  expect({ exitCode, report }).toMatchObject({
    exitCode: 1,
    report: { error_code: "ERR_SANDBOX", touched: false },
  });
  expect(files(sandbox)).toEqual(before);
});
