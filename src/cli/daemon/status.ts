import { join } from "node:path";
import { AppError } from "../../core/app-error.ts";
import { isDaemonStatus, renderStatus } from "../../daemon/status.ts";
import { textsIn } from "../../texts/texts.ts";
import { type CliContext, EXIT } from "../context.ts";
import { readStatus } from "../daemon-client.ts";
import { homeOf } from "../home-of.ts";
import { parseCommand } from "../parse.ts";
import { print, readLanguage } from "../print.ts";

/** `papayu status`: what the running daemon says of itself. */
export async function status(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { positionals: [0, 0] });
  const found = await readStatus(join(homeOf(context), "daemon.sock"), context.signal);
  if (!found) {
    const message = "The daemon is not running; papayu start starts it";
    throw new AppError("ERR_DAEMON_NOT_RUNNING", message);
  }
  const texts = textsIn(await readLanguage(parsed.text("config"), context.caller));
  print(
    context,
    found,
    isDaemonStatus(found) ? renderStatus(found, texts.status) : JSON.stringify(found),
  );
  return EXIT.done;
}
