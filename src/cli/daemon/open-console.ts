import { join } from "node:path";
import type { ConsoleAsked } from "../../channels/channel.ts";
import { AppError } from "../../core/app-error.ts";
import { systemClock, toLocalTime } from "../../core/clock.ts";
import { isListOf, isObject, isText } from "../../core/guards.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import { type CliContext, EXIT } from "../context.ts";
import { askDaemon, connectDaemon } from "../daemon-client.ts";
import { homeOf } from "../home-of.ts";
import { parseCommand, usageError } from "../parse.ts";
import { print } from "../print.ts";
import { findOpener, layRedirect, startOpener } from "./open-browser.ts";

const OPTIONS = {
  print: { type: "boolean" },
  plain: { type: "boolean" },
  list: { type: "boolean" },
  revoke: { type: "string" },
} as const;

/** How often it is asked whether the browser came, and how long a code is good for, and a bit. */
const LOOK_MS = 250;
const WAIT_MS = 61_000;

/** `papayu open`: the web console in a browser, its address, or who was let in. */
export async function openConsole(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: OPTIONS, positionals: [0, 0] });
  const revoked = parsed.text("revoke");
  const opening = parsed.flag("print") || parsed.flag("plain");
  if ([opening, parsed.flag("list"), revoked !== undefined].filter(Boolean).length > 1) {
    throw usageError("Give one of --print and --plain, --list, --revoke", context);
  }
  const ask = (asked: ConsoleAsked) => askConsole(asked, context);
  if (parsed.flag("list")) return list(ask, context);
  if (revoked !== undefined) return revoke(ask, revoked, context);
  const answer = await ask({ act: "open", plain: parsed.flag("plain") });
  if (!isInvitation(answer)) throw notUnderstood();
  const { id, url } = answer;
  const opener = parsed.flag("print") ? undefined : findOpener(context.caller.env);
  if (opener === undefined) {
    const why = parsed.flag("print") ? "" : "No browser can be started from here. ";
    const how = `${why}Open this within a minute; it lets one browser in, once:\n${url}`;
    print(context, { ok: true, url }, parsed.flag("print") ? url : how);
    return EXIT.done;
  }
  const redirect = layRedirect(url, context.caller);
  try {
    startOpener(opener, redirect.path, context.caller);
    await untilUsed(ask, id, context.signal);
  } finally {
    redirect.remove();
  }
  print(context, { ok: true }, "The console is open in your browser.");
  return EXIT.done;
}

type Ask = (asked: ConsoleAsked) => Promise<Readonly<Record<string, unknown>>>;

const isInvitation = isObject({ id: isText, url: isText });
const isList = isObject({
  sessions: isListOf(
    isObject({ id: isText, browser: isText, signed_in_at: isText, expires_at: isText }),
  ),
});

async function list(ask: Ask, context: CliContext): Promise<number> {
  const answer = await ask({ act: "list" });
  if (!isList(answer)) throw notUnderstood();
  const { sessions } = answer;
  const lines = sessions.map(
    ({ id, browser, signed_in_at: since, expires_at: until }) =>
      `${id}  ${browser}, since ${toLocalTime(since)}, until ${toLocalTime(until)}`,
  );
  const text = lines.length === 0 ? "No browser is let in." : lines.join("\n");
  print(context, { ok: true, sessions }, toPrintableText(text));
  return EXIT.done;
}

async function revoke(ask: Ask, id: string, context: CliContext): Promise<number> {
  await ask({ act: "revoke", id });
  print(context, { ok: true, id }, `The browser ${toPrintableText(id)} is let in no more.`);
  return EXIT.done;
}

/** Until the code let a browser in; the redirect has to stay so long. */
async function untilUsed(ask: Ask, id: string, signal: AbortSignal): Promise<void> {
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += LOOK_MS) {
    const { state } = await ask({ act: "state", id });
    if (state === "used") return;
    if (state !== "waiting") break;
    await systemClock.sleep(LOOK_MS, signal);
  }
  throw new AppError(
    "ERR_CONSOLE",
    "Cannot say that the console is open: no browser came within a minute; papayu open --print gives the address",
  );
}

async function askConsole(
  asked: ConsoleAsked,
  context: CliContext,
): Promise<Readonly<Record<string, unknown>>> {
  using client = await connectDaemon(join(homeOf(context), "daemon.sock"));
  if (!client) {
    const message = "The daemon is not running; papayu start starts it";
    throw new AppError("ERR_DAEMON_NOT_RUNNING", message);
  }
  const answer = await askDaemon(client, { type: "console", ...asked }, context.signal, (line) => {
    if (line.type === "error") throw notUnderstood();
    return line.type === "console" ? line.answer : undefined;
  });
  if (answer["ok"] === true) return answer;
  throw new AppError("ERR_CONSOLE", `Cannot do that with the console: ${String(answer["error"])}`);
}

function notUnderstood(): AppError {
  const message = "Cannot ask for the console: a daemon of another version runs; papayu restart";
  return new AppError("ERR_CONSOLE", message);
}
