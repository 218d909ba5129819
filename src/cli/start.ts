import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../app.ts";
import type { LoadedConfig } from "../config/load.ts";
import { AppError } from "../core/app-error.ts";
import { systemClock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { startDaemon } from "../daemon.ts";
import { findLockHolder } from "../system/kernel-lock.ts";
import { type CliContext, EXIT } from "./context.ts";
import { connectDaemon } from "./daemon-client.ts";
import { openConfig } from "./open-app.ts";
import { parseCommand } from "./parse.ts";
import { runTerminal } from "./terminal.ts";

/** How long a detached start may take until it answers. */
const READY_MS = 10_000;
const POLL_MS = 20;

/** `papayu start`: the daemon in the foreground, which in a terminal is also a chat. */
export async function start(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, "start [--detach]", {
    options: { detach: { type: "boolean", short: "d" } },
    positionals: [0, 0],
  });
  const loaded = await openConfig(parsed, context);
  if (parsed.flag("detach")) return detach(args, loaded, context);
  return runForeground(loaded, context);
}

async function runForeground(loaded: LoadedConfig, context: CliContext): Promise<number> {
  const { stdin, stdout, stderr, env, cwd, signal } = context;
  const isTerminal = stdin.isTTY && stdout.isTTY;
  const writeLog = isTerminal
    ? appendTo(openLogFile(loaded))
    : (line: string) => void stderr.write(line);
  using app = createApp(loaded, { env, cwd, writeLog });
  const daemon = await startDaemon(app);
  try {
    stdout.write(greeting(loaded));
    await converse(daemon.socketPath, context);
    if (!isTerminal) await untilAborted(signal);
  } finally {
    await daemon.stop();
  }
  return EXIT.done;
}

/** The chat of a foreground daemon uses the same door as every other terminal. */
async function converse(socketPath: string, context: CliContext): Promise<void> {
  const client = await connectDaemon(socketPath);
  if (!client) return;
  using connection = client;
  await runTerminal(connection, { sessionId: newId("start"), context });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function greeting({ config, path }: LoadedConfig): string {
  const [first] = config.workspaces;
  const folder = first
    ? `workspace ${first.name} (${first.path})`
    : "no workspace yet: add [[workspaces]] to config.toml";
  const { provider } = config.default;
  const author = provider === "offline" ? "the built-in planner, no model, no network" : provider;
  return [
    `papa-yu is ready: ${folder}, ${author}${path ? "" : ", built-in configuration"}`,
    "Type first:   plan: add what a newcomer would miss",
    "then:         ok            shows the whole diff and asks",
    "and later:    /undo         takes it back     /help  lists everything",
    "",
    "",
  ].join("\n");
}

/** Starts a daemon of its own and waits until it answers. */
async function detach(
  args: readonly string[],
  loaded: LoadedConfig,
  context: CliContext,
): Promise<number> {
  const holder = findLockHolder(join(loaded.home, "daemon.lock"));
  if (holder) throw new AppError("ERR_DAEMON_RUNNING", `A daemon runs already (pid ${holder.pid})`);
  const rest = args.filter((arg) => arg !== "--detach" && arg !== "-d");
  const log = openLogFile(loaded);
  const child = Bun.spawn([process.execPath, Bun.main, "start", ...rest], {
    cwd: context.cwd,
    env: { ...context.env },
    stdio: ["ignore", log, log],
    detached: true,
  });
  closeSync(log);
  for (let waitedMs = 0; waitedMs < READY_MS && child.exitCode === null; waitedMs += POLL_MS) {
    await systemClock.sleep(POLL_MS, context.signal);
    const client = await connectDaemon(join(loaded.home, "daemon.sock"));
    if (!client) continue;
    client[Symbol.dispose]();
    if (child.exitCode !== null) break;
    child.unref();
    context.stdout.write(`started (pid ${child.pid})\n`);
    return EXIT.done;
  }
  const tail = readFileSync(logFile(loaded), "utf8").trimEnd().split("\n").at(-1) ?? "";
  throw new AppError("ERR_DAEMON_RUNNING", `Cannot start the daemon: ${tail}`);
}

function logFile({ home }: LoadedConfig): string {
  return join(home, "logs", "papayu.log");
}

function openLogFile(loaded: LoadedConfig): number {
  mkdirSync(join(loaded.home, "logs"), { recursive: true, mode: 0o700 });
  return openSync(logFile(loaded), "a", 0o600);
}

function appendTo(file: number): (line: string) => void {
  return (line) => void writeSync(file, line);
}
