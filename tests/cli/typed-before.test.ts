import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Asked, CHECK, modelLines, playWays } from "../agent/ways-scene.ts";
import { createSandbox, openTerminal, type Sandbox } from "../e2e/papayu.ts";
import { crossed } from "../support/long.ts";
import { type Reply, startModelServer } from "../support/model-server.ts";
import { hasOverlay } from "../support/overlay.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { WITHOUT_RIGHTS } from "../support/without-rights.ts";

const PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n";
const ASKED = /\[y\/N\] /;

/** What asks on a terminal; each question is the last thing before something is written. */
const ASKS: Readonly<Record<string, readonly string[]>> = {
  "the change set of a patch": ["apply", "--patch", "fix.diff", "-w", "notes"],
  "an undo that was checked": ["undo", "--check", "-w", "notes"],
  "a call of a tool": ["tool", "run_command", '{"argv":["touch","b"]}', "-w", "notes"],
  "a key of the configuration": ["config", "set", "security.autonomy", "full"],
  "a routine": ["routine", "add", "--name", "t", "--schedule", "every day at 8", "--task", "hi"],
  "a repair": ["doctor", "--repair"],
};

/** A line that was sent, several, and one that only needs Enter. */
const TYPED = { "y and Enter": "y\r", "a pile of them": "y\r\ny\r".repeat(20), "y alone": "y" };

const WHAT = Object.keys(ASKS);
const HOW = ["y and Enter", "a pile of them", "y alone"] as const;

async function prepare(dir: string, args: readonly string[]): Promise<Sandbox> {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  writeFileSync(join(dir, "fix.diff"), PATCH);
  const sandbox = createSandbox(
    dir,
    '[http]\nenabled = false\n[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n',
  );
  if (args[0] === "undo") await sandbox.run("apply", "--patch", "fix.diff", "-w", "notes", "--yes");
  if (args[0] === "doctor") {
    await sandbox.run("routine", "list");
    writeFileSync(join(sandbox.home, "state.db"), "no database at all".repeat(999));
  }
  return sandbox;
}

describe("what was typed before a question is no answer to it", () => {
  test.each(crossed(WHAT, HOW, 1))("%s: %s", async (what, how) => {
    const args = ASKS[what] ?? [];
    using dir = tempDir();
    const sandbox = await prepare(dir.path, args);
    const before = readTree(join(dir.path, "notes"));
    await using terminal = sandbox.terminal(...args);
    terminal.typeAhead(TYPED[how]); // before it has begun, and so before anything was shown
    await terminal.waitFor(ASKED);
    terminal.type("\r");
    await terminal.exited;
    expect(readTree(join(dir.path, "notes"))).toEqual(before);
    if (args[0] === "doctor") {
      expect(await Bun.file(join(sandbox.home, "state.db")).text()).toStartWith("no database");
      return;
    }
    expect((await sandbox.run("routine", "list", "--json")).stdout).toBe("[]\n");
    expect((await sandbox.run("config", "get", "security.autonomy")).stdout).toBe("supervised\n");
  });

  test("on a terminal that is another user's, as after su", async () => {
    using dir = tempDir();
    const sandbox = await prepare(dir.path, []);
    let screen = "";
    const data = (_: unknown, bytes: Uint8Array) => void (screen += Buffer.from(bytes).toString());
    await using terminal = new Bun.Terminal({ cols: 120, rows: 40, data });
    const args = ["config", "set", "security.autonomy", "full"];
    const command = [...WITHOUT_RIGHTS, process.execPath, papayuProgram(), ...args];
    const script = 'chmod 000 "$(tty)" && exec "$@"';
    const { dir: cwd, env } = sandbox;
    const child = Bun.spawn(["sh", "-c", script, "sh", ...command], { cwd, env, terminal });
    terminal.write("y\r");
    await until(() => ASKED.test(screen));
    terminal.write("\r");
    await child.exited;
    expect((await sandbox.run("config", "get", "security.autonomy")).stdout).toBe("supervised\n");
  });

  test.if(hasOverlay)("the second question, while another way is planned", async () => {
    using dir = tempDir();
    const typed = Promise.withResolvers<void>();
    const plan = ({ model }: Asked): Reply | undefined => {
      if (model === "one-1") return undefined;
      const text = JSON.stringify({ actions: [], summary: "1. Another way" });
      return { kind: "text", text, pace: () => typed.promise };
    };
    await using model = playWays(() => ["good"], false, plan);
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    const check = `[["sh", "-c", ${JSON.stringify(CHECK)}]]`;
    const workspace = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${check}\n`;
    const config = modelLines(model.url, ["one", "two"], "[http]\nenabled = false\n") + workspace;
    const sandbox = createSandbox(dir.path, config);
    await using terminal = sandbox.terminal("apply", "--goal", "word.txt", "-w", "notes");
    await terminal.waitFor(/\[y\/N, t: try another way\] /);
    terminal.type("t\r");
    await terminal.waitFor(/planning in another way/);
    terminal.typeAhead("y\r");
    typed.resolve();
    await terminal.waitFor(/\[y\/N, t: try another way\] /);
    terminal.type("\r");
    expect(await terminal.exited).toBe(1);
    expect(existsSync(join(dir.path, "notes/word.txt"))).toBe(false);
  });
});

/** Runs a command at a keyboard whose questions go into a file, and gives its exit code. */
function askUnseen({ dir: cwd, env }: Sandbox, args: readonly string[]) {
  const command = [process.execPath, papayuProgram(), ...args];
  const script = 'exec "$@" 2>log';
  return openTerminal(["sh", "-c", script, "sh", ...command], { cwd, env: { ...env } });
}

describe("a question that nobody sees is not asked", () => {
  test.each(WHAT)("%s", async (what) => {
    const args = ASKS[what] ?? [];
    using dir = tempDir();
    const sandbox = await prepare(dir.path, args);
    const before = readTree(join(dir.path, "notes"));
    await using terminal = askUnseen(sandbox, args);
    expect(await terminal.exited).toBe(3);
    expect(readTree(join(dir.path, "notes"))).toEqual(before);
    if (args[0] === "doctor") return;
    expect((await sandbox.run("routine", "list", "--json")).stdout).toBe("[]\n");
  });

  test("a call of a model", async () => {
    using dir = tempDir();
    await using model = startModelServer([
      { kind: "tools", calls: [{ name: "run_command", arguments: { argv: ["touch", "b"] } }] },
      { kind: "text", text: "done" },
    ]);
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    const workspace = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
    const sandbox = createSandbox(dir.path, modelLines(model.url, ["one"], workspace));
    await using terminal = askUnseen(sandbox, ["ask", "make b", "-w", "notes"]);
    expect(await terminal.exited).toBe(3);
    expect(existsSync(join(dir.path, "notes/b"))).toBe(false);
  });
});
