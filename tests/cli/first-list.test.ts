import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { oneOf } from "../support/long.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const GOAL = "add what a newcomer would miss";

function prepare(dir: string, more = ""): Sandbox {
  const scripts = { test: "test -e README.md || test -e a.txt" };
  writeTree(join(dir, "notes"), {
    "a.txt": "x\n",
    "package.json": JSON.stringify({ packageManager: "bun@1.4.5", scripts }),
  });
  return createSandbox(dir, `${more}[[workspaces]]\nname = "notes"\npath = "./notes"\n`);
}

/** Whether the list waits to be seen, as the next plan says. */
async function isUnseen(sandbox: Sandbox): Promise<boolean> {
  const planned = await sandbox.json("plan", GOAL, "-w", "notes");
  const { report } = await sandbox.json("preview", String(planned.report["plan_id"]));
  expect(report).toMatchObject({ ok: true, checks: [{ command: "bun run test" }] });
  const notes = JSON.stringify(report["notes"]);
  expect(notes.includes("found in the folder")).toBe(report["check"] === undefined);
  expect(report["unseen"] ?? "seen").toBe(report["check"] === undefined ? "before" : "seen");
  return report["check"] === undefined;
}

describe.if(hasOverlay)("checks that were found in a folder count as seen", () => {
  test.each([
    ["by papayu doctor -w", ["doctor", "-w", "notes"], /bun run test \(package\.json: test/],
    ["by papayu check", ["check", "-w", "notes"], /bun run test \(package\.json: test\)[^]*passed/],
  ])("%s on a terminal", async (_, args, shows) => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    expect(await isUnseen(sandbox)).toBe(true);
    await using terminal = sandbox.terminal(...args);
    await terminal.waitFor(shows);
    expect(await terminal.exited).toBe(0);
    expect(await isUnseen(sandbox)).toBe(false);
  });

  const unread = oneOf<readonly [string, readonly string[]]>(2, [
    ["papayu doctor -w", ["doctor", "-w", "notes"]],
    ["papayu doctor", ["doctor"]],
    ["papayu check", ["check", "-w", "notes"]],
    ["papayu preview", []],
  ]);
  test.each(unread)("not by %s that nobody reads", async (_, args) => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    expect(await isUnseen(sandbox)).toBe(true);
    if (args.length > 0) await sandbox.json(...args);
    expect(await isUnseen(sandbox)).toBe(true);
  });

  test("by papayu doctor -w on a machine where nothing has run yet", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using terminal = sandbox.terminal("doctor", "-w", "notes");
    expect(await terminal.exited).toBe(0);
    expect(await isUnseen(sandbox)).toBe(false);
  });

  test("by a yes in advance, which says first what it is to", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const { report: planned } = await sandbox.json("plan", GOAL, "-w", "notes");
    const ran = await sandbox.run("apply", String(planned["plan_id"]), "--yes", "--json");
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toMatch(/found in this folder[^]*bun run test[^]*test: bun run test/);
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: "committed", check: { ok: true } });
    await sandbox.json("undo", "-w", "notes");
    expect(await isUnseen(sandbox)).toBe(false);
    const doctor = await sandbox.run("doctor", "-w", "notes");
    expect(doctor.stdout).toMatch(/bun run test \(package\.json: test; \d+\.\d s last time\)/);
  });
});

test("an apply without a yes shows nobody the list, whatever the level", async () => {
  for (const autonomy of ["supervised", "full"]) {
    using dir = tempDir();
    const sandbox = prepare(dir.path, `[security]\nautonomy = "${autonomy}"\n`);
    const before = readTree(join(dir.path, "notes"));
    const { report: planned } = await sandbox.json("plan", GOAL, "-w", "notes");
    const { exitCode, report } = await sandbox.json("apply", String(planned["plan_id"]));
    expect({ exitCode, report }).toMatchObject({
      exitCode: 3,
      report: { error_code: "CONFIRM_REQUIRED", error: expect.stringContaining("bun run test") },
    });
    expect(readTree(join(dir.path, "notes"))).toEqual(before);
  }
});
