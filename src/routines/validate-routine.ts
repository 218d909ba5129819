import type { Failure } from "../core/app-error.ts";
import { validateSchedule } from "./next-run.ts";
import { globOf, type Routine } from "./routine.ts";

/** Why a routine cannot run (ERR_ROUTINE_INVALID), or undefined. */
export function validateRoutine(routine: Routine, now: number): Failure | undefined {
  const needs = whatNeedsWorkspace(routine);
  if (needs !== undefined && routine.workspace === undefined) {
    return cannot(routine, `${needs} needs a workspace; name one`);
  }
  return validateSchedule(routine.schedule, routine.timezone, now);
}

function whatNeedsWorkspace({ mode, onlyIfChanged, watch }: Routine): string | undefined {
  if (mode !== "ask") return `mode "${mode}"`;
  if (watch !== undefined) return "watch";
  return globOf({ onlyIfChanged }) === undefined ? undefined : `only_if_changed "${onlyIfChanged}"`;
}

function cannot({ name }: Routine, why: string): Failure {
  const message = `Cannot run the routine "${name}": ${why}`;
  return { ok: false, code: "ERR_ROUTINE_INVALID", message };
}
