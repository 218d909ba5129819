import { toVisibleText } from "../core/visible-text.ts";
import { goOn } from "../transaction/look-again.ts";
import { imagesPath } from "../transaction/objects.ts";
import { type Recovery, recover as recoverWorkspace } from "../transaction/recover.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp } from "./open-app.ts";
import { pickWorkspace } from "./open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "./parse.ts";
import { print } from "./print.ts";
import { toRecoverReport } from "./reports.ts";

/** `papayu recover`: rolls back what a crash left half done; 1 when not every file is as it was. */
export async function recover(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: WORKSPACE_OPTION, positionals: [0, 0] });
  using app = await openApp(parsed, context, "no model");
  const workspace = pickWorkspace(app.loaded, parsed, context, app.ledger);
  const recovered = recoverWorkspace(workspace, { log: app.log });
  const report = toRecoverReport(recovered);
  const text = recovered.map((each) => renderRecovery(each, workspace)).join("\n");
  print(context, report, text || `Nothing to recover in ${workspace.name} (${workspace.root})`);
  return report.ok ? EXIT.done : EXIT.failed;
}

function renderRecovery({ txId, kind, summary, looked }: Recovery, { root }: Workspace): string {
  const { status, kept, pending } = looked;
  const what = `${txId}: ${kind} of "${toVisibleText(summary)}"`;
  if (status === "rolled_back") {
    return `Rolled back ${what}; every file of it is as it was before`;
  }
  const image = (hash: string | null) => (hash ? `; before: ${hash} in ${imagesPath(txId)}` : "");
  return [
    status === "conflict"
      ? `Rolled back ${what}, but for what somebody changed since`
      : `Not rolled back as a whole ${what}; when what stops it is out of the way, ${goOn(root)}`,
    ...kept.map(({ path, reason, beforeSha256 }) => {
      return `  left as it is (${reason}): ${toVisibleText(path)}${image(beforeSha256)}`;
    }),
    ...pending.map(({ path, reason, beforeSha256 }) => {
      return `  still to go back (${reason}): ${toVisibleText(path)}${image(beforeSha256)}`;
    }),
  ].join("\n");
}
