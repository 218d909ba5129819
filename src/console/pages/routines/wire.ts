import { type Act, json, readAct } from "../../client/client.ts";

/** An instant, with what a clock in the routine's zone shows at it. */
export interface Instant {
  readonly at: number;
  readonly local: string;
}

/** A run in the strip of a routine. */
export interface Run {
  readonly due_at: number;
  readonly state: string;
  readonly delivery: string;
  readonly cause: string;
}

/** The same with what came of it. */
export interface FullRun extends Run {
  readonly output: string;
  readonly error: string | undefined;
}

/** A routine with its past and its week. */
export interface Routine {
  readonly name: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly mode: string;
  readonly workspace: string | undefined;
  readonly task: string;
  /** What says all of one that may be changed here; empty: not all of it is shown. */
  readonly words: string | undefined;
  readonly state: string;
  readonly reason: string | undefined;
  readonly next: readonly Instant[];
  readonly ahead: readonly Instant[];
  /** There are more, until then. */
  readonly moreUntil: number | undefined;
  readonly last: FullRun | undefined;
  readonly recent: readonly Run[];
  readonly runs: number;
  readonly actions: readonly Act[];
}

/** Runs of a routine, and where older ones begin. */
export interface RunPage {
  readonly runs: readonly FullRun[];
  readonly older: number | undefined;
}

const { fields, list, text, number, time, maybe } = json;

/** Reads what `GET /api/routines` gives. */
export function readRoutines(value: unknown): readonly Routine[] {
  const { routines, until } = fields(value);
  return list(routines).map((each) => {
    const it = fields(each);
    return {
      name: text(it["name"]),
      schedule: text(it["schedule"]),
      timezone: text(it["timezone"]),
      mode: text(it["mode"]),
      workspace: maybe(it["workspace"], text),
      task: text(it["task"]),
      words: it["words"] === undefined ? undefined : (maybe(it["words"], text) ?? ""),
      state: text(it["state"]),
      reason: maybe(it["reason"], text),
      next: list(it["next"]).map(readInstant),
      ahead: list(it["ahead"]).map(readInstant),
      moreUntil: it["ahead_more"] === true ? time(until) : undefined,
      last: maybe(it["last"], readFullRun),
      recent: list(it["recent"]).map(readRun),
      runs: number(it["runs"]),
      actions: list(it["actions"]).map(readAct),
    };
  });
}

/** Reads what `GET /api/routines/NAME/runs` gives. */
export function readRuns(value: unknown): RunPage {
  const { runs, older } = fields(value);
  return { runs: list(runs).map(readFullRun), older: maybe(older, number) };
}

function readInstant(value: unknown): Instant {
  const { at, local } = fields(value);
  return { at: time(at) ?? 0, local: text(local) };
}

function readRun(value: unknown): Run {
  const it = fields(value);
  return {
    due_at: time(it["due_at"]) ?? 0,
    state: text(it["state"]),
    delivery: text(it["delivery"]),
    cause: text(it["cause"]),
  };
}

function readFullRun(value: unknown): FullRun {
  const { output, error } = fields(value);
  return { ...readRun(value), output: text(output), error: maybe(error, text) };
}
