import { join } from "node:path";
import { type CliContext, EXIT } from "./context.ts";
import { connectDaemon } from "./daemon-client.ts";
import { openConfig, print } from "./open-app.ts";
import { JSON_OPTION, parseCommand } from "./parse.ts";

/** `papayu status`: what the running daemon says of itself. */
export async function status(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, "status [--json]", {
    options: JSON_OPTION,
    positionals: [0, 0],
  });
  const json = parsed.flag("json");
  const { home } = await openConfig(parsed, context);
  const client = await connectDaemon(join(home, "daemon.sock"));
  if (!client) {
    print(context, json, { running: false }, "not running; papayu start starts it");
    return EXIT.notRunning;
  }
  using connection = client;
  connection.send({ type: "status" });
  for await (const line of connection.lines) {
    if (line.type !== "status") continue;
    print(context, json, line.status, renderStatus(line.status));
    return EXIT.done;
  }
  print(context, json, { running: false }, "the daemon closed the connection");
  return EXIT.notRunning;
}

function renderStatus(report: Readonly<Record<string, unknown>>): string {
  return Object.entries(report)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join("\n");
}
