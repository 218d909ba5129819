import { errorMessage, type Failure } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { describeExcess } from "../system/limits.ts";
import { writeDurably } from "../system/write-durably.ts";
import { inStateFolder, readStateFile } from "../workspace/state-folder.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type CheckResult, type CheckStage, limitOf } from "./change.ts";

const FILE = "last-check.log";
/** More than the stages of any check print. */
const MAX_BYTES = 1024 * 1024;

/**
 * Keeps what the newest checks of a workspace printed, for the next plan to look at, under the id
 * of their transaction or what else they are asked for by. It never throws: a result that cannot be kept is one log line, CHECK_NOT_KEPT.
 */
export function keepLastCheck(
  workspace: Workspace,
  check: CheckResult,
  options: { readonly now: number; readonly ref: string; readonly log: Log },
): void {
  const result = check.ok ? "passed" : "failed";
  const head = `${new Date(options.now).toISOString()} ${result} ${options.ref}`;
  const lines = [head, ...check.stages.map(render)];
  try {
    const text = `${lines.join("\n")}\n`;
    inStateFolder(workspace.root, (folder) => writeDurably(folder.entry(FILE), text));
  } catch (error) {
    options.log("CHECK_NOT_KEPT", { reason: errorMessage(error) });
  }
}

/** Keeps what checks printed that no transaction has an id for, and says under which. */
export function keepChecked(
  { clock, log }: Keeping,
  workspace: Workspace,
  check: CheckResult,
): string {
  const ref = newId("check", clock.now());
  keepLastCheck(workspace, check, { now: clock.now(), ref, log });
  return ref;
}

/** The same of what is about to be shown, if anything ran: who reads its end finds all of it there. */
export function keepShown(
  deps: Keeping,
  workspace: Workspace,
  shown: { readonly check: CheckResult } | undefined,
): void {
  if (shown && shown.check.stages.length > 0) keepChecked(deps, workspace, shown.check);
}

interface Keeping {
  readonly clock: Clock;
  readonly log: Log;
}

/** What the newest checks printed; undefined when none have run. */
export function readLastCheck(
  workspace: Workspace,
): { readonly ok: true; readonly text: string | undefined } | Failure {
  return readStateFile(workspace, FILE, MAX_BYTES);
}

function render(stage: CheckStage): string {
  const { name, command, exitCode, timedOut, excess, output } = stage;
  if (excess)
    return `$ ${command.join(" ")} (${name}): ${describeExcess(excess)}\n${output.trimEnd()}`;
  const end = timedOut ? `timed out after ${limitOf(stage)} s` : `exit code ${exitCode ?? "none"}`;
  return `$ ${command.join(" ")} (${name}): ${end}\n${output.trimEnd()}`;
}

const MORE_TIME =
  "a first build may need longer: check_timeout_s in [[workspaces]] says how long it may take";

/** Which check failed, and how it ended. */
export function describeFailedCheck({ stages }: CheckResult): string {
  const last = stages.at(-1);
  if (!last) throw new Error("a check failed without a stage");
  return `Check "${last.name}" ${describeEnd(last)}`;
}

function describeEnd(stage: CheckStage): string {
  const { timedOut, exitCode, excess, output } = stage;
  if (excess) return describeExcess(excess);
  if (timedOut) return `timed out after ${limitOf(stage)} s; ${MORE_TIME}`;
  if (exitCode !== null) return `failed with exit code ${exitCode}`;
  return `did not run to its end: ${output.trim().split("\n").at(-1)}`;
}
