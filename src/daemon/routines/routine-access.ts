import { AppError } from "../../core/app-error.ts";
import { renderInstant } from "../../routines/digest.ts";
import type { ExecuteDeps } from "../../routines/execute.ts";
import { nextRuns } from "../../routines/next-run.ts";
import { parseSchedule } from "../../routines/parse-schedule.ts";
import type { Routine } from "../../routines/routine.ts";
import { runNow } from "../../routines/run-now.ts";
import { validateRoutine } from "../../routines/validate-routine.ts";
import { createRoutineRuns, type RoutineRun } from "../../store/routines/routines.ts";
import type { RoutineAccess } from "../../tools/routine.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import type { App } from "../app/app.ts";
import { runCharged } from "./create-routines.ts";
import { createRoutineDeps, toWorkId } from "./routine-deps.ts";

/** Runs that the tool shows. */
const MOST_RUNS = 20;
const SHOWN_CHARS = 500;

/** The routine tool's view of an app. */
export function createRoutineAccess(app: App): RoutineAccess {
  const { routines, store, clock, log } = app;
  const runs = createRoutineRuns(store);
  return {
    list() {
      const lines = routines.list().map((routine) => renderRoutine(routine, clock.now()));
      return lines.length === 0 ? "There are no routines" : lines.join("\n");
    },
    async check(entry) {
      const job = withDefaults(entry, clock.now());
      const { schedule, timezone } = await routines.check(job);
      const next = nextRuns(schedule, timezone, clock.now(), 3);
      return { entry: job, next: next.map((at) => renderInstant(at, timezone)) };
    },
    async create(entry) {
      await routines.add(withDefaults(entry, clock.now()));
    },
    delete: (name) => routines.remove(name),
    turn: (name, enabled) => void routines.turn(name, enabled),
    async run(name, signal) {
      const run: ExecuteDeps["run"] = (it, dueAt, end) =>
        runCharged(app, it, createRoutineDeps(app, { workId: toWorkId(it, dueAt) }), end);
      const done = await runNow(routines.find(name), { runs, run, clock, log }, signal);
      return renderRun(done);
    },
    logs(name) {
      const rows = runs.list(name, MOST_RUNS);
      if (name !== undefined && rows.length === 0) routines.find(name);
      return rows.length === 0 ? "No runs yet" : rows.map(renderRun).join("\n");
    },
  };
}

/** The schedule as cron, and all that must not change between the question and the yes. */
function withDefaults(entry: ToolArguments, now: number): ToolArguments {
  const { schedule = "", timezone: given, workspace, mode } = entry;
  if (entry["trigger_secret"] !== undefined) {
    const message = "Cannot take a trigger_secret from a chat; let the user set it";
    throw new AppError("ERR_ROUTINE_INVALID", message);
  }
  const timezone =
    typeof given === "string" ? given : Intl.DateTimeFormat().resolvedOptions().timeZone;
  const parsed = parseSchedule(String(schedule), timezone, now);
  if (!parsed.ok) throw new AppError(parsed.code, parsed.message);
  return {
    channel: "telegram",
    ...entry,
    mode: mode ?? (workspace === undefined ? "ask" : "plan"),
    schedule: parsed.schedule,
    timezone,
  };
}

function renderRoutine(routine: Routine, now: number): string {
  const { name, source, schedule, timezone, mode, workspace, enabled, offReason } = routine;
  const problem = validateRoutine(routine, now)?.message;
  const next = enabled && !problem ? nextRuns(schedule, timezone, now, 3) : [];
  const state = problem ?? (enabled ? "" : (offReason ?? "disabled"));
  const place = workspace === undefined ? "" : ` in ${workspace}`;
  const when = next.map((at) => renderInstant(at, timezone)).join(", ");
  return `${name} (${source}): ${mode}${place}, ${schedule} ${timezone}; ${state}${when === "" ? "" : `next ${when}`}`;
}

function renderRun({ routine, dueAt, state, error, output }: RoutineRun): string {
  const head = `${new Date(dueAt).toISOString()} ${routine} ${state}${error === null ? "" : `: ${error}`}`;
  return output === "" ? head : `${head}\n${output.slice(0, SHOWN_CHARS).toWellFormed()}`;
}
