import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const CONFIG = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
const GOAL = "add what a newcomer would miss";

describe("papayu plan, preview, apply, undo, redo, history", () => {
  test("go from a goal to a changed folder and back, byte for byte", async () => {
    using dir = tempDir();
    const folder = join(dir.path, "notes");
    writeTree(folder, { "a.txt": "one\r\ntwo", "deep/b.md": "# b\n" });
    const sandbox = createSandbox(dir.path, CONFIG);
    const original = readTree(folder);

    const plan = await sandbox.json("plan", GOAL, "-w", "notes");
    const planId = String(plan.report["plan_id"]);
    expect(planId).toMatch(/^plan_/);
    expect(plan).toMatchObject({
      exitCode: 0,
      report: { ok: true, actions: [], protocol_version_used: 2 },
    });

    const preview = await sandbox.json("preview", planId);
    expect(String(preview.report["change_set_id"])).toMatch(/^[0-9a-f]{64}$/);
    expect(String(preview.report["diff"])).toContain("+++ b/README.md");
    expect(preview.report).toMatchObject({ ok: true, plan_id: planId, blocked: [] });
    expect(readTree(folder)).toEqual(original);

    const refused = await sandbox.json("apply", planId);
    expect(refused).toMatchObject({
      exitCode: 3,
      report: { ok: false, error_code: "CONFIRM_REQUIRED" },
    });
    expect(readTree(folder)).toEqual(original);

    const applied = await sandbox.json("apply", planId, "--yes");
    expect(applied).toMatchObject({
      exitCode: 0,
      report: { ok: true, status: "committed", change_set_id: preview.report["change_set_id"] },
    });
    const changed = readTree(folder);
    expect(changed).not.toEqual(original);

    expect(await sandbox.json("undo")).toMatchObject({ exitCode: 0, report: { status: "undone" } });
    expect(readTree(folder)).toEqual(original);
    expect(await sandbox.json("undo")).toMatchObject({
      exitCode: 1,
      report: { error_code: "UNDO_NOTHING" },
    });
    expect(await sandbox.json("redo")).toMatchObject({ exitCode: 0, report: { status: "redone" } });
    expect(readTree(folder)).toEqual(changed);
    const listed = await sandbox.run("history", "--json");
    const history: { readonly entries: readonly unknown[] } = JSON.parse(listed.stdout);
    const [first] = history.entries;
    expect(history).toMatchObject({
      ok: true,
      entries: [{ kind: "apply" }, { kind: "undo" }, { kind: "redo" }],
    });
    expect(first).toMatchObject({
      tx_id: expect.stringMatching(/^tx_/),
      status: "committed",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      summary: GOAL,
      change_set_id: preview.report["change_set_id"],
      changes: expect.arrayContaining([
        {
          path: "README.md",
          kind: "create",
          before_sha256: null,
          after_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ]),
    });
    expect((await sandbox.run("history")).stdout).toMatch(/undo {3}committed {4}\d changes?: /);
  });

  test("refuse a change set whose files were edited after the preview, and change nothing", async () => {
    using dir = tempDir();
    const folder = join(dir.path, "notes");
    const loop =
      "export function sum(xs: number[]) {\n  let s = 0;\n  for (let i = 0; i <= xs.length; i++) {\n    s += xs[i];\n  }\n  return s;\n}\n";
    writeTree(folder, { "package.json": '{"name":"n"}\n', "sum.ts": loop });
    const sandbox = createSandbox(dir.path, CONFIG);
    const { report } = await sandbox.json("plan", "fix the bug", "-w", "notes");
    const planId = String(report["plan_id"]);
    expect((await sandbox.json("preview", planId)).report).toMatchObject({ ok: true });
    await Bun.write(join(folder, "sum.ts"), `// mine\n${loop}`);
    const edited = readTree(folder);
    const applied = await sandbox.json("apply", planId, "--yes");
    expect(applied).toMatchObject({
      exitCode: 1,
      report: { status: "rejected", error_code: "ERR_BASE_MISMATCH" },
    });
    for (const args of [
      ["preview", planId],
      ["apply", planId, "--yes"],
    ]) {
      expect((await sandbox.run(...args)).stderr).toEndWith(
        "next: papayu plan 'fix the bug' -w notes\n",
      );
    }
    expect(readTree(folder)).toEqual(edited);
  });

  test("apply --goal plans and applies at once, and says no_changes the second time", async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    const sandbox = createSandbox(dir.path, CONFIG);
    const first = await sandbox.json("apply", "--goal", GOAL, "-w", "notes", "--yes");
    expect(first.report).toMatchObject({ status: "committed" });
    const second = await sandbox.json("apply", "--goal", GOAL, "-w", "notes", "--yes");
    expect(second).toMatchObject({ exitCode: 0, report: { ok: true, status: "no_changes" } });
  });
});

describe("papayu ask", () => {
  test("answers with one model call and a small request", async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    await using model = startModelServer([{ kind: "text", text: "hi there" }]);
    const provider = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n`;
    const sandbox = createSandbox(dir.path, provider + CONFIG);
    const { exitCode, report } = await sandbox.json("ask", "hi");
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ ok: true, text: "hi there", tool_calls: [], model_calls: 1 });
    expect(Buffer.byteLength(model.requests[0]?.text ?? "")).toBeLessThan(5700);
  });

  test("lets the model read a file and refuses a protected one", async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { "a.txt": "forty-two\n", ".env": "KEY=hidden-value\n" });
    const call = (path: string) => ({ name: "read_file", arguments: { path } });
    await using model = startModelServer([
      { kind: "tools", calls: [call("a.txt"), call(".env"), call("../config.toml")] },
      { kind: "text", text: "done" },
    ]);
    const provider = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n`;
    const { report } = await createSandbox(dir.path, provider + CONFIG).json("ask", "look");
    expect(report).toMatchObject({
      ok: true,
      tool_calls: [
        { name: "read_file", args: { path: "a.txt" }, ok: true },
        { ok: false, error_code: "denied" },
        { ok: false, error_code: expect.stringMatching(/denied|invalid_args/) },
      ],
    });
    expect(model.requests[1]?.text).toContain("forty-two");
    expect(model.requests[1]?.text).not.toContain("hidden-value");
  });

  test("exits 3 and says so when a call wanted a yes that nobody could give", async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    const touch = { name: "run_command", arguments: { argv: ["touch", "b.txt"] } };
    const read = { name: "read_file", arguments: { path: "a.txt" } };
    await using model = startModelServer([
      { kind: "tools", calls: [touch, read] },
      { kind: "text", text: "I could not" },
    ]);
    const provider = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n`;
    const { exitCode, report } = await createSandbox(dir.path, provider + CONFIG).json("ask", "do");
    expect(exitCode).toBe(3);
    expect(report).toMatchObject({
      ok: false,
      text: "I could not",
      tool_calls: [
        { name: "run_command", ok: false, error_code: "CONFIRM_REQUIRED" },
        { name: "read_file", ok: true },
      ],
      error: "Cannot run run_command: it needs a yes on a terminal",
      error_code: "CONFIRM_REQUIRED",
      error_category: "CONFIRM_REQUIRED",
    });
    expect(await Bun.file(join(dir.path, "notes/b.txt")).exists()).toBe(false);
  });

  test("exits 1 with the category when the provider refuses, without its key in any output", async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    const key = "sk-very-secret-key-0123456789";
    const body = { error: { message: `bad key ${key}` } };
    await using model = startModelServer([{ kind: "status", status: 401, body }]);
    const provider = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\napi_key = "env:K"\n`;
    const sandbox = createSandbox(dir.path, provider + CONFIG, { K: key });
    const ran = await sandbox.run("ask", "hi", "--json");
    expect(ran.exitCode).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: false, error_category: "LLM_REQUEST" });
    expect(ran.stdout + ran.stderr).not.toContain(key);
  });
});

describe("papayu usage", () => {
  test.each([
    [["nonsense"], 2, /no command "nonsense"/],
    [["plan"], 2, /usage: papayu plan GOAL/],
    [["plan", "x", "--bogus"], 2, /bogus/],
    [["apply"], 2, /one of PLAN_ID, --goal and --patch/],
    [["preview", "plan_unknown"], 2, /Cannot find the plan "plan_unknown"/],
    [["plan", "x", "-w", "nowhere"], 2, /nowhere/],
    [["status"], 4, /not running/],
    [["stop"], 4, /not running/],
    [["chat"], 4, /No daemon answers/],
  ])("%j exits %d and says why", async (args, exitCode, message) => {
    using dir = tempDir();
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    const ran = await createSandbox(dir.path, CONFIG).run(...args);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stdout + ran.stderr).toMatch(message);
  });

  test("a broken configuration exits 2 with file, line and key", async () => {
    using dir = tempDir();
    const ran = await createSandbox(dir.path, `${CONFIG}[agent]\nmax_tool_iteration = 3\n`).run(
      "config",
      "check",
    );
    expect(ran.exitCode).toBe(2);
    expect(ran.stdout + ran.stderr).toMatch(/config\.toml:6.*max_tool_iteration/);
  });
});
