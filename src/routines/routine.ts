import type { Failure } from "../core/app-error.ts";
import { validateSchedule } from "./next-run.ts";

/** A stored schedule with the task it starts. */
export interface Routine {
  readonly name: string;
  readonly source: "config" | "dynamic";
  /** Cron pattern of 5 or 6 fields, read in `timezone`. */
  readonly schedule: string;
  /** IANA name. */
  readonly timezone: string;
  readonly workspace?: string;
  readonly mode: "ask" | "plan" | "apply";
  readonly task: string;
  readonly channel: "telegram" | "terminal" | "none";
  /** What happens to due instants that passed while nothing ran. */
  readonly misfire: "skip" | "once" | "all";
  /** Leaves a run out while the workspace is as the last good run left it. */
  readonly onlyIfChanged: boolean;
  readonly enabled: boolean;
}

/** One `[[routines.jobs]]` of config.toml. */
export interface RoutineJob {
  readonly name: string;
  readonly schedule: string;
  readonly timezone?: string | undefined;
  readonly workspace?: string | undefined;
  readonly mode: Routine["mode"];
  readonly task: string;
  readonly channel: Routine["channel"];
  readonly misfire: Routine["misfire"];
  readonly only_if_changed: boolean;
  readonly enabled: boolean;
}

/** A job of the configuration as a routine; without a timezone it gets the machine's. */
export function toRoutine(job: RoutineJob): Routine {
  return {
    name: job.name,
    source: "config",
    schedule: job.schedule,
    timezone: job.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(job.workspace && { workspace: job.workspace }),
    mode: job.mode,
    task: job.task,
    channel: job.channel,
    misfire: job.misfire,
    onlyIfChanged: job.only_if_changed,
    enabled: job.enabled,
  };
}

/** Why a routine cannot run (ERR_ROUTINE_INVALID), or undefined. */
export function validateRoutine(routine: Routine, now: number): Failure | undefined {
  if (routine.mode !== "ask" && routine.workspace === undefined) {
    return {
      ok: false,
      code: "ERR_ROUTINE_INVALID",
      message: `Cannot run the routine "${routine.name}": mode "${routine.mode}" needs a workspace; name one`,
    };
  }
  return validateSchedule(routine.schedule, routine.timezone, now);
}
