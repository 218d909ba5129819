import { AppError } from "../core/app-error.ts";
import { renderInstant } from "../core/clock.ts";
import { shorten } from "../core/cut-text.ts";
import type { Few } from "../core/few.ts";
import type { RoutineRun } from "../store/routines/routines.ts";
import type { RoutineService, RoutineView } from "./routine-service.ts";
import { failure, type Tool, type ToolArguments, type ToolResult } from "./tool.ts";

/** Runs that a model is shown, and how much of what came of each. */
const MOST_RUNS = 20;
const SHOWN_CHARS = 500;

const ACTIONS = ["create", "change", "list", "delete", "enable", "disable", "run", "logs"];
const LOOKS: ReadonlySet<unknown> = new Set(["list", "logs"]);

/**
 * `routine`: tasks on a schedule, made, switched, run and looked at from a chat. What it works with
 * is opened with its first call: most turns have none.
 */
export function createRoutineTool(open: () => Promise<RoutineService>): Tool {
  return {
    schema: {
      name: "routine",
      description:
        "Schedules tasks: create, change, list, delete, enable, disable, run or show logs",
      parameters: {
        type: "object",
        properties: {
          action: { type: "string", description: ACTIONS.join(", ") },
          name: { type: "string" },
          schedule: { type: "string", description: "the user's words, or cron" },
          task: { type: "string", description: "what to do, in full" },
          workspace: { type: "string", description: "needed for modes plan and apply" },
          mode: { type: "string", description: "ask (an answer), plan or apply (changes)" },
          timezone: { type: "string", description: "IANA; default: the machine's" },
          channel: { type: "string", description: "telegram, terminal or none" },
          only_if_changed: { type: "boolean" },
        },
        required: ["action"],
      },
    },
    effect: ({ action }) => (LOOKS.has(action) ? "none" : "rule"),
    isRare: true,
    // What runs brought may hold the words of strangers.
    origin: "outside",
    leaves: "nothing",
    describe,
    async complete(args) {
      if (args["action"] === "change") {
        return { kind: "complete", args: await completeChange(await open(), args) };
      }
      if (args["action"] !== "create") return { kind: "complete", args };
      return { kind: "complete", args: await completeEntry(await open(), toEntry(args)) };
    },
    async run(args, signal) {
      try {
        return { ok: true, content: await run(await open(), args, signal) };
      } catch (error) {
        return toFailure(error);
      }
    },
  };
}

/** The task is what the person approves, so all of it is shown. */
function describe(args: ToolArguments): string {
  const { action, name, next_runs, was } = args;
  if (action !== "create" && action !== "change") {
    return `Routine ${JSON.stringify(name)}: ${String(action)}`;
  }
  const is = linesOf(args);
  const before = typeof was === "object" && was !== null ? linesOf({ ...was }) : undefined;
  const [place, when, task] = is.map((line, at) => {
    const old = before?.[at];
    return old === undefined || old === line ? line : `${line}\n  was: ${old}`;
  });
  return [
    `${action === "create" ? "New routine" : "Changed routine"} ${JSON.stringify(name)}: ${place}`,
    when,
    `Next: ${Array.isArray(next_runs) ? next_runs.join(", ") : "unknown"}`,
    task,
  ].join("\n");
}

function linesOf({ mode, workspace, channel, schedule, timezone, task }: ToolArguments) {
  const place = workspace === undefined ? "" : ` in ${JSON.stringify(workspace)}`;
  return [
    `${String(mode)}${place}, result ${RESULT_GOES[String(channel)] ?? `to ${String(channel)}`}`,
    `Schedule: ${String(schedule)} (${String(timezone)})`,
    `Task: ${String(task)}`,
  ];
}

const RESULT_GOES: Readonly<Record<string, string>> = {
  telegram: "kept with its runs, and sent to Telegram if that is set up",
  terminal: "kept with its runs, and shown in terminals that are open",
  none: "kept with its runs",
};

async function completeChange(routines: RoutineService, args: ToolArguments) {
  const { completeChange: complete } = await import("./routine-change.ts"); // few change one
  return complete(routines, toName(args), toEntry(args));
}

/** The schedule as cron, and all that must not change between the question and the yes. */
async function completeEntry(
  routines: RoutineService,
  entry: ToolArguments,
): Promise<ToolArguments> {
  const { job, next } = await withDefaults(routines, entry);
  await routines.check(job);
  return { action: "create", ...job, next_runs: next };
}

async function withDefaults(routines: RoutineService, entry: ToolArguments) {
  const { schedule: words = "", timezone: given, workspace, mode } = entry;
  if (entry["trigger_secret"] !== undefined) {
    const message = "Cannot take a trigger_secret from a chat; let the user set it";
    throw new AppError("ERR_ROUTINE_INVALID", message);
  }
  const timezone = typeof given === "string" ? given : routines.timezone();
  const { schedule, next } = await routines.readSchedule(String(words), timezone);
  const job = {
    channel: "telegram",
    ...entry,
    mode: mode ?? (workspace === undefined ? "ask" : "plan"),
    schedule,
    timezone,
  };
  return { job, next: next.map((at) => renderInstant(at, timezone)) };
}

async function run(
  routines: RoutineService,
  args: ToolArguments,
  signal: AbortSignal,
): Promise<string> {
  const { action } = args;
  switch (action) {
    case "list":
      return routines.list().map(renderRoutine).join("\n") || "There are no routines";
    case "logs": {
      const name = typeof args["name"] === "string" ? args["name"] : undefined;
      return renderRuns(routines.logs(name, MOST_RUNS));
    }
    case "create":
      await routines.add((await withDefaults(routines, toEntry(args))).job);
      return "Created";
    case "change": {
      const { mark, ...done } =
        args["mark"] === undefined ? await completeChange(routines, args) : args;
      await routines.change(toName(args), toEntry(done), String(mark));
      return "Changed";
    }
    case "delete":
      routines.remove(toName(args));
      return "Deleted";
    case "enable":
    case "disable":
      routines.turn(toName(args), action === "enable");
      return `${action}d`;
    case "run":
      return renderRun(await routines.run(toName(args), signal));
    default:
      throw new AppError("ERR_ROUTINE_INVALID", `"action" must be one of ${ACTIONS.join(", ")}`);
  }
}

function renderRoutine(routine: RoutineView): string {
  const { name, source, schedule, timezone, mode, workspace } = routine;
  const place = workspace === undefined ? "" : ` in ${workspace}`;
  return `${name} (${source}): ${mode}${place}, ${schedule} ${timezone}; ${renderState(routine)}`;
}

function renderState({ state, reason, next, timezone }: RoutineView): string {
  if (state === "invalid" || state === "disabled") return reason ?? "disabled";
  const when = next.map((at) => renderInstant(at, timezone)).join(", ");
  return when === "" ? "" : `next ${when}`;
}

function renderRuns(runs: Few<RoutineRun>): string {
  const more = (left: number) =>
    `… ${left} older ones are left out; the user has all by papayu routine logs --json`;
  return runs.lines(renderRun, more).join("\n") || "No runs yet";
}

function renderRun({ routine, dueAt, state, error, output }: RoutineRun): string {
  const head = `${new Date(dueAt).toISOString()} ${routine} ${state}${error === null ? "" : `: ${error}`}`;
  return output === "" ? head : `${head}\n${shorten(output, SHOWN_CHARS)}`;
}

/** The arguments that are keys of a routine. */
function toEntry({
  action: _action,
  next_runs: _next,
  was: _was,
  mark: _mark,
  ...entry
}: ToolArguments): ToolArguments {
  return entry;
}

function toName({ name }: ToolArguments): string {
  if (typeof name === "string") return name;
  throw new AppError("ERR_ROUTINE_INVALID", '"name" is missing');
}

function toFailure(error: unknown): ToolResult {
  if (!(error instanceof AppError)) throw error;
  const code = error.code === "ERR_ROUTINE_UNKNOWN" ? "not_found" : "invalid_args";
  return failure(code, error.message);
}
