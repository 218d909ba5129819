import type { RoutineRun, Watched, WatchedRoutine } from "../store/routines/routines.ts";
import { splitDue } from "./misfire.ts";
import { carryOver, dueBetween, nextRuns } from "./next-run.ts";
import type { Routine } from "./routine.ts";

/** Of a longer row of missed instants only the newest are recorded. */
const MAX_MISSED = 500;

/** Looks at the clock at least this often, so that a changed clock or a suspend is noticed. */
const MAX_SLEEP_MS = 60_000;

/** Up to when a routine's instants were looked at, and which comes next. */
export interface Look {
  readonly at: number;
  readonly nextAt: number;
  /** Nothing counts from before, however the clock was set since. */
  readonly floor: number;
  /** A new schedule is looked at from new on. */
  readonly schedule: string;
  readonly timezone: string;
}

/** What was claimed before and never began. */
export interface Left {
  /** By the schedule: to be made up for as what nobody claimed. */
  readonly waited: readonly number[];
  /** Somebody was told that it was started. */
  readonly asked: readonly number[];
}

/** The instants up to now, ascending. */
export interface Due extends Left {
  readonly run: readonly number[];
  readonly missed: readonly number[];
}

/** What a routine is watched by: its schedule as it was written, with the timezone that was. */
export function toSchedule({ schedule, timezone, isLocal }: Routine): string {
  return `${schedule} ${isLocal ? "" : timezone}`;
}

/** A routine as the log of runs is told of it. */
export function toWatched(routine: Routine): WatchedRoutine {
  const { name, timezone, isLocal } = routine;
  return { name, schedule: toSchedule(routine), ...(isLocal && { timezone }) };
}

/** Nothing was looked at yet. */
export function firstLook(routine: Routine, watched: Watched | undefined, now: number): Look {
  const { since: at = now, floor = now, movedFrom: timezone = routine.timezone } = watched ?? {};
  return { at, nextAt: at, floor, schedule: toSchedule(routine), timezone };
}

/** Whether there may be something due: its next instant passed, or a clock was set. */
export function isDue({ timezone }: Routine, look: Look, now: number): boolean {
  return now < look.at || now >= look.nextAt || timezone !== look.timezone;
}

/** What came due since a look, what was left with it: one policy says which of all of it runs. */
export function findDue(
  { schedule, timezone, misfire }: Routine,
  look: Look,
  left: Left | undefined,
  now: number,
): Due {
  const { waited, asked } = left ?? { waited: [], asked: [] };
  // In another timezone it goes on from what the clock on the wall showed then.
  const isMoved = look.timezone !== timezone;
  const at = isMoved ? carryOver(look.at, look.timezone, timezone) : look.at;
  // A clock set back makes instants come due again; their rows keep them from running again.
  const from = Math.min(now, at);
  // Once a clock is right again that was behind, it passes what was before the routine was.
  const passed = dueBetween(schedule, timezone, from, now, MAX_MISSED).filter(
    (due) => now < look.floor || due > look.floor,
  );
  const dues = [...new Set([...waited, ...passed])].toSorted((a, b) => a - b);
  return { ...splitDue(dues, now, misfire), waited, asked };
}

/** The look that has just been. */
export function nextLook(routine: Routine, { floor }: Look, now: number): Look {
  const { schedule, timezone } = routine;
  const nextAt = nextRuns(schedule, timezone, now, 1)[0] ?? Infinity;
  return { at: now, nextAt, floor, schedule: toSchedule(routine), timezone };
}

/** Until something is due again. What is overdue could not be started; it is tried after a whole sleep. */
export function toSleepMs(looks: Iterable<Look>, now: number): number {
  const waits = [...looks].map(({ nextAt }) => nextAt - now).filter((wait) => wait > 0);
  return Math.min(MAX_SLEEP_MS, ...waits);
}

/** The runs that dead processes left, by routine; who asked by hand asks again. */
export function groupLeft(runs: readonly RoutineRun[]): ReadonlyMap<string, Left> {
  const waiting = runs.filter(({ state, cause }) => state === "missed" && cause !== "manual");
  const groups = Map.groupBy(waiting, ({ routine }) => routine);
  return new Map([...groups].map(([name, own]) => [name, toLeft(own)]));
}

function toLeft(runs: readonly RoutineRun[]): Left {
  const { waited = [], asked = [] } = Object.groupBy(runs, ({ cause }) =>
    cause === "schedule" ? "waited" : "asked",
  );
  return { waited: waited.map(({ dueAt }) => dueAt), asked: asked.map(({ dueAt }) => dueAt) };
}
