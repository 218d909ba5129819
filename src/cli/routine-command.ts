import { AppError } from "../core/app-error.ts";
import { createRoutineDeps } from "../daemon-routines.ts";
import { toRoutine } from "../routines/routine.ts";
import { runRoutine } from "../routines/run.ts";
import { createRoutineRuns } from "../store/routine-runs.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp } from "./open-app.ts";
import { JSON_OPTION, parseCommand } from "./parse.ts";
import { routineList, routineLogs, routineRun } from "./routine.ts";

const USAGE = "routine list|run NAME|logs [NAME] [--json]";

/** `papayu routine`: lists, runs and reports routines. */
export async function routine(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, USAGE, { options: JSON_OPTION, positionals: [1, 2] });
  using app = await openApp(parsed, context);
  const [verb = "", name] = parsed.positionals;
  const { clock, log } = app;
  const runs = createRoutineRuns(app.store);
  const command = {
    routines: app.loaded.config.routines.jobs.map(toRoutine),
    runs,
    now: clock.now(),
    json: parsed.flag("json"),
    print: (text: string) => void context.stdout.write(`${text}\n`),
  };
  switch (verb) {
    case "list":
      routineList(command);
      return EXIT.done;
    case "logs":
      routineLogs(name, command);
      return EXIT.done;
    case "run": {
      if (name === undefined)
        throw new AppError("ERR_USAGE", `Name the routine; usage: papayu ${USAGE}`);
      const deps = createRoutineDeps(app);
      const run = (job: Parameters<typeof runRoutine>[0], _dueAt: number, signal: AbortSignal) =>
        runRoutine(job, deps, signal);
      const ok = await routineRun(name, { ...command, run, clock, log }, context.signal);
      return ok ? EXIT.done : EXIT.failed;
    }
    default:
      throw new AppError("ERR_USAGE", `Cannot do "${verb}"; usage: papayu ${USAGE}`);
  }
}
