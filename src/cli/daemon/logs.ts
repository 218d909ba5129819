import { AppError } from "../../core/app-error.ts";
import { systemClock } from "../../core/clock.ts";
import { logPath } from "../../daemon/app/app.ts";
import { followLines, readLastLines } from "../../system/logs/follow-lines.ts";
import { type CliContext, EXIT } from "../context.ts";
import { homeOf } from "../home-of.ts";
import { parseCommand, usageError } from "../parse.ts";
import { print } from "../print.ts";

const LINES = 100;
const MOST_LINES = 100_000;

/** `papayu logs`: the end of the daemon's log, whether it runs or not; with -f what comes, too. */
export async function logs(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: { follow: { type: "boolean", short: "f" }, lines: { type: "string", short: "n" } },
    positionals: [0, 0],
  });
  const isFollowed = parsed.flag("follow");
  if (isFollowed && context.command.json)
    throw usageError("A log that goes on is no document", context);
  const count = toCount(parsed.text("lines"), context);
  const path = logPath(homeOf(context));
  const { lines, end, isCut } = readLastLines(path, count);
  if (!end && !isFollowed) throw new AppError("ERR_USAGE", `There is no log yet at "${path}"`);
  if (context.command.json) print(context, { ok: true, path, lines, is_cut: isCut }, "");
  else context.stdout.write(lines.map((line) => `${line}\n`).join(""));
  if (isCut) context.stderr.write(`… only the last ${count} lines: --lines N shows more\n`);
  if (isFollowed) await follow(path, end, context);
  return EXIT.done;
}

/** Ends with Ctrl-C, and when nobody reads any more. */
async function follow(
  path: string,
  end: Parameters<typeof followLines>[1],
  { stdout, signal }: CliContext,
): Promise<void> {
  const unread = new AbortController();
  stdout.once("error", () => unread.abort());
  const until = AbortSignal.any([signal, unread.signal]);
  for await (const text of followLines(path, end, systemClock, until)) {
    if (!stdout.write(text))
      await new Promise<void>((go) => stdout.once("drain", go).once("error", go));
  }
}

function toCount(text: string | undefined, context: CliContext): number {
  if (text === undefined) return LINES;
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= MOST_LINES) return count;
  throw usageError(`Cannot show "${text}" lines: expected 0 to ${MOST_LINES}`, context);
}
