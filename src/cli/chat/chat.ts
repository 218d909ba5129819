import { join } from "node:path";
import type { LoadedConfig } from "../../config/load/load.ts";
import { resolveWorkspace } from "../../config/workspaces.ts";
import { AppError } from "../../core/app-error.ts";
import { systemClock } from "../../core/clock.ts";
import { extractErrorCodePrefix, isErrorCode } from "../../core/error-code-prefix.ts";
import { newId } from "../../core/ids.ts";
import type { Language } from "../../core/language.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import { textsIn } from "../../texts/texts.ts";
import { type CliContext, EXIT } from "../context.ts";
import { askDaemon, connectDaemon, type DaemonClient } from "../daemon-client.ts";
import { homeOf } from "../home-of.ts";
import { openConfig, readConfig } from "../open-config.ts";
import { type Parsed, parseCommand, usageError, WORKSPACE_OPTION } from "../parse.ts";
import { openHistory } from "./line-history.ts";
import { createLink } from "./link.ts";
import { runTerminal } from "./terminal.ts";

/** `papayu chat`: a terminal on the running daemon. */
export async function chat(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: { ...WORKSPACE_OPTION, session: { type: "string" } },
    positionals: [0, 0],
  });
  if (context.command.json)
    throw usageError("A chat is no document; docs/socket.md has JSON", context);
  const home = homeOf(context);
  const connect = () => connectDaemon(join(home, "daemon.sock"));
  using client = await connect();
  if (!client) throw notRunning("No daemon answers");
  const named = parsed.text("session");
  const sessionId = named ?? newId("cli");
  const isMissing = named !== undefined && !(await isKept(home, named));
  const workspace = parsed.text("workspace");
  if (workspace !== undefined) {
    const loaded = await openConfig(parsed, context);
    const name = nameOf(workspace, loaded, context);
    await chooseWorkspace(client, sessionId, name, context.signal);
  }
  const texts = textsIn(await readLanguage(parsed, context)).terminal;
  const { stdin, stdout, stderr } = context;
  if (isMissing) stderr.write(`${toPrintableText(texts.newSession(sessionId))}\n`);
  const isTerminal = stdin.isTTY && stdout.isTTY;
  const ending = new AbortController();
  // Who sits at a terminal is better off waiting; a script wants to know.
  const link = isTerminal ? createLink(client, connect, systemClock, ending.signal) : client;
  const workspaces = async () => {
    const { sandboxOptions } = await import("../../daemon/app/app.ts"); // of which a chat needs no more
    return sandboxOptions(await readConfig(parsed, context), context.caller.env).workspaces;
  };
  const options = { link, sessionId, texts, openHistory: () => openHistory(home), workspaces };
  const { why, hasFailed, hasSaid } = await runTerminal(options, context);
  ending.abort();
  if (isTerminal) {
    const resume = `${texts.resume} papayu chat --session ${sessionId}\n`;
    stdout.write(hasSaid && !context.command.quiet ? `\n${resume}` : "\n");
  }
  if (why === "hung up") throw notRunning("The daemon has stopped");
  return hasFailed && !isTerminal ? EXIT.failed : EXIT.done;
}

/** Looked at before anything is said in it. */
async function isKept(home: string, sessionId: string): Promise<boolean> {
  const { isSessionKept } = await import("./is-session-kept.ts");
  return isSessionKept(home, sessionId);
}

/** A daemon that keeps the last good configuration can be talked to while the file is broken. */
async function readLanguage(parsed: Parsed, context: CliContext): Promise<Language> {
  try {
    return (await openConfig(parsed, context)).config.default.language;
  } catch (error) {
    if (error instanceof AppError) return "en";
    throw error;
  }
}

/** The configured name of a workspace that is given by name or by path. */
function nameOf(given: string, loaded: LoadedConfig, { caller: { cwd } }: CliContext): string {
  const { name, root } = resolveWorkspace(loaded, given, cwd);
  const known = loaded.config.workspaces.some((entry) => entry.name === name);
  if (known && resolveWorkspace(loaded, name, cwd).root === root) return name;
  throw new AppError(
    "ERR_WORKSPACE_UNKNOWN",
    `Cannot chat about "${given}": the daemon works in configured folders only; add it to [[workspaces]]`,
  );
}

/** Not a line of the chat: what follows must never go to another workspace by mistake. */
async function chooseWorkspace(
  client: DaemonClient,
  sessionId: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const order = { type: "message", session_id: sessionId, content: `/ws ${name}` } as const;
  await askDaemon(client, order, signal, (line) => {
    if (line.type === "error") throw toFailure(line.message);
    return line.type === "done" ? line : undefined;
  });
}

/** The daemon's own failure, as it was before it became a line. */
function toFailure(line: string): AppError {
  const code = extractErrorCodePrefix(line);
  return isErrorCode(code)
    ? new AppError(code, line.slice(`${code}: `.length))
    : new AppError("ERR_INTERNAL", line);
}

function notRunning(what: string): AppError {
  return new AppError("ERR_DAEMON_NOT_RUNNING", `${what}; papayu start starts one`);
}
