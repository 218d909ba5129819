import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, openTerminal, type Sandbox, type Terminal } from "../e2e/papayu.ts";
import { startModelServer } from "../support/model-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

/** A change whose diff is longer than the terminal's 40 lines, in a language that has words. */
const LONG = Array.from({ length: 60 }, (_, at) => `let line${at} = "${at}";\n`).join("");
const ACTIONS = [{ kind: "CREATE_FILE", path: "long.ts", content: LONG }];
const ANSWERS = [
  { kind: "text", text: JSON.stringify({ actions: [], summary: "1. A long file" }) },
  { kind: "text", text: JSON.stringify({ actions: ACTIONS, summary: "A long file" }) },
] as const;
const QUESTION = /Apply\? \(v: view it\) \[y\/N[^\]]*\] /;

/** A pager that takes one line from the terminal, and keeps what it was given. */
const PAGER = `#!/bin/sh
cat >"$0.got"
echo PAGED
read -r line </dev/tty
echo "TOOK $line"
`;

function prepare(dir: string, url: string, env: Record<string, string> = {}): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const model = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${url}"\nmodel = "x"\n`;
  const workspace = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  return createSandbox(dir, model + workspace, { TERM: "xterm", ...env });
}

function layPager(dir: string, text = PAGER): string {
  const path = join(dir, "pager");
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** The program in a terminal that is its own, as a shell gives it: keys reach whoever has it. */
function openOwn({ dir: cwd, env }: Sandbox, command: string): Terminal {
  const program = [SETSID, "--ctty", process.execPath, papayuProgram(), command];
  return openTerminal(program, { cwd, env: { ...env } });
}

const SETSID = Bun.which("setsid") ?? "";

function withoutLooks(screen: string): string {
  return screen.replaceAll(new RegExp(String.raw`\x1b\[[\d;?]*[A-Za-z]`, "gu"), "");
}

/** A terminal in which a long change set is asked about: in front of a daemon, or over its socket. */
async function openAsked(sandbox: Sandbox, command: "start" | "chat") {
  const stack = new AsyncDisposableStack();
  if (command === "chat") stack.use(await sandbox.host());
  const terminal = stack.use(openOwn(sandbox, command));
  await terminal.waitFor(/› /);
  terminal.type("plan: a long file\r");
  await terminal.waitFor(/A long file[\s\S]*› /);
  terminal.type("ok\r");
  const shown = await terminal.waitFor(/Apply\? (?:\(.*\) )?\[[^\]]*\] /);
  return Object.assign(stack, { terminal, shown });
}

describe.each(["start", "chat"] as const)("papayu %s with a long change set", (command) => {
  test("shows it in the person's pager on v, as often as they like, and asks again", async () => {
    using dir = tempDir();
    using bin = tempDir();
    await using model = startModelServer([...ANSWERS]);
    const pager = layPager(bin.path);
    const sandbox = prepare(dir.path, model.url, { PAGER: pager });
    await using asked = await openAsked(sandbox, command);
    const { terminal, shown } = asked;
    expect(shown).toMatch(QUESTION);
    for (const answer of ["v", " V "]) {
      terminal.type(`${answer}\r`);
      await terminal.waitFor(/PAGED/);
      terminal.typeAhead("down here\r");
      const after = withoutLooks(await terminal.waitFor(QUESTION));
      expect(after).toMatch(/TOOK down here\r\n\r\n1 change in notes[^]*create long\.ts \+60 -0/u);
    }
    const got = readFileSync(`${pager}.got`, "utf8");
    expect(got).toStartWith("1 change in notes");
    expect(got).toContain('\x1b[35mlet\x1b[0m\x1b[32m line59 = \x1b[0m\x1b[36m"59"');
    terminal.type("y\r");
    await terminal.waitFor(/Applied in notes/);
    expect(readFileSync(join(dir.path, "notes/long.ts"), "utf8")).toBe(LONG);
    terminal.type("\x04");
    expect(await terminal.exited).toBe(0);
  });

  test("counts no key that was typed in the pager, or before the question, as a yes", async () => {
    using dir = tempDir();
    using bin = tempDir();
    await using model = startModelServer([...ANSWERS]);
    const sandbox = prepare(dir.path, model.url, { PAGER: layPager(bin.path) });
    await using asked = await openAsked(sandbox, command);
    const { terminal } = asked;
    const original = readTree(join(dir.path, "notes"));
    terminal.type("v\ry\ry"); // all of it before the pager is there
    await terminal.waitFor(/PAGED/);
    terminal.typeAhead("q\ry\ry"); // and behind what it takes
    await terminal.waitFor(QUESTION);
    terminal.type("\r");
    await terminal.waitFor(/› /);
    expect(readTree(join(dir.path, "notes"))).toEqual(original);
    terminal.type("\x04");
    expect(await terminal.exited).toBe(0);
  });
});

describe("papayu chat with a long change set", () => {
  test("Ctrl-C in the pager is the pager's: nothing is answered by it", async () => {
    using dir = tempDir();
    using bin = tempDir();
    await using model = startModelServer([...ANSWERS]);
    const text =
      '#!/bin/sh\ncat >/dev/null\ntrap "echo STOPPED; exit 0" INT\necho PAGED\nwhile :; do sleep 0.1; done\n';
    const sandbox = prepare(dir.path, model.url, { PAGER: layPager(bin.path, text) });
    await using asked = await openAsked(sandbox, "start");
    const { terminal } = asked;
    terminal.type("v\r");
    await terminal.waitFor(/PAGED/);
    terminal.type("\x03");
    await terminal.waitFor(/STOPPED[^]*Apply\? \(.*\] /u);
    terminal.type("y\r");
    await terminal.waitFor(/Applied in notes/);
    terminal.type("\x04");
    expect(await terminal.exited).toBe(0);
  });

  test("shows all of it again where no pager starts, and asks again", async () => {
    using dir = tempDir();
    await using model = startModelServer([...ANSWERS]);
    const env = { PAGER: "/dev/null", PATH: "/nowhere" };
    await using asked = await openAsked(prepare(dir.path, model.url, env), "start");
    const { terminal } = asked;
    terminal.type("v\r");
    const again = await terminal.waitFor(QUESTION);
    expect(withoutLooks(again)).toContain('+let line59 = "59";');
    terminal.type("\r");
    await terminal.waitFor(/› /);
    expect(existsSync(join(dir.path, "notes/long.ts"))).toBe(false);
  });

  test.each([
    ["wants no pager", { PAGER: "cat" }],
    ["has a plain terminal", { PAPAYU_PLAIN: "1" }],
  ])("offers no view to whom %s: v is no yes", async (_, env) => {
    using dir = tempDir();
    await using model = startModelServer([...ANSWERS]);
    await using asked = await openAsked(prepare(dir.path, model.url, env), "start");
    const { terminal, shown } = asked;
    expect(shown).toMatch(/Apply\? \[y\/N, t:/);
    terminal.type("v\r");
    await terminal.waitFor(/› /);
    expect(existsSync(join(dir.path, "notes/long.ts"))).toBe(false);
  });

  test("ends in order when its window is closed while the pager is open", async () => {
    using dir = tempDir();
    using bin = tempDir();
    await using model = startModelServer([...ANSWERS]);
    const sandbox = prepare(dir.path, model.url, { PAGER: layPager(bin.path) });
    await using asked = await openAsked(sandbox, "start");
    const { terminal } = asked;
    terminal.type("v\r");
    await terminal.waitFor(/PAGED/);
    terminal.hangUp();
    expect(await terminal.exited).toBe(0);
    expect(existsSync(join(dir.path, "notes/long.ts"))).toBe(false);
  });
});

test.each(["xterm", "dumb"])(
  "what is typed before a question and not sent is no answer to it, and comes back behind it: %s",
  async (TERM) => {
    using dir = tempDir();
    await using model = startModelServer([...ANSWERS, ANSWERS[1]]);
    await using terminal = prepare(dir.path, model.url, { TERM }).terminal("start");
    await terminal.waitFor(/› /);
    terminal.type("plan: a long file\r");
    await terminal.waitFor(/A long file[\s\S]*› /);
    for (const [typed, left] of [
      ["y", "› "],
      ["and a test", "› and a test"],
    ] as const) {
      terminal.type(`ok\r${typed}`);
      await terminal.waitFor(/Apply\? (?:\(.*\) )?\[[^\]]*\] /);
      terminal.type("\r");
      // The line that comes back may be drawn behind its prompt.
      const back = new RegExp(`Rejected[^]*› [^]*${RegExp.escape(left.slice(2))}`, "u");
      expect(withoutLooks(await terminal.waitFor(back))).toEndWith(left);
    }
    expect(existsSync(join(dir.path, "notes/long.ts"))).toBe(false);
  },
);
