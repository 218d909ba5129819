import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createSandbox, openTerminal, type Sandbox } from "../e2e/papayu.ts";
import { startModelServer } from "../support/model-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const GOAL = "plan: add what a newcomer would miss";
const [CTRL_C, CTRL_D] = ["\x03", "\x04"];
/** The prompt as it is when it is a person's turn. */
const TURN = /› /;

function prepare(
  dir: string,
  more = "",
  check = "false",
  env: Record<string, string> = {},
): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const workspace = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${check}\n`;
  return createSandbox(dir, more + workspace, env);
}

function withModel(url: string): string {
  return `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${url}"\nmodel = "x"\n`;
}

describe("papayu start in a terminal", () => {
  test("greets, plans, shows a coloured diff, asks, applies after y and undoes", async () => {
    using dir = tempDir();
    await using terminal = prepare(dir.path).terminal("start");
    const greeting = await terminal.waitFor(TURN);
    expect(greeting).toContain("is ready");
    expect(greeting).toContain(`notes (${join(dir.path, "notes")})`);
    expect(greeting).toContain(GOAL);
    const original = readTree(join(dir.path, "notes"));

    terminal.type(`${GOAL}\r`);
    await terminal.waitFor(/README[\s\S]*› /);
    terminal.type("ok\r");
    expect(await terminal.waitFor(/Apply\? \[y\/N\] /)).toContain("\x1b[32m+# notes\x1b[0m");
    expect(readTree(join(dir.path, "notes"))).toEqual(original);
    terminal.type("y\r");
    await terminal.waitFor(/Applied in notes[\s\S]*› /);
    expect(readTree(join(dir.path, "notes"))).not.toEqual(original);
    terminal.type("/undo\r");
    await terminal.waitFor(/Undone in notes[\s\S]*› /);
    expect(readTree(join(dir.path, "notes"))).toEqual(original);

    terminal.type(CTRL_D);
    await terminal.waitFor(/Stopping/);
    expect(await terminal.exited).toBe(0);
  });

  test("shows what a check prints while it runs, in lines that are gone with the next text", async () => {
    using dir = tempDir();
    const check = `[["sh", "-c", "for i in 1 2 3 4; do echo line $i; done; sleep 300"]]`;
    await using terminal = prepare(dir.path, "", check).terminal("start");
    await terminal.waitFor(TURN);
    terminal.type(`${GOAL}\r`);
    await terminal.waitFor(/README[\s\S]*› /);
    terminal.type("ok\r");
    const shown = await terminal.waitFor(/line 4/);
    expect(shown).toMatch(
      /… [^\n]*sh -c [^\n]*\n[^\n]*line 2[^\n]*\n[^\n]*line 3[^\n]*\n[^\n]*line 4/u,
    );
    expect(shown).not.toContain("line 1");
    terminal.type(CTRL_C);
    await terminal.waitFor(TURN);
    terminal.type(CTRL_D);
    await terminal.waitFor(/Stopping/);
    expect(await terminal.exited).toBe(0);
  });

  test("edits the line, remembers lines, and writes its log to the file", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using terminal = sandbox.terminal("start");
    await terminal.waitFor(TURN);
    terminal.type("xws\x01\x1b[3~/\r"); // to the start, delete one, type /
    await terminal.waitFor(/▸ notes[\s\S]*› /);
    terminal.type("\x1b[A\r"); // the line before
    await terminal.waitFor(/▸ notes[\s\S]*› /);
    expect(terminal.screen()).not.toContain("DAEMON_READY");
    const log = await Bun.file(join(sandbox.home, "logs/papayu.log")).text();
    expect(log).toContain("DAEMON_READY");
    terminal.kill("SIGTERM");
    expect(await terminal.exited).toBe(0);
  });

  test.each(["xterm", "dumb"])("Ctrl-C drops the typed line, another leaves: %s", async (TERM) => {
    using dir = tempDir();
    await using terminal = prepare(dir.path, "", "false", { TERM }).terminal("start");
    await terminal.waitFor(TURN);
    terminal.type(`plan: never sent${CTRL_C}`);
    await terminal.waitFor(/Ctrl-C again leaves[\s\S]*› /);
    terminal.type("/ws\r"); // what was dropped is not in front of it
    await terminal.waitFor(/▸ notes[\s\S]*› /);
    terminal.type(CTRL_C);
    await terminal.waitFor(/Stopping/);
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).not.toContain("Plan:");
  });

  test("ends in order when its window is closed", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using terminal = sandbox.terminal("start");
    await terminal.waitFor(TURN);
    terminal.hangUp();
    expect(await terminal.exited).toBe(0);
    const log = await Bun.file(join(sandbox.home, "logs/papayu.log")).text();
    expect(log).toContain("DAEMON_STOPPED");
  });
});

describe("papayu chat in a terminal", () => {
  test("streams the answer, Ctrl-C cancels the turn and keeps the chat", async () => {
    using dir = tempDir();
    const text = "one two three four five";
    await using model = startModelServer([
      { kind: "text", text, chunkChars: 4 },
      { kind: "hang" },
      { kind: "hang" },
      { kind: "text", text: "still here" },
    ]);
    const sandbox = prepare(dir.path, withModel(model.url));
    await using _daemon = await sandbox.host();
    await using terminal = sandbox.terminal("chat");
    await terminal.waitFor(TURN);
    terminal.type("hi\r");
    await terminal.waitFor(/one two three four five[\s\S]*› /);

    terminal.type("think long\r");
    await arrived(model, 2);
    terminal.type(CTRL_C);
    await terminal.waitFor(/ERR_CANCELLED[\s\S]*› /);
    terminal.type("think long again\r");
    await arrived(model, 3);
    terminal.typeAhead("/cancel\r");
    await terminal.waitFor(/ERR_CANCELLED[\s\S]*› /);

    terminal.type("are you there?\r");
    await terminal.waitFor(/still here[\s\S]*› /);
    terminal.type(CTRL_D);
    expect(await terminal.exited).toBe(0);
  });

  test("takes no answer that was typed before the question", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    await using terminal = sandbox.terminal("chat");
    await terminal.waitFor(TURN);
    terminal.type(`${GOAL}\rok\ry\ry\r`);
    await terminal.waitFor(/Apply\? \[y\/N\] /);
    terminal.type("\r");
    await terminal.waitFor(/Nothing was changed[\s\S]*› /);
    expect(Object.keys(readTree(join(dir.path, "notes")))).toEqual(["a.txt"]);
  });

  test("Ctrl-C at the question is a no", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    await using terminal = sandbox.terminal("chat");
    await terminal.waitFor(TURN);
    terminal.type(`${GOAL}\r`);
    await terminal.waitFor(/README[\s\S]*› /);
    terminal.type("ok\r");
    await terminal.waitFor(/Apply\? \[y\/N\] /);
    terminal.type(CTRL_C);
    await terminal.waitFor(/Nothing was changed[\s\S]*› /);
    expect(Object.keys(readTree(join(dir.path, "notes")))).toEqual(["a.txt"]);
  });
});

test("a chat at a keyboard whose answers go into a pipe takes no y that was typed before", async () => {
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  await using _daemon = await sandbox.host();
  const command = ["sh", "-c", 'exec "$@" | cat', "sh", process.execPath, papayuProgram(), "chat"];
  await using terminal = openTerminal(command, { cwd: dir.path, env: { ...sandbox.env } });
  terminal.typeAhead(`${GOAL}\rok\ry\r`);
  await terminal.waitFor(/Apply\? \[y\/N\] /);
  terminal.type("\r");
  await terminal.waitFor(/Nothing was changed/);
  expect(Object.keys(readTree(join(dir.path, "notes")))).toEqual(["a.txt"]);
  terminal.typeAhead(`ok\r`);
  await terminal.waitFor(/Apply\? \[y\/N\] /);
  terminal.type("y\r");
  await terminal.waitFor(/Applied in notes/);
  terminal.type(CTRL_D);
  expect(await terminal.exited).toBe(0);
});

describe("papayu chat by pipe", () => {
  test("answers each line after the one before, up to the approval", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    const ran = await sandbox.say(`${GOAL}\nok\ny\n/undo\n`, "chat");
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toMatch(
      /README[\s\S]*Apply\? \[y\/N\] y\n[\s\S]*Applied in notes[\s\S]*Undone/,
    );
    expect(ran.stdout).not.toContain("\x1b");
  });

  test("applies nothing after an ok that was sent once too often", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    const ran = await sandbox.say(`${GOAL}\nok\nok\n`, "chat");
    expect(ran.stdout).toContain("Apply? [y/N] ok\n");
    expect(Object.keys(readTree(join(dir.path, "notes")))).toEqual(["a.txt"]);
  });

  test("never carries lines over to another workspace than -w names", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    for (const wrong of ["nowhere", join(dir.path, "home")]) {
      const ran = await sandbox.say(`${GOAL}\nok\ny\n`, "chat", "-w", wrong);
      expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
      expect(ran.stderr).toContain("ERR_WORKSPACE_UNKNOWN");
    }
    expect(Object.keys(readTree(join(dir.path, "notes")))).toEqual(["a.txt"]);
    const byPath = await sandbox.say("/ws\n", "chat", "-w", "./notes");
    expect(byPath.stdout).toContain("▸ notes");
  });

  test("has no --json and says what has", async () => {
    using dir = tempDir();
    const { exitCode, report } = await prepare(dir.path).json("chat");
    expect(exitCode).toBe(2);
    expect(report).toMatchObject({ ok: false, error: expect.stringContaining("docs/socket.md") });
  });
});

async function arrived(model: { readonly requests: readonly unknown[] }, count: number) {
  await until(() => model.requests.length >= count);
  expect(model.requests.length).toBe(count);
}
