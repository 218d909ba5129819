import { readHistory } from "../transaction/history.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp, pickWorkspace, print } from "./open-app.ts";
import { JSON_OPTION, parseCommand, WORKSPACE_OPTION } from "./parse.ts";

/** `papayu history`: the transactions of a workspace, oldest first. */
export async function history(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, "history [-w WS] [--json]", {
    options: { ...WORKSPACE_OPTION, ...JSON_OPTION },
    positionals: [0, 0],
  });
  using app = await openApp(parsed, context);
  const entries = readHistory(pickWorkspace(app, parsed, context));
  const lines = entries.map((entry) => {
    const when = new Date(entry.at).toISOString();
    return `${when}  ${entry.txId}  ${entry.kind} ${entry.status}  ${entry.changes.length} changes  ${entry.summary}`;
  });
  print(
    context,
    parsed.flag("json"),
    entries,
    lines.length > 0 ? lines.join("\n") : "no changes yet",
  );
  return EXIT.done;
}
