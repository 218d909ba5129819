import type { App } from "../../daemon/app/app.ts";
import { openRoutineService } from "../../daemon/routines/routines.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { type Parsed, parseCommand, parseCount, usageError, WORKSPACE_OPTION } from "../parse.ts";
import { type RoutineCommand, routineList, routineLogs, routineRun, toEntry } from "./routine.ts";
import { ADD_OPTIONS, routineAdd } from "./routine-add.ts";

/**
 * `papayu routine`: adds, lists, switches, runs and reports routines. A running daemon notices at
 * once what changes here.
 */
export async function routine(args: readonly string[], context: CliContext): Promise<number> {
  const [verb = ""] = args;
  const options = {
    ...(verb === "add" && { ...ADD_OPTIONS, ...WORKSPACE_OPTION }),
    ...(verb === "logs" && { last: { type: "string" } as const }),
    ...(verb === "run" && { dry: { type: "boolean" } as const }),
  };
  const parsed = parseCommand(args, context, { options, positionals: [1, 2] });
  const [, name] = parsed.positionals;
  switch (verb) {
    case "list":
    case "add":
      if (name !== undefined) throw usageError(`Cannot use "${name}" here`, context);
      return verb === "add" ? add(parsed, context) : list(parsed, context);
    case "logs": {
      using app = await openApp(parsed, context, "no model");
      routineLogs({ name, last: parseCount(parsed, context) }, toCommand(app, context));
      return EXIT.done;
    }
    case "remove":
    case "enable":
    case "disable":
      return change(verb, needName(name, context), parsed, context);
    case "run":
      return run(needName(name, context), parsed, context);
    default:
      throw usageError(`Cannot do "${verb}"`, context);
  }
}

async function list(parsed: Parsed, context: CliContext): Promise<number> {
  using app = await openApp(parsed, context, "no model");
  routineList(toCommand(app, context));
  return EXIT.done;
}

async function add(parsed: Parsed, context: CliContext): Promise<number> {
  using app = await openApp(parsed, context, "no model");
  const command = toCommand(app, context);
  const added = await routineAdd(parsed, command.routines, app.current.texts(), context);
  const entry = added && toEntry(added);
  const { added: kept, notAdded, never } = app.current.texts().routines;
  if (context.command.json)
    command.print(JSON.stringify({ ok: entry !== undefined, ...entry }, null, 2));
  else command.print(entry ? kept(entry.name, entry.next_at[0] ?? never) : notAdded);
  return entry ? EXIT.done : EXIT.failed;
}

async function change(
  verb: "remove" | "enable" | "disable",
  name: string,
  parsed: Parsed,
  context: CliContext,
): Promise<number> {
  using app = await openApp(parsed, context, "no model");
  const command = toCommand(app, context);
  if (verb === "remove") command.routines.remove(name);
  else command.routines.turn(name, verb === "enable");
  const done = { ok: true, name, ...(verb !== "remove" && { enabled: verb === "enable" }) };
  command.print(context.command.json ? JSON.stringify(done, null, 2) : `${verb}d "${name}"`);
  return EXIT.done;
}

async function run(name: string, parsed: Parsed, context: CliContext): Promise<number> {
  await using app = await openApp(parsed, context);
  const command = toCommand(app, context);
  if (parsed.flag("dry")) {
    const { routineDry } = await import("./routine-dry.ts");
    return (await routineDry(name, command, context.signal)) ? EXIT.done : EXIT.failed;
  }
  return (await routineRun(name, command, context.signal)) ? EXIT.done : EXIT.failed;
}

function needName(name: string | undefined, context: CliContext): string {
  if (name === undefined) throw usageError("Name the routine", context);
  return name;
}

function toCommand(app: App, { command: { json }, stdout, stderr }: CliContext): RoutineCommand {
  return {
    routines: openRoutineService(app),
    json,
    print: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
  };
}
