import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { hasOverlay } from "../support/overlay.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { areGone } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox, type Sandbox } from "./papayu.ts";

const GOAL = "add what a newcomer would miss";
const COUNTER = join(import.meta.dir, "../support/count-spawns.ts");

/** A folder with one file, the built-in planner, and a check that a shell runs. */
function prepare(dir: string, check: string, more = ""): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const command = JSON.stringify([["sh", "-c", check]]);
  return createSandbox(
    dir,
    `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${command}\n${more}`,
  );
}

async function plan(sandbox: Sandbox): Promise<string> {
  const { report } = await sandbox.json("plan", GOAL, "-w", "notes");
  return report["plan_id"] ?? "";
}

const files = ({ dir }: Sandbox) => readTree(join(dir, "notes"));

/** Runs a command in a process of its own, and says which processes that started. */
async function countSpawns({ dir, env }: Sandbox, ...args: readonly string[]) {
  const log = join(dir, "spawns");
  writeFileSync(log, "");
  const child = Bun.spawn([process.execPath, "--preload", COUNTER, papayuProgram(), ...args], {
    cwd: dir,
    env: { ...env, SPAWNS_LOG: log },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const report: Readonly<Record<string, unknown>> = JSON.parse(
    await new Response(child.stdout).text(),
  );
  await child.exited;
  return {
    report,
    spawns: readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line !== ""),
  };
}

describe.if(hasOverlay)("a yes to what was checked", () => {
  test("is a swap without any process, in another one than the checks ran in", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, "test -f README.md");
    const planId = await plan(sandbox);
    const { report } = await sandbox.json("preview", planId);
    expect(report).toMatchObject({ view: "overlay", check: { ok: true }, fix_rounds: 0 });
    const approve = ["apply", planId, "--approve", String(report["change_set_id"]), "--json"];
    const applied = await countSpawns(sandbox, ...approve);
    expect(applied.report).toMatchObject({ status: "committed", check: { ok: true } });
    expect(applied.spawns).toEqual([]);
    expect(Object.keys(files(sandbox))).toContain("README.md");
  });

  test("starts processes where the checks have to run again: the count sees them", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, "test -f README.md");
    const planId = await plan(sandbox);
    const { report } = await sandbox.json("preview", planId);
    writeFileSync(join(dir.path, "notes/a.txt"), "other\n");
    const approve = ["apply", planId, "--approve", String(report["change_set_id"]), "--json"];
    const applied = await countSpawns(sandbox, ...approve);
    expect(applied.report).toMatchObject({ status: "committed", check: { ok: true } });
    expect(applied.spawns.length).toBeGreaterThan(0);
  });
});

describe.if(hasOverlay)("a check before the question leaves nothing behind that", () => {
  test.each([
    ["formats", "echo formatted > a.txt", true],
    ["generates", "mkdir -p gen && echo 1 > gen/made.ts && echo 2 > bun.lock", true],
    ["leaves files", "mkdir -p coverage target && touch coverage/x target/y .env left", true],
    ["cleans", "rm -rf a.txt README.md; ls -A", true],
    ["fails", "echo no > left; exit 4", false],
    ["hangs", "touch left; sleep 600; true NAME", false],
    ["forks", "setsid sh -c 'trap \"\" TERM HUP; touch left; sleep 600; true NAME' & exit 0", true],
    ["attacks the roll-back", "rm -rf .papa-yu .git; echo x > .papa-yu/tx/x; exit 0", true],
  ])("%s", async (_, script, passes) => {
    using dir = tempDir();
    const name = crypto.randomUUID();
    const check = script.replace("NAME", name);
    const limit = script.startsWith("touch left; sleep") ? "check_timeout_s = 1\n" : "";
    const sandbox = prepare(dir.path, check, limit);
    const original = files(sandbox);
    const planId = await plan(sandbox);
    const { report } = await sandbox.json("preview", planId);
    expect(report).toMatchObject({ ok: true, view: "overlay", check: { ok: passes } });
    expect(files(sandbox)).toEqual(original);
    expect(await areGone(name)).toBe(true);
    const { exitCode, report: applied } = await sandbox.json("apply", planId, "--yes");
    // What fails here fails without the change, too: no program says yes to that.
    expect(exitCode).toBe(passes ? 0 : 3);
    const expected = passes ? { ok: true, touched: true } : { ok: false, touched: false };
    expect(applied).toMatchObject(expected);
    const now = Object.keys(files(sandbox));
    expect(now).toContain("a.txt");
    expect(now.filter((path) => /left|gen|coverage|target|lock|\.env$/u.test(path))).toEqual([]);
    if (!passes) expect(files(sandbox)).toEqual(original);
    expect(await areGone(name)).toBe(true);
  });
});

describe.if(hasOverlay)("what fails without the change as well", () => {
  test("is applied by nobody but who names what they saw", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, "echo 'not ok 1 - old'; exit 1");
    const planId = await plan(sandbox);
    const yes = await sandbox.json("apply", planId, "--yes");
    expect(yes.exitCode).toBe(3);
    expect(yes.report).toMatchObject({
      error_code: "CONFIRM_REQUIRED",
      touched: false,
      check: { ok: false, baseline: { ok: false, same_failure: true, failing_before: ["old"] } },
    });
    const id = String(yes.report["change_set_id"]);
    const { exitCode, report } = await sandbox.json("apply", planId, "--approve", id);
    expect({ exitCode, report }).toMatchObject({ exitCode: 0, report: { status: "committed" } });
  });

  test("is asked for on the phone, and approved anyway by a button that says so", async () => {
    using dir = tempDir();
    await using bot = await startBotApi();
    const telegram = `[http]\nenabled = false\n[telegram]\napi_root = "${bot.url}"\nallowed_user_ids = [501]\n`;
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    const check = JSON.stringify([["sh", "-c", "echo broken; exit 1"]]);
    const workspace = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${check}\n`;
    const sandbox = createSandbox(dir.path, telegram + workspace, {
      TELEGRAM_BOT_TOKEN: bot.token,
    });
    await using _daemon = await sandbox.host();
    bot.say(501, `plan: ${GOAL}`);
    await bot.tap(501, "Apply");
    const shown = await bot.waitForText("It fails without this change as well.");
    expect(shown.buttons.map(({ label }) => label)).toEqual([
      "Approve anyway",
      "Reject",
      "Show output",
      "Plan a fix",
    ]);
    expect(files(sandbox)).toEqual(readTree(join(dir.path, "notes")));
    expect(existsSync(join(dir.path, "notes/README.md"))).toBe(false);
    await bot.tap(501, "Approve anyway");
    await bot.waitForText(/Applied in notes/);
    expect(existsSync(join(dir.path, "notes/README.md"))).toBe(true);
  });
});

describe.if(hasOverlay)("papayu check", () => {
  test("runs the checks on the folder as it is and writes nothing to it", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, "cat a.txt; echo left > left.txt; grep -q x a.txt");
    const original = files(sandbox);
    const good = await sandbox.json("check", "-w", "notes");
    expect(good).toMatchObject({
      exitCode: 0,
      report: { ok: true, view: "overlay", check: { ok: true, stages: [{ output: "x\n" }] } },
    });
    expect(files(sandbox)).toEqual(original);
    writeFileSync(join(dir.path, "notes/a.txt"), "y\n");
    const bad = await sandbox.run("check", "-w", "notes");
    expect(bad.exitCode).toBe(1);
    expect(bad.stdout).toContain("✗");
    expect(existsSync(join(dir.path, "notes/left.txt"))).toBe(false);
  });

  test("says why where nothing can be viewed, and runs nothing under readonly", async () => {
    using dir = tempDir();
    const none = prepare(dir.path, "touch ran", '[security]\nsandbox = "none"\n');
    const { exitCode, report } = await none.json("check", "-w", "notes");
    expect({ exitCode, report }).toMatchObject({
      exitCode: 1,
      report: { view: "none", error_code: "ERR_SANDBOX" },
    });
    using other = tempDir();
    const readonly = prepare(other.path, "touch ran", '[security]\nautonomy = "readonly"\n');
    const denied = await readonly.json("check", "-w", "notes");
    expect(denied).toMatchObject({ exitCode: 1, report: { error_code: "denied" } });
    expect(existsSync(join(dir.path, "notes/ran"))).toBe(false);
  });
});
