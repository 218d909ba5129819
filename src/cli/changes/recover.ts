import { shorten } from "../../core/cut-text.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { type ForeignTransaction, listForeign } from "../../transaction/journal/journal.ts";
import { closeCommand, type LookedAgain, resumeCommand } from "../../transaction/look-again.ts";
import { closeLost } from "../../transaction/recover/close-lost.ts";
import { type Recovery, recover as recoverWorkspace } from "../../transaction/recover/recover.ts";
import { imagesPath } from "../../transaction/stage/stage.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { parseCommand, usageError, WORKSPACE_OPTION } from "../parse.ts";
import { print } from "../print.ts";
import { toRecoverReport } from "../reports.ts";
import { adoptTransaction, FOREIGN_REASONS } from "./adopt.ts";

/**
 * `papayu recover`: rolls back what a crash left half done; 1 when not every file is as it was.
 * What this home did not make is named and left alone, until `--adopt TX` and a yes.
 */
export async function recover(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: {
      ...WORKSPACE_OPTION,
      adopt: { type: "string" },
      close: { type: "string" },
      yes: { type: "boolean", short: "y" },
    },
    positionals: [0, 0],
  });
  const wanted = parsed.text("adopt");
  if (parsed.flag("yes") && wanted === undefined) throw usageError(YES_ALONE, context);
  using app = await openApp(parsed, context, "no model");
  const workspace = pickWorkspace(app.current.loaded, parsed, context, app.state.ledger);
  const toClose = parsed.text("close");
  const closed =
    toClose === undefined ? undefined : closeLost(workspace, toClose, { log: app.log });
  const before = closed?.recovered ?? recoverWorkspace(workspace, { log: app.log });
  const adopted =
    wanted === undefined
      ? undefined
      : await adoptTransaction(
          app.current.agent.core,
          workspace,
          wanted,
          parsed.flag("yes"),
          context,
        );
  const recovered = [...before, ...(adopted?.kind === "recovered" ? adopted.recovered : [])];
  const { items: leftAlone, leftOut } = listForeign(workspace);
  const notLookedAt = leftOut.reduce((sum, { count = 0 }) => sum + count, 0);
  const report = {
    ...toRecoverReport(recovered),
    adopted: adopted ? [adopted.adoption.txId] : [],
    closed: toClose !== undefined && closed?.left ? [toClose] : [],
    left_alone: leftAlone.map(toForeignReport),
    ...(notLookedAt > 0 && { not_looked_at: notLookedAt }),
  };
  const lines = [
    ...recovered.map((each) => renderRecovery(each, workspace)),
    ...(adopted?.kind === "adopted"
      ? [`Adopted ${adopted.adoption.txId}; papayu undo can take it back`]
      : []),
    ...(toClose === undefined || !closed?.left ? [] : [renderClosed(toClose, closed.left)]),
    ...leftAlone.map(renderForeign),
    ...(notLookedAt > 0 ? [`${notLookedAt} more in .papa-yu/tx were not looked at`] : []),
  ];
  const nothing = `Nothing to recover in ${workspace.name} (${workspace.root})`;
  print(context, report, lines.join("\n") || nothing);
  const isRefused = wanted !== undefined && adopted === undefined;
  return report.ok && !isRefused ? EXIT.done : EXIT.failed;
}

const YES_ALONE = "Cannot say yes to nothing: --yes goes with --adopt TX";

function toForeignReport({ txId, why, claims }: ForeignTransaction): Record<string, unknown> {
  return { tx_id: txId, why, status: claims ? (claims.outcome?.status ?? "open") : null };
}

function renderForeign({ txId, why, claims }: ForeignTransaction): string {
  const head = `Left alone: ${txId}: ${FOREIGN_REASONS[why]}`;
  if (!claims) return head;
  const state = claims.outcome ? claims.outcome.status : "cut off in the middle";
  const summary = toVisibleText(shorten(claims.header.summary, 80));
  return `${head}; it says: ${claims.header.kind} of "${summary}", ${state}; papayu recover --adopt ${txId} shows what it would do, and asks`;
}

function renderClosed(txId: string, { pending }: LookedAgain): string {
  const files = pending.map(({ path }) => `  stays as it is: ${toVisibleText(path)}`);
  return [`Closed ${txId}; papa-yu asks no more about it`, ...files].join("\n");
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
      : `Not rolled back as a whole ${what}; when what stops it is out of the way, ${resumeCommand(root)}`,
    ...kept.map(({ path, reason, beforeSha256 }) => {
      return `  left as it is (${reason}): ${toVisibleText(path)}${image(beforeSha256)}`;
    }),
    ...pending.map(({ path, reason, beforeSha256, isLost }) => {
      const where = isLost ? "" : image(beforeSha256);
      return `  still to go back (${reason}): ${toVisibleText(path)}${where}`;
    }),
    ...(pending.some(({ isLost }) => isLost)
      ? [`  to keep what is lost as it is now, ${closeCommand(root, txId)}`]
      : []),
  ].join("\n");
}
