import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type InputSpec, readInput } from "../../src/cli/changes/read-input.ts";
import { AppError } from "../../src/core/app-error.ts";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { openBeside } from "../support/open-beside.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n";

function prepare(dir: string, check = "false", more = ""): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n", "run.sh": "echo\n" });
  writeFileSync(join(dir, "fix.diff"), PATCH);
  const workspace = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${check}\n`;
  return createSandbox(dir, more + workspace);
}

function textOf(dir: string): string {
  return readFileSync(join(dir, "notes/a.txt"), "utf8");
}

async function sayJson(sandbox: Sandbox, input: string, ...args: string[]) {
  const { exitCode, stdout } = await sandbox.say(input, ...args, "--json");
  return { exitCode, report: JSON.parse(stdout) };
}

describe("papayu apply --patch", () => {
  test("asks for a yes, takes the id it gives, is in the history and goes back", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const before = readTree(join(dir.path, "notes"));
    const asked = await sandbox.json("apply", "--patch", "fix.diff", "-w", "notes");
    expect(asked).toMatchObject({
      exitCode: 3,
      report: {
        status: "rejected",
        touched: false,
        error_code: "CONFIRM_REQUIRED",
        changes: [{ path: "a.txt", kind: "update", added: 1, removed: 1 }],
      },
    });
    expect(asked.report).not.toHaveProperty("trace_id");
    const { plan_id: planId = "", change_set_id: id = "" } = asked.report;
    expect((await sandbox.json("preview", planId)).report).toMatchObject({
      ok: true,
      change_set_id: id,
      diff: expect.stringContaining("+y"),
    });
    expect(textOf(dir.path)).toBe("x\n");
    expect(await sandbox.json("apply", planId, "--approve", id)).toMatchObject({
      exitCode: 0,
      report: { ok: true, status: "committed", touched: true },
    });
    expect(textOf(dir.path)).toBe("y\n");
    const { report } = await sandbox.json("history", "-w", "notes");
    expect(report).toMatchObject({ entries: [{ summary: "patch fix.diff", kind: "apply" }] });
    expect((await sandbox.json("undo", "-w", "notes")).exitCode).toBe(0);
    expect(readTree(join(dir.path, "notes"))).toEqual(before);
  });

  test("takes stdin, which leaves nobody to ask", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const args = ["apply", "--patch", "-", "-w", "notes"];
    expect(await sayJson(sandbox, PATCH, ...args)).toMatchObject({ exitCode: 3 });
    expect(await sayJson(sandbox, PATCH, ...args, "--yes")).toMatchObject({
      exitCode: 0,
      report: { ok: true, status: "committed" },
    });
    expect(textOf(dir.path)).toBe("y\n");
    expect(await sayJson(sandbox, "", ...args, "--yes")).toMatchObject({
      exitCode: 1,
      report: { ok: false, status: "rejected", error_code: "ERR_PATCH_REQUIRED", changes: [] },
    });
  });

  test("asks on a terminal", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using terminal = sandbox.terminal("apply", "--patch", "fix.diff", "-w", "notes");
    const screen = await terminal.waitFor(/Apply this change\? \[y\/N\] /);
    expect(screen).toContain("\u001b[32m+y\u001b[0m");
    terminal.type("y\r");
    await terminal.waitFor(/Applied in notes/);
    expect(await terminal.exited).toBe(0);
  });

  test("gives the command to approve with where nobody is there, and takes the id of a preview", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const asked = await sandbox.run("apply", "--patch", "fix.diff", "-w", "notes");
    expect(asked.exitCode).toBe(3);
    const next = /^next: papayu apply (\S+) --approve ([0-9a-f]{64})$/m;
    const [, planId = "", id = ""] = next.exec(asked.stderr) ?? [];
    const { stdout } = await sandbox.run("preview", planId);
    const [, short = ""] = /\(([0-9a-f]{12})\)/.exec(stdout) ?? [];
    expect(id).toStartWith(short);
    const stale = { exitCode: 1, report: { error_code: "ERR_CHANGE_SET_STALE", touched: false } };
    const other = short.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    expect(await sandbox.json("apply", planId, "--approve", other)).toMatchObject(stale);
    const tooShort = await sandbox.json("apply", planId, "--approve", short.slice(1));
    expect(tooShort).toMatchObject({ exitCode: 2, report: { error_code: "ERR_USAGE" } });
    expect(textOf(dir.path)).toBe("x\n");
    expect((await sandbox.run("apply", planId, "--approve", short)).exitCode).toBe(0);
    expect(textOf(dir.path)).toBe("y\n");
  });

  test("names no goal to plan again where its file is another by now: it has none", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const { report } = await sandbox.json("apply", "--patch", "fix.diff", "-w", "notes");
    writeFileSync(join(dir.path, "notes/a.txt"), "mine\n");
    const again = ["apply", report["plan_id"], "--approve", report["change_set_id"]];
    for (const args of [again, ["preview", report["plan_id"]]]) {
      const { exitCode, stderr } = await sandbox.run(...args.map(String));
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: expect.not.stringContaining("papayu plan"),
      });
    }
    expect(textOf(dir.path)).toBe("mine\n");
  });

  test("writes nothing where a check fails, and has no author correct it", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, '[["false"]]', "[agent]\nmax_fix_rounds = 2\n");
    const args = ["apply", "--patch", "fix.diff", "-w", "notes", "--yes"];
    const { exitCode, report } = await sandbox.json(...args);
    expect([1, 3]).toContain(exitCode); // 3: it fails without the patch as well, and a person decides
    expect(report).toMatchObject({ ok: false, touched: false });
    expect(textOf(dir.path)).toBe("x\n");
  });

  test("is denied under readonly, and needs no yes under full autonomy", async () => {
    using dir = tempDir();
    const args = ["apply", "--patch", "fix.diff", "-w", "notes"];
    const readonly = prepare(dir.path, "false", '[security]\nautonomy = "readonly"\n');
    expect(await readonly.json(...args, "--yes")).toMatchObject({
      exitCode: 1,
      report: { error_code: "denied", touched: false },
    });
    const full = prepare(dir.path, "false", '[security]\nautonomy = "full"\n');
    expect(await full.json(...args)).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ["en", "run.sh: the mode 100755 of the patch is not set"],
    ["ru", "run.sh: права 100755 из патча не выставлены"],
    ["zh", "run.sh：未设置补丁中的权限 100755"],
  ])("says in %s which mode it does not set", async (language, sentence) => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, "false", `[default]\nlanguage = "${language}"\n`);
    const mode = "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n";
    const args = ["apply", "--patch", "-", "-w", "notes", "--yes"];
    const { exitCode, stdout } = await sandbox.say(PATCH + mode, ...args);
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(sentence),
    });
  });

  test("names every file that is at fault", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const patch = `${PATCH}${PATCH.replaceAll("a.txt", "run.sh")}`;
    const args = ["apply", "--patch", "-", "-w", "notes", "--yes"];
    expect(await sayJson(sandbox, patch, ...args)).toMatchObject({
      exitCode: 1,
      report: {
        ok: false,
        status: "rejected",
        touched: false,
        blocked: [{ path: "run.sh", error_code: "ERR_PATCH_APPLY_FAILED" }],
      },
    });
    expect(textOf(dir.path)).toBe("x\n");
  });

  test.each([
    [["apply", "--patch", "fix.diff", "plan_1"], 2],
    [["apply", "--patch", "fix.diff", "--goal", "x"], 2],
    [["apply", "--patch", "fix.diff", "--protocol", "1"], 2],
    [["apply", "--patch", "none.diff"], 1],
    [["apply", "--patch", "notes"], 1],
  ])("%j exits with %d", async (args, exitCode) => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    expect(await sandbox.json(...args, "--yes")).toMatchObject({
      exitCode,
      report: { ok: false, status: "rejected", changes: [] },
    });
  });

  test.each([
    ["Latin-1", Buffer.from("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+\xe4\n", "latin1")],
    ["UTF-16", Buffer.from(`\uFEFF${PATCH}`, "utf16le")],
    ["bytes", Buffer.from([0, 1, 2, 255, 254])],
  ])("refuses a patch in %s", async (_, bytes) => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    writeFileSync(join(dir.path, "fix.diff"), bytes);
    expect(await sandbox.json("apply", "--patch", "fix.diff", "--yes")).toMatchObject({
      exitCode: 1,
      report: { error_code: "ERR_NON_UTF8_FILE" },
    });
  });

  test("a plan whose changes are lost asks no author for others", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const { plan_id: planId = "" } = (await sandbox.json("apply", "--patch", "fix.diff")).report;
    using database = openBeside(join(sandbox.home, "state.db"));
    database.run("UPDATE change_sets SET actions_json = '['");
    expect(await sandbox.json("apply", planId, "--yes")).toMatchObject({
      exitCode: 1,
      report: { error_code: "ERR_PLAN_UNKNOWN", touched: false },
    });
  });
});

describe("readInput()", () => {
  const SPEC: InputSpec = { name: "-", verb: "read", mostBytes: 1000, ifTooLarge: "split it" };
  const signal = new AbortController().signal;
  const caller = { cwd: "/", env: {}, userHome: "/" };
  const failure = (...args: Parameters<typeof readInput>) =>
    readInput(...args).then(
      () => "it was read",
      (error: unknown) => error,
    );
  const from = (stdin: Readable) => ({ caller, signal, stdin });

  test("ends at its bound where the input has no end", async () => {
    let given = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          given++;
          yield Buffer.alloc(100);
        }
      })(),
    );
    expect(await failure(SPEC, from(endless))).toMatchObject({ code: "too_large" });
    expect(given).toBeLessThan(100);
    const zero = { ...SPEC, name: "/dev/zero" };
    expect(await failure(zero, from(endless))).toMatchObject({ code: "too_large" });
  });

  test("ends where nothing comes, on stdin and on a pipe that nobody writes to", async () => {
    using dir = tempDir();
    const fifo = join(dir.path, "fifo");
    expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0);
    const silent = new Readable({ read() {} });
    for (const name of ["-", fifo]) {
      const said = await failure({ ...SPEC, name }, from(silent), 50);
      expect(said).toMatchObject({ code: "ERR_IO" });
    }
    writeFileSync(fifo, "", { flag: "r+" }); // lets go of whoever waits to open it
  });

  test("ends with the command", async () => {
    const stop = new AbortController();
    const said = failure(SPEC, { ...from(new Readable({ read() {} })), signal: stop.signal });
    stop.abort(new AppError("ERR_CANCELLED", "stopped"));
    expect(await said).toMatchObject({ code: "ERR_CANCELLED" });
  });

  test("reads a pipe to its end", async () => {
    using dir = tempDir();
    const fifo = join(dir.path, "fifo");
    expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0);
    const writing = Bun.spawn(["sh", "-c", `printf 'a\\nb' > '${fifo}'`]);
    expect(await readInput({ ...SPEC, name: fifo }, from(Readable.from([])))).toBe("a\nb");
    await writing.exited;
  });
});
