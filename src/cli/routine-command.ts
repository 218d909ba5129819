import type { App } from "../daemon/app.ts";
import { createRoutineDeps, toPayer } from "../daemon/routine-deps.ts";
import { toRoutine } from "../routines/routine.ts";
import { runRoutine } from "../routines/run.ts";
import { createRoutineRuns } from "../store/routine-runs.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp } from "./open-app.ts";
import { parseCommand, usageError } from "./parse.ts";
import { type RoutineCommand, routineList, routineLogs, routineRun } from "./routine.ts";

/** `papayu routine`: lists, runs and reports routines. */
export async function routine(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { positionals: [1, 2] });
  const [verb = "", name] = parsed.positionals;
  switch (verb) {
    case "list": {
      if (name !== undefined) throw usageError(`Cannot use "${name}" here`, context);
      using app = await openApp(parsed, context, "no model");
      routineList(toCommand(app, context));
      return EXIT.done;
    }
    case "logs": {
      using app = await openApp(parsed, context, "no model");
      routineLogs(name, toCommand(app, context));
      return EXIT.done;
    }
    case "run": {
      if (name === undefined) throw usageError("Name the routine", context);
      await using app = await openApp(parsed, context);
      return (await runNow(name, app, context)) ? EXIT.done : EXIT.failed;
    }
    default:
      throw usageError(`Cannot do "${verb}"`, context);
  }
}

function toCommand(app: App, { json, stdout }: CliContext): RoutineCommand {
  return {
    routines: app.loaded.config.routines.jobs.map(toRoutine),
    runs: createRoutineRuns(app.store),
    now: app.clock.now(),
    json,
    print: (text) => void stdout.write(`${text}\n`),
  };
}

function runNow(name: string, app: App, context: CliContext): Promise<boolean> {
  const { clock, log } = app;
  const deps = createRoutineDeps(app);
  const command = toCommand(app, context);
  const run: Parameters<typeof routineRun>[1]["run"] = (job, _dueAt, signal) =>
    app.agent.charge(toPayer(job), () => runRoutine(job, deps, signal));
  return routineRun(name, { ...command, run, clock, log }, context.signal);
}
