import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { oneOf } from "../support/long.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { RIGHT } from "./right-commands.ts";

const WORKSPACE = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';

/** What has to work on the worst of days, or has no document. */
const WITHOUT_CONFIG = new Set([
  "init",
  "demo",
  "stop",
  "status",
  "logs",
  "open",
  "chat",
  "doctor",
]);

function prepare(dir: string, config = WORKSPACE, env = {}): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  return createSandbox(dir, config, env);
}

/** Runs commands side by side; gives each one's exit code and its one document. */
async function runAll(sandbox: Sandbox, commands: readonly (readonly string[])[]) {
  const ran = await Promise.all(
    commands.map(async (args) => ({ args, ...(await sandbox.run(...args, "--json")) })),
  );
  return ran.map(({ args, exitCode, stdout }) => ({ args, exitCode, report: parseOne(stdout) }));
}

function parseOne(stdout: string): Readonly<Record<string, unknown>> {
  expect(stdout).toMatch(/^\S.*\n$|^\[\n[\s\S]*\]\n$/);
  return JSON.parse(stdout);
}

describe("--json", () => {
  test("is one document for every command that is used wrongly", async () => {
    expect(Object.keys(RIGHT).toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
    using dir = tempDir();
    const wrong = oneOf(4, Object.keys(COMMANDS)).map((name) => [name, "--bogus"]);
    const commands = [
      ...wrong,
      [],
      ["nonsense"],
      ["toString"],
      ["plan"],
      ["apply"],
      ["apply", "a", "b"],
    ];
    const ran = await runAll(prepare(dir.path), commands);
    for (const { args, exitCode, report } of ran) {
      expect({ args, exitCode, report }).toMatchObject({
        exitCode: 2,
        report: { ok: false, error: expect.any(String), error_code: "ERR_USAGE" },
      });
    }
  });

  test("is one document for every command whose configuration is broken", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, `${WORKSPACE}[agent]\nmax_tool_iteration = 3\n`);
    const others = Object.keys(RIGHT).filter((name) => !WITHOUT_CONFIG.has(name));
    const commands = oneOf(3, others).map((name) => RIGHT[name] ?? []);
    for (const { args, exitCode, report } of await runAll(sandbox, commands)) {
      expect({ args, exitCode, report }).toMatchObject({
        exitCode: 2,
        report: { ok: false, error_code: "ERR_CONFIG_INVALID", problems: [{ line: 6 }] },
      });
    }
  });

  test("has the fields of a command's document also when the command fails", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const ran = await runAll(sandbox, [
      RIGHT["preview"] ?? [],
      RIGHT["apply"] ?? [],
      ["undo", "-w", "nowhere"],
      ["history", "-w", "nowhere"],
    ]);
    expect(ran.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2]);
    expect(ran.map(({ report }) => report)).toMatchObject([
      { ok: false, change_set_id: null, changes: [], diff: "", blocked: [] },
      { ok: false, status: "rejected", changes: [] },
      { ok: false, status: "rejected", changes: [] },
      { ok: false, entries: [] },
    ]);
  });

  test("is one document when the home folder cannot be made", async () => {
    using dir = tempDir();
    const home = join(dir.path, "config.toml/home");
    const sandbox = prepare(dir.path, WORKSPACE, { PAPAYU_HOME: home });
    const commands = [["plan", "x"], ["start"], ["start", "--detach"], ["history"]];
    for (const { args, exitCode, report } of await runAll(sandbox, commands)) {
      expect({ args, exitCode, report }).toMatchObject({
        exitCode: 1,
        report: { ok: false, error_code: "ERR_IO", error: expect.stringContaining(home) },
      });
    }
  });

  test("stays whole when its reader is slow, and no stack is shown when the reader leaves", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    writeTree(join(dir.path, "notes"), { "big.txt": "y\n".repeat(10) });
    const shell = async (script: string) => {
      const main = papayuProgram();
      const command = ["sh", "-c", script, process.execPath, main];
      const child = Bun.spawn(command, { cwd: dir.path, env: sandbox.env, stderr: "pipe" });
      const read = [new Response(child.stdout).text(), new Response(child.stderr).text()] as const;
      const [stdout, stderr] = await Promise.all(read);
      return { stdout, stderr };
    };
    const help = (await sandbox.run("--help")).stdout;
    expect((await shell('"$0" "$1" --help | (sleep 0.3; cat)')).stdout).toBe(help);
    expect((await shell('"$0" "$1" --help | true')).stderr).toBe("");
  });
});

describe("commands without a model", () => {
  const config = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "http://127.0.0.1:1"\nmodel = "x"\napi_key = "env:NOT_SET"\n${WORKSPACE}`;

  test("work while the provider's key is missing; the others exit 2 and name it", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, config);
    const able = [
      ["history"],
      ["recover"],
      ["trace", "list"],
      ["report"],
      ["routine", "list"],
      ["routine", "logs"],
      ["config", "check"],
    ];
    const ran = await runAll(sandbox, able);
    expect(ran.map(({ exitCode }) => exitCode)).toEqual(able.map(() => 0));
    expect(await sandbox.json("undo")).toMatchObject({
      exitCode: 1,
      report: { error_code: "UNDO_NOTHING" },
    });
    for (const { exitCode, report } of await runAll(sandbox, [
      ["plan", "x"],
      ["ask", "x"],
      ["start"],
    ])) {
      expect(exitCode).toBe(2);
      expect(report).toMatchObject({ error_code: "ERR_SECRET_UNAVAILABLE" });
      expect(report["error"]).toContain("NOT_SET");
    }
  });
});
