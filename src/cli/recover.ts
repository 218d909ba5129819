import { toVisibleText } from "../core/visible-text.ts";
import { imagesPath } from "../transaction/objects.ts";
import { type Recovery, recover as recoverWorkspace } from "../transaction/recover.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp } from "./open-app.ts";
import { pickWorkspace } from "./open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "./parse.ts";
import { print } from "./print.ts";
import { toRecoverReport } from "./reports.ts";

/** `papayu recover`: rolls back what a crash left half done; 1 when files of somebody else's stay. */
export async function recover(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: WORKSPACE_OPTION, positionals: [0, 0] });
  using app = await openApp(parsed, context, "no model");
  const workspace = pickWorkspace(app.loaded, parsed, context, app.ledger);
  const recovered = recoverWorkspace(workspace, { log: app.log });
  const report = toRecoverReport(recovered);
  const text = recovered.map(renderRecovery).join("\n");
  print(context, report, text || `Nothing to recover in ${workspace.name} (${workspace.root})`);
  return report.ok ? EXIT.done : EXIT.failed;
}

function renderRecovery({ txId, kind, summary, kept }: Recovery): string {
  const head = `Rolled back ${txId}: ${kind} of "${toVisibleText(summary)}"`;
  if (kept.length === 0) return `${head}; every file is as it was before`;
  const files = kept.map(({ path, beforeSha256 }) => {
    const image = beforeSha256 ? `; before: ${beforeSha256} in ${imagesPath(txId)}` : "";
    return `  left as it is, somebody changed it since: ${toVisibleText(path)}${image}`;
  });
  return [head, ...files].join("\n");
}
