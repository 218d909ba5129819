import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openState } from "../src/store/open/open.ts";
import { createSandbox, phoneConfig, type Sandbox } from "../tests/e2e/papayu.ts";
import { startBotApi } from "../tests/support/bot-api-server.ts";
import { startModelServer } from "../tests/support/model-server.ts";
import { papayuProgram } from "../tests/support/papayu-program.ts";
import { tempDir } from "../tests/support/temp.ts";
import { FULL, makeData, NEEDLE, type Sizes } from "./size-data.ts";

const OWNER = 1000;
/** Nothing takes longer that anybody would wait for. */
const PATIENCE_MS = 600_000;

/** What one command came to. */
interface Row {
  readonly name: string;
  readonly ms: number;
  readonly peakMb: number;
  /** What it said of how much it saw. */
  readonly said: string;
}

/**
 * A million files, 200 MB of log, a million rows of everything that is sent and said, ten thousand
 * transactions, a hundred thousand notes and traces: time, peak memory and the last words of each
 * command. `SIZE=0.01` makes a hundredth of each; a folder as argument keeps its data for the next
 * run.
 */
export async function benchSize(folder?: string): Promise<string> {
  using own = folder === undefined ? tempDir("papayu-bench-size-") : undefined;
  const dir = folder ?? own?.path ?? "";
  await using bot = await startBotApi();
  await using model = startModelServer(() => ({ kind: "text", text: ANSWER, chunkChars: 1000 }));
  const sandbox = openSandbox(dir, model.url, bot);
  const sizes = scaled(Number(process.env["SIZE"] ?? 1));
  if (!existsSync(sandbox.home)) await makeData(dir, sandbox.home, sizes, bot.botId);
  forgetLast(sandbox.home);
  const rows = [...(await inFiles(sandbox)), ...(await inPast(sandbox))];
  rows.push(...(await inDaemon(sandbox, bot)));
  return [
    "| at full size | time | peak memory | said |",
    "|---|---:|---:|---|",
    ...rows.map(
      ({ name, ms, peakMb, said }) =>
        `| ${name} | ${(ms / 1000).toFixed(2)} s | ${peakMb.toFixed(0)} MB | ${said} |`,
    ),
  ].join("\n");
}

/** A configuration without a model. */
const OFFLINE = "offline.toml";
/** The server of every run begins with the same numbers. */
function forgetLast(home: string): void {
  using store = openState(home);
  store.run("DELETE FROM inbox WHERE update_id > 0");
}

const ANSWER = JSON.stringify({ summary: "Nothing has to change.", actions: [] });

function scaled(scale: number): Sizes {
  const parts = Object.entries(FULL).map(([key, value]) => [key, Math.ceil(value * scale)]);
  return { ...FULL, ...Object.fromEntries(parts) };
}

function openSandbox(dir: string, modelUrl: string, bot: { url: string; token: string }): Sandbox {
  mkdirSync(join(dir, "past"), { recursive: true });
  const folders = ["files", "log", "past"].map(
    (name) => `[[workspaces]]\nname = "${name}"\npath = "./${name}"\ncheck = false\n`,
  );
  const config = `${phoneConfig(modelUrl, bot.url, OWNER)}[http]\nenabled = false\n${folders.join("")}`;
  writeFileSync(join(dir, OFFLINE), folders.join(""));
  return createSandbox(dir, config, { TELEGRAM_BOT_TOKEN: bot.token });
}

async function inFiles(sandbox: Sandbox): Promise<readonly Row[]> {
  const look = (query: string) => JSON.stringify({ query });
  return [
    await measure(sandbox, "list_files, all", ["tool", "list_files", "{}", "-w", "files"]),
    await measure(sandbox, "list_files, one folder", [
      "tool",
      "list_files",
      '{"folder":"part-0/sub-7"}',
      "-w",
      "files",
    ]),
    await measure(sandbox, "search_files in files", [
      "tool",
      "search_files",
      look(NEEDLE),
      "-w",
      "files",
    ]),
    await measure(sandbox, "search_files in the log", [
      "tool",
      "search_files",
      look(NEEDLE),
      "-w",
      "log",
    ]),
    await measure(sandbox, "read_file of the log", [
      "tool",
      "read_file",
      '{"path":"server.log"}',
      "-w",
      "log",
    ]),
    await measure(sandbox, "plan", ["plan", "rename oldName everywhere", "-w", "files"]),
    await measure(sandbox, "plan, built-in rules", [
      "plan",
      "propose what is missing",
      "-w",
      "files",
      "--config",
      OFFLINE,
    ]),
  ];
}

async function inPast(sandbox: Sandbox): Promise<readonly Row[]> {
  const listed = await sandbox.process("trace", "list", "--last", "1", "-w", "past", "--json");
  const [newest] = JSON.parse(listed.stdout || "{}").traces ?? [];
  return [
    await measure(sandbox, "doctor", ["doctor"]),
    await measure(sandbox, "history", ["history", "-w", "past"]),
    await measure(sandbox, "undo", ["undo", "-w", "past"]),
    await measure(sandbox, "redo", ["redo", "-w", "past"]),
    await measure(sandbox, "report", ["report", "-w", "past"]),
    await measure(sandbox, "report of all", ["report", "--from", "2026-01-01", "-w", "past"]),
    await measure(sandbox, "trace list", ["trace", "list", "-w", "past"]),
    await measure(sandbox, "trace show", ["trace", "show", newest?.trace_id ?? "-", "-w", "past"]),
    await measure(sandbox, "recall", ["tool", "recall", '{"query":"house colour7"}', "-w", "past"]),
  ];
}

interface Phone {
  say(chatId: number, text: string): unknown;
  sent(): readonly { readonly text: string }[];
}

/** A start, its first message, `status` and `logs`, on the very daemon. */
async function inDaemon(sandbox: Sandbox, phone: Phone): Promise<readonly Row[]> {
  const startedAt = performance.now();
  await using daemon = await sandbox.start();
  const readyMs = performance.now() - startedAt;
  const rows = [{ name: "start", ms: readyMs, peakMb: peakOf(daemon.pid), said: "ready" }];
  for (const name of ["first message after a start", "second message"]) {
    const [saidAt, before] = [performance.now(), phone.sent().length];
    phone.say(OWNER, `hello ${name}`);
    while (phone.sent().length === before && performance.now() - saidAt < PATIENCE_MS) {
      await Bun.sleep(1);
    }
    const ms = performance.now() - saidAt;
    rows.push({ name, ms, peakMb: peakOf(daemon.pid), said: phone.sent().at(-1)?.text ?? "" });
  }
  rows.push(await measure(sandbox, "status", ["status"]));
  return rows;
}

function peakOf(pid: number): number {
  try {
    const found = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(found ?? 0) / 1024;
  } catch {
    return 0; // it has ended
  }
}

async function measure({ dir, env }: Sandbox, name: string, args: readonly string[]): Promise<Row> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, papayuProgram(), ...args], {
    cwd: dir,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: PATIENCE_MS,
  });
  let peakMb = 0;
  // What the system says at the end counts what this process held when it started the other.
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid))), 10);
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  clearInterval(watch);
  const ms = performance.now() - startedAt;
  if (process.env["SIZE_OUT"]) writeFileSync(`${process.env["SIZE_OUT"]}-${name}`, stdout + stderr);
  return { name, ms, peakMb, said: lastWords(stdout || stderr) };
}

function lastWords(text: string): string {
  const lines = text.trim().split("\n");
  return `${lines.length} lines: ${(lines.at(-1) ?? "").slice(-120).replaceAll("|", "/")}`;
}
