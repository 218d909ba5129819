import type { Database } from "bun:sqlite";

/** A routine whose instants are looked for. */
export interface WatchedRoutine {
  readonly name: string;
  /** As it was written, with the timezone that was; another one is watched from new on. */
  readonly schedule: string;
  /** The machine's, for a schedule that names none. */
  readonly timezone?: string;
}

/** From when on instants of a routine count. */
export interface Watched {
  /** The last scheduled one, or the moment when it was first seen with this schedule. */
  readonly since: number;
  /** When it was added, enabled or given its schedule, by a clock that was right then or ahead. */
  readonly floor: number;
  /** The machine's timezone before, where it is another now. */
  readonly movedFrom?: string;
}

interface Mark {
  readonly schedule: string;
  readonly since: number;
  readonly floor: number;
  readonly timezone: string | null;
}

/** {@link RoutineRuns.watch} */
export function watch(
  database: Database,
  routines: readonly WatchedRoutine[],
  now: number,
): ReadonlyMap<string, Watched> {
  const names = JSON.stringify(routines.map(({ name }) => name));
  database
    .query("DELETE FROM routine_watch WHERE routine NOT IN (SELECT value FROM json_each(?))")
    .run(names);
  const find = database.query<Mark, [string]>(
    "SELECT schedule, since, floor, timezone FROM routine_watch WHERE routine = ?",
  );
  const put = database.query(`INSERT OR REPLACE INTO routine_watch
    (routine, schedule, since, floor, timezone) VALUES (?, ?, ?, ?, ?)`);
  const newest = database.query<{ at: number | null }, [string, number]>(
    `SELECT max(due_at) AS at FROM routine_runs
     WHERE routine = ? AND cause = 'schedule' AND due_at <= ?`,
  );
  const watched = new Map<string, Watched>();
  for (const routine of routines) {
    const { name } = routine;
    const was = find.get(name) ?? undefined;
    const last = newest.get(name, now)?.at ?? undefined;
    const mark = toMark(routine, was, last, now);
    if (JSON.stringify(mark) !== JSON.stringify(was)) {
      put.run(name, mark.schedule, mark.since, mark.floor, mark.timezone);
    }
    const since = Math.max(mark.since, last ?? 0);
    const before = was?.timezone ?? mark.timezone;
    const isMoved = before !== null && mark.timezone !== null && before !== mark.timezone;
    watched.set(name, { since, floor: mark.floor, ...(isMoved && { movedFrom: before }) });
  }
  return watched;
}

/**
 * A mark from the future was written while the clock was wrong, or the clock is wrong now: what
 * counts since goes back with it, and the floor does not.
 */
function toMark(
  { schedule, timezone: given }: WatchedRoutine,
  was: Mark | undefined,
  lastDue: number | undefined,
  now: number,
): Mark {
  const timezone = given ?? null;
  // As earlier versions wrote it: with the machine's timezone of then.
  const isSame = was?.schedule === schedule || was?.schedule === `${schedule}${timezone}`;
  if (!was || !isSame) {
    return { schedule, since: now, floor: Math.max(was?.floor ?? 0, now), timezone };
  }
  const since = was.since <= now ? was.since : (lastDue ?? now);
  return { schedule, since, floor: was.floor, timezone };
}
