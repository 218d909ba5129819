import { AppError } from "../../core/app-error.ts";
import type { ReadLogs } from "../../planner/context/context.ts";
import type { RoutineRun, RoutineRuns } from "../../store/routines/routines.ts";
import { readTail } from "../../system/logs/logs.ts";
import { readLastCheck } from "../../transaction/last-check.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { logPath } from "./log-file.ts";

/** Most that is read of a log; more than any plan is shown. */
const MOST_BYTES = 512 * 1024;
/** Most runs of a routine that are shown. */
const MOST_RUNS = 20;

/** Reads what this daemon keeps: its own log, outputs of routines, the newest checks. */
export function createReadLogs(home: string, routineRuns: Pick<RoutineRuns, "list">): ReadLogs {
  return async (source, { workspace, lastN }) => {
    if (source === "daemon") return readTail(logPath(home), MOST_BYTES).text || undefined;
    if (source === "check") return readCheck(workspace);
    const routine = source.replace(/^routine:/u, "");
    const runs = routineRuns.list(routine, Math.min(lastN, MOST_RUNS)).toReversed();
    return runs.length === 0 ? undefined : runs.map(renderRun).join("\n");
  };
}

function readCheck(workspace: Workspace): string | undefined {
  const check = readLastCheck(workspace);
  if (!check.ok) throw new AppError(check.code, check.message);
  return check.text;
}

function renderRun({ dueAt, state, error, output }: RoutineRun): string {
  const head = `${new Date(dueAt).toISOString()} ${state}${error === null ? "" : `: ${error}`}`;
  return output === "" ? head : `${head}\n${output.trimEnd()}`;
}
