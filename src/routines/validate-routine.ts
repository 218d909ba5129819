import type { Failure } from "../core/app-error.ts";
import { validateSchedule } from "./next-run.ts";
import type { Routine } from "./routine.ts";

/** Why a routine cannot run (ERR_ROUTINE_INVALID), or undefined. */
export function validateRoutine(routine: Routine, now: number): Failure | undefined {
  const needs = whatNeedsWorkspace(routine);
  if (needs !== undefined && routine.workspace === undefined) {
    return {
      ok: false,
      code: "ERR_ROUTINE_INVALID",
      message: `Cannot run the routine "${routine.name}": ${needs} needs a workspace; name one`,
    };
  }
  return validateSchedule(routine.schedule, routine.timezone, now);
}

function whatNeedsWorkspace({ mode, onlyIfChanged, watch }: Routine): string | undefined {
  if (mode !== "ask") return `mode "${mode}"`;
  if (watch !== undefined) return "watch";
  const isGlob = typeof onlyIfChanged === "string" && onlyIfChanged.startsWith("glob:");
  return isGlob ? `only_if_changed "${onlyIfChanged}"` : undefined;
}
