import { renderLeftAlone } from "../../agent/commands/commands.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { type HistoryEntry, readHistory } from "../../transaction/journal/journal.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "../parse.ts";
import { print } from "../print.ts";
import { toHistoryReport } from "../reports.ts";

/** `papayu history`: the transactions of a workspace, oldest first. */
export async function history(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: WORKSPACE_OPTION, positionals: [0, 0] });
  using app = await openApp(parsed, context, "no model");
  const workspace = pickWorkspace(app.current.loaded, parsed, context, app.state.ledger);
  const entries = readHistory(workspace);
  const nothing = `No changes yet in ${workspace.name} (${workspace.root})`;
  const lines = entries.length > 0 ? entries.map(renderEntry) : [nothing];
  const left = renderLeftAlone(workspace, app.current.texts().history);
  print(context, toHistoryReport(entries), [...lines, ...left].join("\n"));
  return EXIT.done;
}

function renderEntry({ at, txId, kind, status, changes, summary }: HistoryEntry): string {
  const when = new Date(at).toLocaleString("sv"); // 2026-11-21 08:00:00, in local time
  const files = `${changes.length} ${changes.length === 1 ? "change" : "changes"}`;
  return `${when}  ${txId}  ${kind.padEnd(5)}  ${status.padEnd(11)}  ${files}: ${toVisibleText(summary)}`;
}
