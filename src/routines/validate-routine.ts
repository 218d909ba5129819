import type { Failure } from "../core/app-error.ts";
import { validateSchedule } from "./next-run.ts";
import { globOf, type Routine } from "./routine.ts";

/** Why a routine cannot run (ERR_ROUTINE_INVALID), or undefined. */
export function validateRoutine(routine: Routine, now: number): Failure | undefined {
  const needs = whatNeedsWorkspace(routine);
  if (needs !== undefined && routine.workspace === undefined) {
    return cannot(routine, `${needs} needs a workspace; name one`);
  }
  const outside = findOutside(routine);
  if (outside !== undefined) {
    const [key, glob] = outside;
    return cannot(routine, `no file of a workspace fits ${key} "${glob}"; give a path below it`);
  }
  return validateSchedule(routine.schedule, routine.timezone, now);
}

function whatNeedsWorkspace({ mode, onlyIfChanged, watch }: Routine): string | undefined {
  if (mode !== "ask") return `mode "${mode}"`;
  if (watch !== undefined) return "watch";
  return globOf({ onlyIfChanged }) === undefined ? undefined : `only_if_changed "${onlyIfChanged}"`;
}

/** A glob from the root of the disk, or with a step to where it is, or above, outside of any braces. */
const OUTSIDE = /^(?:\/|(?:[^{]*\/)?\.{1,2}(?:\/|$))/;

function findOutside(routine: Routine): readonly [key: string, glob: string] | undefined {
  const globs = [
    ["watch", routine.watch],
    ["only_if_changed", globOf(routine)],
  ] as const;
  for (const [key, glob] of globs) if (glob !== undefined && OUTSIDE.test(glob)) return [key, glob];
  return undefined;
}

function cannot({ name }: Routine, why: string): Failure {
  const message = `Cannot run the routine "${name}": ${why}`;
  return { ok: false, code: "ERR_ROUTINE_INVALID", message };
}
