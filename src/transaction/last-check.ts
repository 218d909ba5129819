import { errorMessage, type Failure } from "../core/app-error.ts";
import type { Log } from "../core/log.ts";
import { describeExcess } from "../system/limits.ts";
import { writeDurably } from "../system/write-durably.ts";
import { inStateFolder, readStateFile } from "../workspace/state-folder.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CheckResult, CheckStage } from "./change.ts";

const FILE = "last-check.log";
/** More than the stages of any check print. */
const MAX_BYTES = 1024 * 1024;

/**
 * Keeps what the newest checks of a workspace printed, for the next plan to look at. It never
 * throws: a result that cannot be kept is one log line, CHECK_NOT_KEPT.
 */
export function keepLastCheck(
  workspace: Workspace,
  check: CheckResult,
  options: { readonly now: number; readonly txId: string; readonly log: Log },
): void {
  const result = check.ok ? "passed" : "failed";
  const head = `${new Date(options.now).toISOString()} ${result} ${options.txId}`;
  const lines = [head, ...check.stages.map(render)];
  try {
    const text = `${lines.join("\n")}\n`;
    inStateFolder(workspace.root, (folder) => writeDurably(folder.entry(FILE), text));
  } catch (error) {
    options.log("CHECK_NOT_KEPT", { reason: errorMessage(error) });
  }
}

/** What the newest checks printed; undefined when none have run. */
export function readLastCheck(
  workspace: Workspace,
): { readonly ok: true; readonly text: string | undefined } | Failure {
  return readStateFile(workspace, FILE, MAX_BYTES);
}

function render({ name, command, exitCode, timedOut, excess, output }: CheckStage): string {
  if (excess)
    return `$ ${command.join(" ")} (${name}): ${describeExcess(excess)}\n${output.trimEnd()}`;
  const end = timedOut ? "ran out of time" : `exit code ${exitCode ?? "none"}`;
  return `$ ${command.join(" ")} (${name}): ${end}\n${output.trimEnd()}`;
}
