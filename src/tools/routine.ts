import { AppError } from "../core/app-error.ts";
import { failure, type Tool, type ToolArguments, type ToolResult } from "./tool.ts";

/** What the routine tool does, over all routines of this home. */
export interface RoutineAccess {
  /** Every routine with its schedule, state and next runs, for a model. */
  list(): string;
  /**
   * Checks without storing: the entry as it would be stored and its next three runs. Throws
   * ERR_ROUTINE_INVALID.
   */
  check(
    entry: ToolArguments,
  ): Promise<{ readonly entry: ToolArguments; readonly next: readonly string[] }>;
  /** Throws ERR_ROUTINE_INVALID. */
  create(entry: ToolArguments): Promise<void>;
  /** Throws ERR_ROUTINE_UNKNOWN, and ERR_ROUTINE_INVALID for one of config.toml. */
  delete(name: string): void;
  turn(name: string, enabled: boolean): void;
  /** Runs it now, to its end; what came of it. */
  run(name: string, signal: AbortSignal): Promise<string>;
  logs(name: string | undefined): string;
}

const ACTIONS = ["create", "list", "delete", "enable", "disable", "run", "logs"];
const LOOKS: ReadonlySet<unknown> = new Set(["list", "logs"]);

/**
 * `routine`: tasks on a schedule, made, switched, run and looked at from a chat. What it works with
 * is opened with its first call: most turns have none.
 */
export function createRoutineTool(open: () => Promise<RoutineAccess>): Tool {
  return {
    schema: {
      name: "routine",
      description: "Schedules tasks: create, list, delete, enable, disable, run or show logs",
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
      if (args["action"] !== "create") return { kind: "complete", args };
      const { entry, next } = await (await open()).check(toEntry(args));
      return { kind: "complete", args: { action: "create", ...entry, next_runs: next } };
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
  const { action, name, schedule, timezone, mode, workspace, channel, task, next_runs } = args;
  if (action !== "create") return `Routine ${JSON.stringify(name)}: ${String(action)}`;
  const place = workspace === undefined ? "" : ` in ${JSON.stringify(workspace)}`;
  return [
    `New routine ${JSON.stringify(name)}: ${String(mode)}${place}, result to ${String(channel)}`,
    `Schedule: ${String(schedule)} (${String(timezone)})`,
    `Next: ${Array.isArray(next_runs) ? next_runs.join(", ") : "unknown"}`,
    `Task: ${String(task)}`,
  ].join("\n");
}

async function run(
  access: RoutineAccess,
  args: ToolArguments,
  signal: AbortSignal,
): Promise<string> {
  const { action } = args;
  switch (action) {
    case "list":
      return access.list();
    case "logs":
      return access.logs(typeof args["name"] === "string" ? args["name"] : undefined);
    case "create":
      await access.create(toEntry(args));
      return "Created";
    case "delete":
      access.delete(toName(args));
      return "Deleted";
    case "enable":
    case "disable":
      access.turn(toName(args), action === "enable");
      return `${action}d`;
    case "run":
      return access.run(toName(args), signal);
    default:
      throw new AppError("ERR_ROUTINE_INVALID", `"action" must be one of ${ACTIONS.join(", ")}`);
  }
}

/** The arguments that are keys of a routine. */
function toEntry({ action: _action, next_runs: _next, ...entry }: ToolArguments): ToolArguments {
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
