import type { RoutineState } from "../tools/routine-service.ts";
import { nextRuns } from "./next-run.ts";
import type { Routine } from "./routine.ts";
import { validateRoutine } from "./validate-routine.ts";

/** What each routine waits for, or why it does not; `running` has the names of those that run. */
export function routineStates(
  routines: readonly Routine[],
  now: number,
  running: ReadonlySet<string>,
): ReadonlyMap<Routine, RoutineState> {
  const problems = findProblems(routines, now);
  const toState = (routine: Routine): RoutineState => {
    const { name, schedule, timezone, enabled, offReason } = routine;
    const problem = problems.get(routine);
    if (problem !== undefined) return { state: "invalid", reason: problem, next: [] };
    const why = offReason === undefined ? {} : { reason: offReason };
    if (!enabled) return { state: "disabled", next: [], ...why };
    const next = nextRuns(schedule, timezone, now, SHOWN_RUNS);
    return { state: running.has(name) ? "running" : "waiting", next };
  };
  return new Map(routines.map((routine) => [routine, toState(routine)]));
}

const SHOWN_RUNS = 3;

/** Why each routine that cannot run cannot; the first of a name keeps it. */
export function findProblems(
  routines: readonly Routine[],
  now: number,
): ReadonlyMap<Routine, string> {
  const problems = new Map<Routine, string>();
  const names = new Set<string>();
  for (const routine of routines) {
    const failure = validateRoutine(routine, now);
    if (failure !== undefined) problems.set(routine, failure.message);
    else if (names.has(routine.name)) {
      problems.set(routine, `The name "${routine.name}" is used twice; rename one of them`);
    }
    names.add(routine.name);
  }
  return problems;
}
