import { toVisibleText } from "../core/visible-text.ts";
import type { CheckResult, CheckStage } from "../transaction/change.ts";
import type { ChangeView, OutcomeView, PreviewView } from "../transaction/views.ts";

/** Lines of a failing check's output that are shown. */
const OUTPUT_LINES = 15;

/** A change set as text for a terminal, hidden characters made visible; coloured when `color`. */
export function renderPreview(preview: PreviewView, color: boolean): string {
  const { changes, workspace, changeSetId, notes, checks } = preview;
  const head = [
    `${changes.length} ${changes.length === 1 ? "change" : "changes"} in ${workspace} (${changeSetId.slice(0, 12)})`,
    ...changes.map((change) => `  ${renderChange(change)}`),
    ...notes.map((note) => `  note: ${note}`),
    `checks: ${checks.length > 0 ? checks.join(" · ") : "none"}`,
  ];
  const diff = toVisibleText(preview.diff);
  const painted = color ? diff.split("\n").map(paint).join("\n") : diff;
  return `${toVisibleText(head.join("\n"))}\n\n${painted}`;
}

/** How a transaction ended, with its checks; hidden characters made visible. */
export function renderOutcome(outcome: OutcomeView): string {
  const { workspace, changes, check, reason, error, errorCode, status } = outcome;
  const lines = [
    outcomeHeadline(outcome),
    ...changes.map((change) => `  ${renderChange(change)}`),
    ...(reason === undefined ? [] : [reason]),
    ...(check ? renderCheck(check) : []),
    ...(error === undefined ? [] : [`${errorCode ?? "error"}: ${error}`]),
    ...(status === "committed" ? [`undo takes it back (workspace ${workspace})`] : []),
  ];
  return toVisibleText(lines.join("\n"));
}

function outcomeHeadline({ status, workspace, txId, kept, errorCode }: OutcomeView): string {
  switch (status) {
    case "committed":
      return `✓ Applied in ${workspace}${txId ? ` (${txId})` : ""}`;
    case "rolled_back":
      if (errorCode === "ERR_IO") return `! Not all of it could be put back in ${workspace}`;
      if (kept) return `! Rolled back in ${workspace}, except ${kept.join(", ")}`;
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
  return `${change.kind.padEnd(6)} ${change.path}${counts}`;
}

function renderCheck(check: CheckResult): readonly string[] {
  const { stages, sandbox, sandboxNote } = check;
  const where = `  sandbox: ${sandbox}${sandboxNote ? ` (${sandboxNote})` : ""}`;
  return [...stages.flatMap(renderStage), where];
}

function renderStage(stage: CheckStage): readonly string[] {
  const seconds = (stage.durationMs / 1000).toFixed(1);
  const passed = stage.exitCode === 0;
  const verdict = stage.timedOut
    ? "timed out"
    : passed
      ? "passed"
      : `exit ${stage.exitCode ?? "?"}`;
  const line = `${passed ? "✓" : "✗"} ${stage.name}: ${stage.command.join(" ")} — ${verdict} in ${seconds} s`;
  if (passed) return [line];
  const tail = stage.output.trimEnd().split("\n").slice(-OUTPUT_LINES);
  return [line, ...tail.map((text) => `    ${text}`)];
}

function paint(line: string): string {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("diff "))
    return `\x1b[1m${line}\x1b[0m`;
  if (line.startsWith("+")) return `\x1b[32m${line}\x1b[0m`;
  if (line.startsWith("-")) return `\x1b[31m${line}\x1b[0m`;
  if (line.startsWith("@@")) return `\x1b[36m${line}\x1b[0m`;
  return line;
}
