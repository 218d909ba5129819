import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { oneOf } from "../support/long.ts";
import { startModelServer } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** Reorders, hides, moves the cursor, sets the title, writes the clipboard, links. */
const POISON =
  "a\u202eb\u200bc\u2066d\u001b[2J\u001b]0;t\u0007\u001b]52;c;eA==\u0007\u001b]8;;http://x\u001b\\e\u009b2Jf\u0008g\rh";
const SEEN = "a\\u{202e}b\\u{200b}c";
// Whatever steers a terminal or is not seen, but the line feeds and tabs of our own.
// oxlint-disable-next-line no-control-regex
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202e\u2066]/u;

/** What is said to a terminal of what is code. */
const OWN_COLOR = new RegExp(`${String.fromCharCode(27)}\\[3[69]m`, "u");

const PLAN = JSON.stringify({ actions: [], summary: POISON });
const CHANGE = JSON.stringify({
  actions: [{ kind: "CREATE_FILE", path: "b.txt", content: "b\n" }],
  summary: POISON,
});

async function prepare(dir: string, url: string): Promise<Sandbox> {
  const text = JSON.stringify(POISON).replaceAll("\u202e", "\\u202e");
  const config = `
[default]
provider = "p"
[providers.p]
base_url = "${url}"
model = ${text}
[[workspaces]]
name = "notes"
path = "./notes"
check = false
[[routines.jobs]]
name = "daily"
schedule = "0 8 29 2 *"
mode = "ask"
task = ${text}
`;
  writeTree(join(dir, "notes"), { "a.txt": `${POISON}\n` });
  const sandbox = createSandbox(dir, config);
  writeTree(join(sandbox.home, "logs"), { "papayu.log": `${POISON}\n` });
  return sandbox;
}

/** What is printed, the command that prints it, and one that has to run before. */
const CASES: readonly (readonly [string, readonly string[], before?: readonly string[]])[] = [
  ["the words of a model", ["ask", "hi"]],
  ["a file", ["tool", "read_file", '{"path":"a.txt"}']],
  ["a log", ["logs"]],
  ["a plan", ["plan", "x"]],
  ["a trace", ["trace", "show", POISON]],
  ["an argument", ["preview", POISON]],
  ["an unknown command", [POISON]],
  ["an unknown option", ["history", `--${POISON}`]],
  ["a folder", ["history", "-w", POISON]],
  ["a routine", ["routine", "run", POISON]],
  ["an answer to be checked", ["validate", POISON]],
  ["a key", ["config", "get", POISON]],
  ["a person", ["pair", POISON]],
  ["a change made before", ["history"], ["apply", "--goal", POISON, "--yes"]],
  ["a run of a routine", ["routine", "logs", "daily"], ["routine", "run", "daily"]],
  ["a model's name that doctor says", ["doctor"]],
  ["a value of the configuration", ["config", "get", "providers.p.model"]],
  ["values of the configuration", ["config", "get", "routines"]],
];

describe("what a command prints steers no terminal and hides nothing", () => {
  const rows = oneOf(2, CASES).map((row) => [row[0], row] as const);
  test.each(rows)("of %s", async (_, [, args, before]) => {
    using dir = tempDir();
    const answer = args[0] === "plan" ? PLAN : POISON;
    const texts = before?.[0] === "apply" ? [PLAN, CHANGE] : [answer];
    await using model = startModelServer(texts.map((text) => ({ kind: "text", text })));
    const sandbox = await prepare(dir.path, model.url);
    if (before) await sandbox.run(...before);
    const { stdout, stderr } = await sandbox.run(...args);
    expect(stdout + stderr).toContain(SEEN);
    expect(RAW.exec(stdout + stderr)).toBeNull();
  });

  test("but a document holds the text as it is", async () => {
    using dir = tempDir();
    await using model = startModelServer([{ kind: "text", text: POISON }]);
    const { report } = await (await prepare(dir.path, model.url)).json("ask", "hi");
    // The link leads to a host that nobody named, so that it is shown as code.
    const text = String(report["text"]);
    expect(text).toMatch(/`[^`]*http:\/\/x[^`]*`/u);
    expect(text.replaceAll("`", "")).toBe(POISON);
  });

  test("on a terminal, too, where our own colours stay", async () => {
    using dir = tempDir();
    await using model = startModelServer([{ kind: "text", text: POISON }]);
    // Without the passing line, which is there where an answer takes its time, and goes again.
    await using terminal = (await prepare(dir.path, model.url)).terminal("ask", "hi", "--quiet");
    await until(() => terminal.screen().includes(SEEN));
    await terminal.exited;
    // A link that is shown as code has the colour of code, between words that command nothing.
    const words = terminal.screen().replaceAll("\r\n", "\n").split(OWN_COLOR).join("");
    expect(RAW.exec(words)).toBeNull();
  });
});
