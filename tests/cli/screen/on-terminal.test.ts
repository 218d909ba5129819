import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { createSandbox, type Sandbox } from "../../e2e/papayu.ts";
import { startModelServer } from "../../support/model-server.ts";
import { screenOf } from "../../support/screen-of.ts";
import { tempDir } from "../../support/temp.ts";
import { writeTree } from "../../support/tree.ts";

const ANSWER = `## Result

**bold** and \`code\`, ${"words ".repeat(30)}end &#27;[2J
- [a link](https://a.example/) \x1b[31mred`;

/** Where a terminal of 120 columns cuts the paragraph, whose marks without colours stay. */
const WRAPPED = `words\r\n${"words ".repeat(13)}end`;

function prepare(dir: string, url: string, env: Record<string, string> = {}): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const model = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${url}"\nmodel = "x"\n`;
  const workspace = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  return createSandbox(dir, model + workspace, { TERM: "xterm", ...env });
}

test("ask shows an answer as it is meant, cut between words, and nothing in it commands", async () => {
  using dir = tempDir();
  await using model = startModelServer([{ kind: "text", text: ANSWER, chunkChars: 3 }]);
  await using terminal = prepare(dir.path, model.url).terminal("ask", "hi");
  expect(await terminal.exited).toBe(0);
  const screen = await terminal.waitFor(/red\r\n/);
  expect(screen).toContain("\x1b[1mResult\x1b[22m\r\n");
  expect(screen).toContain(WRAPPED);
  expect(screen).toContain("end \\u{1b}[2J");
  expect(screen).toContain("• a link (https://a.example/) \\u{1b}[31mred\r\n");
});

test.each([
  ["NO_COLOR", { NO_COLOR: "1" }, "## Result\r\n", `words\r\n${"words ".repeat(14)}end`],
  ["TERM=dumb", { TERM: "dumb" }, "## Result\r\n", "words ".repeat(30)],
  ["PAPAYU_PLAIN", { PAPAYU_PLAIN: "1" }, "## Result\r\n", "words ".repeat(30)],
] as const)("ask under %s has no escape sequence at all", async (_, env, head, words) => {
  using dir = tempDir();
  await using model = startModelServer([{ kind: "text", text: ANSWER, chunkChars: 50 }]);
  await using terminal = prepare(dir.path, model.url, env).terminal("ask", "hi");
  expect(await terminal.exited).toBe(0);
  const screen = await terminal.waitFor(/red/);
  expect(screen).toContain(head);
  expect(screen).toContain(words);
  expect(screen).toContain("**bold** and `code`");
  expect(screen).not.toContain("\x1b");
});

test("ask ends the last line of an answer that ends its own", async () => {
  using dir = tempDir();
  await using model = startModelServer([{ kind: "text", text: `${ANSWER}\n`, chunkChars: 50 }]);
  await using terminal = prepare(dir.path, model.url).terminal("ask", "hi");
  expect(await terminal.exited).toBe(0);
  expect(await terminal.waitFor(/red/)).toEndWith("red\r\n");
});

test("ask into a pipe gives the answer as the model wrote it", async () => {
  using dir = tempDir();
  await using model = startModelServer([{ kind: "text", text: ANSWER, chunkChars: 50 }]);
  const { stdout } = await prepare(dir.path, model.url).run("ask", "hi");
  expect(stdout).toBe(`${ANSWER.replace("\x1b", "\\u{1b}")}\n`);
});

test("chat shows Markdown between its own lines, and a pipe gets it as it was written", async () => {
  using dir = tempDir();
  const texts = Array.from(
    { length: 2 },
    () => ({ kind: "text", text: ANSWER, chunkChars: 7 }) as const,
  );
  await using model = startModelServer(texts);
  const sandbox = prepare(dir.path, model.url);
  await using _daemon = await sandbox.host();
  await using terminal = sandbox.terminal("chat");
  await terminal.waitFor(/› /);
  terminal.type("hi\r");
  const screen = await terminal.waitFor(/red\r\n[\s\S]*› /);
  expect(screen).toContain("\x1b[1mResult\x1b[22m\r\n");
  expect(screen).toContain(WRAPPED);
  terminal.type("\x04");
  expect(await terminal.exited).toBe(0);
  const piped = await sandbox.pipe("hi\n", "chat");
  expect(piped.stdout).toBe(`${ANSWER.replace("\x1b", "\\u{1b}")}\n`);
});

/** A check that goes on until it is ended. */
const ENDLESS = `console.log("first"); console.error("\\x1b[31msecond\\x1b[2J"); setInterval(() => {}, 1000);`;

function prepareCheck(dir: string, env: Record<string, string> = {}): Sandbox {
  writeTree(join(dir, "notes"), { "check.ts": ENDLESS });
  const workspace =
    '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = [["bun", "check.ts"]]\n';
  return createSandbox(dir, workspace, { TERM: "xterm", PATH: pathWithBun(), ...env });
}

function pathWithBun(): string {
  return `${dirname(process.execPath)}:${process.env["PATH"]}`;
}

test("check shows what runs, for how long and what it prints, and leaves no trace of it", async () => {
  using dir = tempDir();
  await using terminal = prepareCheck(dir.path).terminal("check");
  const during = await terminal.waitFor(/· 1 s[^]*second/);
  const frame = during.slice(0, during.lastIndexOf("second") + "second".length);
  expect(screenOf(frame, 120).slice(-3)).toEqual([
    expect.stringMatching(/^. check bun check\.ts · \d+ s, Ctrl-C cancels$/u),
    "  first",
    "  second",
  ]);
  terminal.kill("SIGTERM");
  expect(await terminal.exited).toBe(1);
  await terminal.waitFor(/ERR_CANCELLED/);
  expect(screenOf(terminal.screen(), 120).filter(Boolean)).toEqual([
    "Checks that will run: bun check.ts (config.toml)",
    "papayu: ERR_CANCELLED: Stopped by SIGTERM",
  ]);
});

test("check shows how far it may be where it is known how long it took", async () => {
  using dir = tempDir();
  const sandbox = prepareCheck(dir.path);
  writeTree(join(dir.path, "notes"), { "check.ts": "" });
  expect((await sandbox.run("check")).exitCode).toBe(0);
  writeTree(join(dir.path, "notes"), { "check.ts": ENDLESS });
  await using terminal = sandbox.terminal("check");
  await terminal.waitFor(/check bun check\.ts · █{12} \d+\/\d+ s, Ctrl-C cancels/);
  terminal.kill("SIGTERM");
  expect(await terminal.exited).toBe(1);
});

test("check says a line for each command where a terminal can no more", async () => {
  using dir = tempDir();
  await using terminal = prepareCheck(dir.path, { PAPAYU_PLAIN: "1" }).terminal("check");
  await terminal.waitFor(/check bun check\.ts\r\n/);
  terminal.kill("SIGTERM");
  expect(await terminal.exited).toBe(1);
  expect(await terminal.waitFor(/ERR_CANCELLED/)).not.toContain("first");
  expect(terminal.screen()).not.toContain("\x1b");
});

test("start greets in lines as wide as the window, cut between words", async () => {
  using dir = tempDir();
  const workspace = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
  const sandbox = createSandbox(dir.path, workspace, { TERM: "xterm", COLUMNS: "60" });
  await using terminal = sandbox.terminal("start");
  const greeting = await terminal.waitFor(/› /);
  const lines = greeting.split("\r\n").slice(0, -1);
  expect(lines.every((line) => Bun.stringWidth(line) <= 60)).toBe(true);
  expect(lines.join(" ").replaceAll(/\s+/g, " ")).toContain("changes nothing ok shows the diff");
  terminal.type("\x04");
  expect(await terminal.exited).toBe(0);
});
