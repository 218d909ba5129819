import { AppError } from "../core/app-error.ts";
import type { RoutineRun } from "../store/routines/routines.ts";
import { textsIn } from "../texts/texts.ts";
import { type ExecuteDeps, execute, RUN_LEASE_MS } from "./execute.ts";
import type { Routine } from "./routine.ts";
import { validateRoutine } from "./validate-routine.ts";

/**
 * Runs a routine because a person asked for it, whatever its schedule, its switch and
 * `only_if_changed` say; recorded, but neither delivered nor held against the routine.
 *
 * @throws AppError ERR_ROUTINE_INVALID.
 */
export async function runNow(
  routine: Routine,
  deps: Pick<ExecuteDeps, "runs" | "run" | "clock" | "log">,
  signal: AbortSignal,
): Promise<RoutineRun> {
  const { runs, clock } = deps;
  const now = clock.now();
  const failure = validateRoutine(routine, now);
  if (failure !== undefined) throw new AppError(failure.code, failure.message);
  const { name } = routine;
  runs.claim({ routine: name, dues: [now], cause: "manual", now, leaseUntil: now + RUN_LEASE_MS });
  await execute(
    { ...routine, channel: "none", onlyIfChanged: false },
    now,
    withoutTelling(deps),
    signal,
  );
  const done = runs.get(name, now);
  if (done === undefined) throw new Error(`The run of "${name}" left no row`);
  return done;
}

function withoutTelling(deps: Pick<ExecuteDeps, "runs" | "run" | "clock" | "log">): ExecuteDeps {
  return { ...deps, deliver: async () => "nobody", switchOff() {}, texts: () => textsIn("en") };
}
