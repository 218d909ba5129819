import { resolve } from "node:path";
import type { LoadedConfig } from "../../config/load/load.ts";
import { newId } from "../../core/ids.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import { type App, createApp, createLogFile, sandboxOptions } from "../../daemon/app/app.ts";
import { createDefects } from "../../daemon/defects.ts";
import { type Daemon, startDaemon } from "../../daemon/start-daemon.ts";
import { textsIn } from "../../texts/texts.ts";
import { type CliContext, EXIT } from "../context.ts";
import { connectDaemon, type DaemonClient } from "../daemon-client.ts";
import { openConfig } from "../open-config.ts";
import { type Parsed, parseCommand } from "../parse.ts";
import { wrapFor } from "../print.ts";
import { renderGreeting } from "./greeting.ts";

/** What waits for a reader of the log who takes nothing; the file has all of it. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** How long to try to tell the owner that the start failed. */
const TELL_SECONDS = 20;
/** The command that started it waits for its word. */
const DETACHED_SECONDS = 3;

/** `papayu start`: the daemon in the foreground, which in a terminal is also a chat. */
export async function start(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: {
      detach: { type: "boolean", short: "d" },
      // What --detach starts: its log is in the file alone.
      detached: { type: "boolean" },
    },
    positionals: [0, 0],
  });
  const loaded = await openConfig(parsed, context);
  if (!parsed.flag("detach")) return runTelling(parsed, loaded, context);
  const { detach } = await import("./detach.ts");
  return detach(
    { configPath: parsed.text("config"), cwd: context.caller.cwd },
    loaded.home,
    context,
  );
}

/** Somebody at a terminal reads why it cannot start; a supervisor reads nothing. */
async function runTelling(
  parsed: Parsed,
  loaded: LoadedConfig,
  context: CliContext,
): Promise<number> {
  let isUp = false;
  try {
    return await runForeground(parsed, loaded, context, () => void (isUp = true));
  } catch (error) {
    if (!isUp && !context.stdin.isTTY) {
      const { tellFailedStart } = await import("../../daemon/tell-failed-start.ts");
      const seconds = parsed.flag("detached") ? DETACHED_SECONDS : TELL_SECONDS;
      await tellFailedStart(loaded, error, { env: context.caller.env, seconds, now: Date.now() });
    }
    throw error;
  }
}

async function runForeground(
  parsed: Parsed,
  loaded: LoadedConfig,
  context: CliContext,
  onUp: () => void,
): Promise<number> {
  const {
    stdin,
    stdout,
    stderr,
    command: { json },
  } = context;
  const { cwd, env } = context.caller;
  const isTerminal = stdin.isTTY && stdout.isTTY && !json;
  const isSilent = isTerminal || parsed.flag("detached");
  const file = createLogFile(loaded.home);
  const writeLog = (line: string) => {
    file.write(line);
    if (!isSilent && stderr.writableLength < MOST_WAITING_BYTES) stderr.write(line);
  };
  await using app = createApp(loaded, { env, cwd, writeLog });
  const broken = new AbortController();
  const signal = AbortSignal.any([context.signal, broken.signal]);
  const defects = surviveDefects(app, () => broken.abort());
  const configPath = parsed.text("config");
  const daemon = await startDaemon(app, {
    configPath: configPath === undefined ? undefined : resolve(cwd, configPath),
    cwd,
    isService: env["SYSTEMD_EXEC_PID"] === String(process.pid),
  });
  onUp();
  const supervisor = await findWaiting(env);
  supervisor?.ready();
  defects.tell = daemon.tell;
  // Open until the end, so that the terminal is told how work ends that a stop cuts short.
  using client = json ? undefined : await connectDaemon(daemon.socketPath);
  try {
    if (json) stdout.write(`${JSON.stringify(toReadyReport(loaded))}\n`);
    else stdout.write(wrapFor(stdout, context, toPrintableText(renderGreeting(loaded))));
    // The chat of a foreground daemon uses the same socket as every other terminal.
    if (client) await chat(client, app, { ...context, stdin, stdout, stderr, signal });
    else if (!json) stderr.write("papayu: no chat here: the log says why the socket is closed\n");
    if (isTerminal && client) stdout.write("\nStopping …\n");
    else {
      client?.[Symbol.dispose](); // its input has ended: nobody is there to be told anything
      await untilAborted(signal);
    }
  } finally {
    supervisor?.stopping();
    await daemon.stop();
  }
  return broken.signal.aborted ? EXIT.failed : EXIT.done;
}

/** Nobody else pays for the way to talk to it. */
async function findWaiting(env: CliContext["caller"]["env"]) {
  if (!env["NOTIFY_SOCKET"]) return undefined;
  const { findSupervisor } = await import("../../system/processes/supervisor.ts");
  return findSupervisor(env);
}

/** Loaded only now: the daemon is at work by the time its chat is. */
async function chat(client: DaemonClient, { current }: App, context: CliContext) {
  const { runTerminal } = await import("../chat/terminal.ts");
  const { openHistory } = await import("../chat/line-history.ts");
  const { config, home } = current.loaded;
  await runTerminal(
    {
      link: client,
      sessionId: newId("start"),
      texts: textsIn(config.default.language).terminal,
      openHistory: () => openHistory(home),
      workspaces: async () => sandboxOptions(current.loaded, context.caller.env).workspaces,
    },
    context,
  );
}

/** From the first moment on; whom to tell is known once the daemon is ready. */
function surviveDefects(
  { current, log, clock }: App,
  giveUp: () => void,
): { tell: Daemon["tell"] } {
  const owner: { tell: Daemon["tell"] } = { tell: async () => {} };
  const tell = (text: string) => owner.tell(text);
  const note = createDefects({
    log,
    tell,
    giveUp,
    texts: current.texts().defects,
    now: clock.now,
  });
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
  return owner;
}

function toReadyReport({ home }: LoadedConfig): Record<string, unknown> {
  return { ok: true, pid: process.pid, home };
}
