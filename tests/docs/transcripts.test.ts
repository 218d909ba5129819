import { expect, test } from "bun:test";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../e2e/papayu.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { expectShown } from "./expect-shown.ts";
import { readSnippet } from "./snippets.ts";

const ROOT = join(import.meta.dir, "../..");
const NOTES = '[[workspaces]]\nname = "notes"\npath = "./notes"\n';

test("a wrong configuration is told as docs/configuration.md shows it", async () => {
  const page = readSnippet(
    'docs/configuration.md: config.toml:12: agent.max_tool_iterations: found "ten", allowed: an integer from 1 to 1000',
  );
  const lines = Array.from({ length: 19 }, () => "");
  lines[10] = "[agent]";
  lines[11] = 'max_tool_iterations = "ten"';
  lines[17] = "[telegram]";
  lines[18] = "alowed_user_ids = [42]";
  using dir = tempDir();
  const { exitCode, stdout, stderr } = await createSandbox(dir.path, lines.join("\n")).run(
    "config",
    "check",
  );
  expect(exitCode).toBe(2);
  expectShown(page, stdout + stderr);
});

test("a report says what README shows of seven applies", async () => {
  const page = readSnippet("README.md: $ papayu report");
  using dir = tempDir();
  const sandbox = createSandbox(dir.path, NOTES.replaceAll("notes", "shop"));
  const traces = join(dir.path, "shop/.papa-yu/traces");
  mkdirSync(traces, { recursive: true });
  for (let n = 0; n < 7; n++) {
    const isRepaired = n < 3;
    const trace = {
      event: "LLM_APPLY_OK",
      mode: "apply",
      started_at: `2026-11-21T12:00:0${n}.000Z`,
      protocol_repair_attempt: isRepaired ? 1 : 0,
      tokens: { input: n === 0 ? 3000 : 2000, output: n === 0 ? 0 : 200 },
      cost: n === 0 ? 0.003 : 0,
    };
    writeFileSync(join(traces, `apply-${n}.json`), JSON.stringify(trace));
  }
  const { stdout } = await sandbox.run("report", "-w", "shop");
  expectShown(page.replace("$ papayu report\n", ""), stdout);
});

test("checks that nobody has seen are told as docs/checks.md shows them, and their result as seen", async () => {
  using dir = tempDir();
  writeTree(join(dir.path, "notes"), {
    "a.txt": "x\n",
    "package.json": JSON.stringify({ scripts: { test: "test -e a.txt" } }),
    "package-lock.json": "{}",
  });
  const sandbox = createSandbox(dir.path, NOTES, { PAPAYU_PAGER: "cat" });
  const apply = async () => {
    const { report } = await sandbox.json("plan", "add what a newcomer would miss", "-w", "notes");
    await using terminal = sandbox.terminal("apply", String(report["plan_id"]));
    await terminal.waitFor(/\[y\/N\] /u);
    terminal.type("y\r");
    await terminal.waitFor(/Applied in notes/u);
    await terminal.exited;
    return terminal.screen();
  };
  const seen = readSnippet(
    "docs/checks.md: Checks found in this folder, not all of which you have been shown yet:",
  );
  expectShown(seen, await apply());
  await sandbox.run("undo", "-w", "notes");
  const passed = "docs/checked-before-asked.md: Checks passed: npm run test (12.3 s)";
  expectShown(readSnippet(passed), await apply());
});

test("the skill of docs/tools.md is one", async () => {
  const skill = readSnippet("docs/tools.md: name: weekly-report");
  const [, name = ""] = /^name: (.*)$/mu.exec(skill) ?? [];
  using dir = tempDir();
  writeTree(dir.path, { [`notes/.papa-yu/skills/${name}/SKILL.md`]: skill });
  const { stdout } = await createSandbox(dir.path, NOTES).run("doctor");
  expect(stdout).toMatch(/ skills: .*\bweekly-report\b/u);
});

test("the socket says what docs/socket.md shows, line for line", async () => {
  const page = readSnippet('docs/socket.md: > {"type":"hello","version":1}');
  using dir = tempDir();
  cpSync(join(ROOT, "workspaces/sample"), join(dir.path, "sample"), { recursive: true });
  const config =
    '[[workspaces]]\nname = "sample"\npath = "./sample"\ncheck = [["bun", "run", "test"]]\n';
  const sandbox = createSandbox(dir.path, config);
  await using _daemon = await sandbox.host();
  using wire = await openWire(join(sandbox.home, "daemon.sock"));
  const steps = page.split(/^(?=> )/mu).map((step) => step.split("\n").filter(Boolean));
  for (const [said = "", ...shown] of steps) {
    const [id = ""] = /ap_[0-9a-z]{16}/u.exec(wire.said()) ?? [];
    wire.say(said.slice(2).replace(/ap_[0-9a-z]{16}/u, id));
    if (shown.length === 0) continue;
    await wire.waitFor(/"type":"(?:done|error)"/u);
    expectShown(shown.map((line) => line.slice(2)).join("\n"), wire.said());
  }
});

/** A client of the socket that sees each byte; what was said since it last spoke. */
async function openWire(unix: string) {
  let said = "";
  const data = (_socket: unknown, chunk: Uint8Array) =>
    void (said += Buffer.from(chunk).toString());
  const socket = await Bun.connect({ unix, socket: { data } });
  return {
    said: () => said,
    say(line: string) {
      said = "";
      socket.write(`${line}\n`);
    },
    waitFor: (pattern: RegExp) =>
      until(
        () => pattern.test(said),
        () => `${pattern} did not come: ${said}`,
      ),
    [Symbol.dispose]: () => void socket.end(),
  };
}
