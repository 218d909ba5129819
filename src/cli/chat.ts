import { join } from "node:path";
import { AppError } from "../core/app-error.ts";
import { newId } from "../core/ids.ts";
import { type CliContext, EXIT } from "./context.ts";
import { connectDaemon } from "./daemon-client.ts";
import { openConfig } from "./open-app.ts";
import { parseCommand, WORKSPACE_OPTION } from "./parse.ts";
import { runTerminal } from "./terminal.ts";

/** `papayu chat`: a terminal on the running daemon. */
export async function chat(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, "chat [-w WS] [--session ID]", {
    options: { ...WORKSPACE_OPTION, session: { type: "string" } },
    positionals: [0, 0],
  });
  const { home } = await openConfig(parsed, context);
  const client = await connectDaemon(join(home, "daemon.sock"));
  if (!client) {
    throw new AppError("ERR_DAEMON_NOT_RUNNING", "No daemon answers; papayu start starts one");
  }
  using connection = client;
  const workspace = parsed.text("workspace");
  await runTerminal(connection, {
    sessionId: parsed.text("session") ?? newId("cli"),
    ...(workspace !== undefined && { firstLine: `/ws ${workspace}` }),
    context,
  });
  return EXIT.done;
}
