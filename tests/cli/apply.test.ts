import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { oneOf } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const WORKSPACE = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
const GOAL = "add what a newcomer would miss";

function prepare(dir: string, more = ""): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  return createSandbox(dir, more + WORKSPACE);
}

async function plan(sandbox: Sandbox): Promise<string> {
  return (await sandbox.json("plan", GOAL)).report["plan_id"] ?? "no plan";
}

function isChanged(sandbox: Sandbox): boolean {
  return "README.md" in readTree(join(sandbox.dir, "notes"));
}

describe("papayu apply in a terminal", () => {
  const noes = ["n\r", "\r", "\x03", "\x04"].map((keys) => [keys, 1, false] as const);
  test.each([...oneOf(2, noes), ["y\r", 0, true] as const])(
    "shows the diff, asks, and takes %j for exit %d",
    async (keys, exitCode, changed) => {
      using dir = tempDir();
      const sandbox = prepare(dir.path);
      await using terminal = sandbox.terminal("apply", await plan(sandbox));
      const screen = await terminal.waitFor(/Apply this change\? \[y\/N\] /);
      expect(screen).toContain("\x1b[32m+# notes\x1b[0m");
      terminal.type(keys);
      await terminal.waitFor(changed ? /Applied in notes/ : /APPROVAL_REJECTED/);
      expect(await terminal.exited).toBe(exitCode);
      expect(terminal.screen()).not.toContain("ERR_INTERNAL");
      expect(isChanged(sandbox)).toBe(changed);
    },
  );

  test("ends by a signal at the question without a change", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using terminal = sandbox.terminal("apply", "--goal", GOAL);
    await terminal.waitFor(/\[y\/N\] /);
    terminal.kill("SIGTERM");
    await terminal.waitFor(/ERR_CANCELLED/);
    expect(await terminal.exited).toBe(1);
    expect(isChanged(sandbox)).toBe(false);
  });

  test("paints nothing for NO_COLOR", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, WORKSPACE, { NO_COLOR: "1" });
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    await using terminal = sandbox.terminal("preview", await plan(sandbox));
    // The exit may be known before the last lines.
    await terminal.waitFor(/\+# notes/);
    await terminal.exited;
    expect(terminal.screen()).not.toContain("\x1b[32m");
  });
});

describe("papayu apply", () => {
  test("without a terminal exits 3 and gives the ids to approve with", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const { exitCode, report } = await sandbox.json("apply", "--goal", GOAL);
    const { plan_id: planId = "", change_set_id: id = "" } = report;
    expect(exitCode).toBe(3);
    expect(report).toMatchObject({
      ok: false,
      status: "rejected",
      plan_id: expect.stringMatching(/^plan_/),
      change_set_id: expect.stringMatching(/^[0-9a-f]{64}$/),
      changes: [{ path: "README.md", kind: "create" }],
      error_code: "CONFIRM_REQUIRED",
    });
    expect(isChanged(sandbox)).toBe(false);
    expect(await sandbox.json("apply", planId, "--approve", id)).toMatchObject({
      exitCode: 0,
      report: { ok: true, status: "committed", plan_id: planId, change_set_id: id },
    });
    expect(isChanged(sandbox)).toBe(true);
  });

  test("an undo that meets later edits says in its first line what was done, and names what was not", async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n", "b.txt": "x\n" });
    const sandbox = createSandbox(dir.path, WORKSPACE);
    const part = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-x\n+y\n`;
    const undone = async (names: readonly string[], edited: readonly string[]) => {
      for (const name of names) writeFileSync(join(dir.path, "notes", name), "x\n");
      writeFileSync(join(dir.path, "p.diff"), names.map(part).join(""));
      expect((await sandbox.run("apply", "--patch", "p.diff", "--yes")).exitCode).toBe(0);
      for (const name of edited) writeFileSync(join(dir.path, "notes", name), "mine\n");
    };
    await undone(["a.txt"], ["a.txt"]);
    const { report } = await sandbox.json("undo");
    expect(report).toMatchObject({ status: "conflict", touched: false, kept: ["a.txt"] });
    expect((await sandbox.run("undo")).stdout).toStartWith("✗ Nothing was done in notes");
    await undone(["a.txt", "b.txt"], ["b.txt"]);
    const { stdout } = await sandbox.run("undo");
    expect(stdout).toStartWith("! Not everything was done in notes");
  });

  test("--approve applies nothing but that change set", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const planId = await plan(sandbox);
    expect(await sandbox.json("apply", planId, "--approve", "0".repeat(64))).toMatchObject({
      exitCode: 1,
      report: { status: "rejected", error_code: "ERR_CHANGE_SET_STALE" },
    });
    expect(await sandbox.json("apply", planId, "--approve", "bb0206c7fd8")).toMatchObject({
      exitCode: 2,
      report: { status: "rejected", error_code: "ERR_USAGE" },
    });
    const both = await sandbox.json("apply", planId, "--yes", "--approve", "0".repeat(64));
    expect(both.exitCode).toBe(2);
    expect(isChanged(sandbox)).toBe(false);
  });

  test("needs no yes under full autonomy, and has none to give under readonly", async () => {
    using dir = tempDir();
    const readonly = prepare(dir.path, '[security]\nautonomy = "readonly"\n');
    expect(await readonly.json("apply", "--goal", GOAL, "--yes")).toMatchObject({
      exitCode: 1,
      report: { status: "rejected", error_code: "denied" },
    });
    expect(isChanged(readonly)).toBe(false);
    const full = prepare(dir.path, '[security]\nautonomy = "full"\n');
    expect((await full.json("apply", "--goal", GOAL)).report).toMatchObject({ ok: true });
    expect(isChanged(full)).toBe(true);
  });
});
