import { toVisibleText } from "../../core/visible-text.ts";
import type { CheckResult } from "../../transaction/change.ts";
import type { ChangeView, OutcomeView, PreviewView } from "../../transaction/views.ts";

/** Lines of a failing check's output that are shown. */
const OUTPUT_LINES = 15;

/** A change set as plain text for a terminal; coloured when `color`. */
export function renderPreview(preview: PreviewView, color: boolean): string {
  const lines = [
    `${preview.changes.length} changes in ${preview.workspace} (${preview.changeSetId.slice(0, 12)})`,
    ...preview.changes.map((change) => `  ${renderChange(change)}`),
    ...preview.notes.map((note) => `  note: ${toVisibleText(note)}`),
    preview.checks.length > 0 ? `checks: ${preview.checks.join(" · ")}` : "checks: none",
    "",
    renderDiffText(preview.diff, color),
  ];
  return lines.join("\n");
}

/** How a transaction ended, with its checks. */
export function renderOutcome(outcome: OutcomeView): string {
  const { workspace } = outcome;
  const lines = [
    outcomeHeadline(outcome),
    ...outcome.changes.map((change) => `  ${renderChange(change)}`),
  ];
  if (outcome.check) lines.push(...renderCheck(outcome.check));
  if (outcome.error) lines.push(`${outcome.errorCode ?? "error"}: ${toVisibleText(outcome.error)}`);
  if (outcome.status === "committed") lines.push(`undo takes it back (workspace ${workspace})`);
  return lines.join("\n");
}

/** A unified diff with hidden characters made visible. */
export function renderDiffText(diff: string, color: boolean): string {
  const visible = toVisibleText(diff);
  return color ? visible.split("\n").map(paint).join("\n") : visible;
}

function outcomeHeadline({ status, workspace, txId }: OutcomeView): string {
  switch (status) {
    case "committed":
      return `✓ Applied in ${workspace}${txId ? ` (${txId})` : ""}`;
    case "rolled_back":
      return `✗ Rolled back in ${workspace}: every file is as it was`;
    case "rejected":
      return "✗ Not applied: nothing was changed";
    case "no_changes":
      return "Nothing to change";
    case "undone":
      return `✓ Undone in ${workspace}`;
    case "redone":
      return `✓ Redone in ${workspace}`;
    case "conflict":
      return `! Partly done in ${workspace}: files edited since were left as they are`;
    default:
      return status satisfies never;
  }
}

function renderChange(change: ChangeView): string {
  const counts =
    change.kind === "mkdir" || change.kind === "rmdir"
      ? ""
      : ` +${change.added} -${change.removed}`;
  return `${change.kind.padEnd(6)} ${toVisibleText(change.path)}${counts}`;
}

function renderCheck(check: CheckResult): readonly string[] {
  return check.stages.flatMap((stage) => {
    const seconds = (stage.durationMs / 1000).toFixed(1);
    const passed = stage.exitCode === 0;
    const verdict = stage.timedOut
      ? "timed out"
      : passed
        ? "passed"
        : `exit ${stage.exitCode ?? "?"}`;
    const line = `${passed ? "✓" : "✗"} ${stage.name}: ${stage.command.join(" ")} — ${verdict} in ${seconds} s`;
    if (passed) return [line];
    const tail = toVisibleText(stage.output.trimEnd()).split("\n").slice(-OUTPUT_LINES);
    return [line, ...tail.map((text) => `    ${text}`)];
  });
}

function paint(line: string): string {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("diff "))
    return `\x1b[1m${line}\x1b[0m`;
  if (line.startsWith("+")) return `\x1b[32m${line}\x1b[0m`;
  if (line.startsWith("-")) return `\x1b[31m${line}\x1b[0m`;
  if (line.startsWith("@@")) return `\x1b[36m${line}\x1b[0m`;
  return line;
}
