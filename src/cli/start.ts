import { writeSync } from "node:fs";
import type { LoadedConfig } from "../config/load.ts";
import { toAppError } from "../core/app-error.ts";
import { newId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { untilAborted } from "../core/until-aborted.ts";
import { createApp } from "../daemon/app.ts";
import { startDaemon } from "../daemon/start-daemon.ts";
import { type CliContext, EXIT } from "./context.ts";
import { connectDaemon, type DaemonClient } from "./daemon-client.ts";
import { renderGreeting } from "./greeting.ts";
import { openLogFile } from "./log-file.ts";
import { openConfig } from "./open-config.ts";
import { parseCommand } from "./parse.ts";

/** `papayu start`: the daemon in the foreground, which in a terminal is also a chat. */
export async function start(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: { detach: { type: "boolean", short: "d" } },
    positionals: [0, 0],
  });
  const loaded = await openConfig(parsed, context);
  if (!parsed.flag("detach")) return runForeground(loaded, context);
  const { detach } = await import("./detach.ts");
  return detach(parsed.text("config"), loaded.home, context);
}

async function runForeground(loaded: LoadedConfig, context: CliContext): Promise<number> {
  const { stdin, stdout, stderr, env, cwd, signal, json } = context;
  const isTerminal = stdin.isTTY && stdout.isTTY && !json;
  const writeLog = isTerminal
    ? appendTo(openLogFile(loaded.home).descriptor)
    : (line: string) => void stderr.write(line);
  await using app = createApp(loaded, { env, cwd, writeLog });
  surviveDefects(app.log);
  const daemon = await startDaemon(app);
  // Open until the end, so that the terminal hears how work ends that a stop cuts short.
  using client = json ? undefined : await connectDaemon(daemon.socketPath);
  try {
    stdout.write(json ? `${JSON.stringify(toReadyReport(loaded))}\n` : renderGreeting(loaded));
    // The chat of a foreground daemon uses the same door as every other terminal.
    if (client) await chat(client, context);
    else if (!json) stderr.write("papayu: no chat here: the log says why the socket is closed\n");
    if (isTerminal && client) stdout.write("\nStopping …\n");
    else {
      client?.[Symbol.dispose](); // its input has ended: nobody is there to be told anything
      await untilAborted(signal);
    }
  } finally {
    await daemon.stop();
  }
  return EXIT.done;
}

/** Loaded only now: the daemon is at work by the time its chat is. */
async function chat(client: DaemonClient, context: CliContext): Promise<void> {
  const { runTerminal } = await import("./terminal.ts");
  await runTerminal(client, newId("start"), context);
}

/** The log stands for the disk here: a full one must not end what the daemon is doing. */
function appendTo(file: number): (line: string) => void {
  return (line) => {
    try {
      writeSync(file, line);
    } catch {
      // nowhere is left to say it
    }
  };
}

/** One part's defect is logged and must not take the others down. */
function surviveDefects(log: Log): void {
  const note = (error: unknown) => {
    const { message, cause } = toAppError(error);
    log("INTERNAL_ERROR", { message, stack: cause instanceof Error ? cause.stack : undefined });
  };
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
}

function toReadyReport({ home }: LoadedConfig): Record<string, unknown> {
  return { ok: true, pid: process.pid, home };
}
