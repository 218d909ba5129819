import { toVisibleText } from "../core/visible-text.ts";
import { createLog } from "../trace/log.ts";
import { imagesPath } from "../transaction/objects.ts";
import { type Recovery, recover as recoverWorkspace } from "../transaction/recover.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openConfig, pickWorkspace } from "./open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "./parse.ts";
import { eventWriter, print } from "./print.ts";
import { toRecoverReport } from "./reports.ts";

/** `papayu recover`: rolls back what a crash left half done; 1 when files of somebody else's stay. */
export async function recover(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: WORKSPACE_OPTION, positionals: [0, 0] });
  const workspace = pickWorkspace(await openConfig(parsed, context), parsed, context);
  const log = createLog({ write: eventWriter(context), redact: (text) => text, now: Date.now });
  const recovered = recoverWorkspace(workspace, { log });
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
