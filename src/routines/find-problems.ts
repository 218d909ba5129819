import type { Routine } from "./routine.ts";
import { validateRoutine } from "./validate-routine.ts";

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
