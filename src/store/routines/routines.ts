import type { Database } from "bun:sqlite";

export {
  createRoutineTable,
  type RoutineSwitch,
  type RoutineTable,
  type StoredJob,
} from "./routine-table.ts";

/** The state of a run; `due` is claimed and waits for its turn. */
export type RunState = "due" | "running" | "ok" | "failed" | "skipped" | "missed" | "unknown";

/** What made a run due. */
export type RunCause = "schedule" | "manual" | "webhook" | "files";

/** The state of a run's message, apart from how the run itself went. */
export type RunDelivery =
  | "none"
  | "pending"
  | "queued"
  | "delivered"
  | "nobody"
  | "failed"
  | "unknown";

/** One due instant of one routine and what became of it. */
export interface RoutineRun {
  readonly routine: string;
  readonly dueAt: number;
  readonly cause: RunCause;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly state: RunState;
  readonly delivery: RunDelivery;
  readonly output: string;
  readonly error: string | null;
}

/** How a run ended. */
export interface RunEnd {
  readonly state: Exclude<RunState, "due" | "running">;
  readonly delivery: RunDelivery;
  readonly output: string;
  readonly error?: string;
}

/** What {@link RoutineRuns.claim} is asked for. */
export interface Claim {
  readonly routine: string;
  readonly dues: readonly number[];
  readonly cause: RunCause;
  readonly now: number;
  readonly leaseUntil: number;
}

/** The log of due instants: one row each, unique by routine and instant. */
export interface RoutineRuns {
  /**
   * From when on each routine's due instants count: its last scheduled one, or the moment it was
   * first seen with this schedule. Routines left out are forgotten and start over when they return.
   */
  watch(
    routines: readonly { name: string; schedule: string }[],
    now: number,
  ): ReadonlyMap<string, number>;
  /**
   * Takes the instants nobody took before and returns them. While another run of the routine is
   * alive they are recorded as skipped instead and none is returned.
   */
  claim(claim: Claim): readonly number[];
  /** Turns a claimed instant into a running one; false when somebody gave it up meanwhile. */
  begin(routine: string, dueAt: number, now: number, leaseUntil: number): boolean;
  finish(routine: string, dueAt: number, now: number, end: RunEnd): void;
  setDelivery(routine: string, dueAt: number, delivery: RunDelivery): void;
  /**
   * Records instants nobody took as missed and returns those it recorded; a missed one can still be
   * claimed later.
   */
  recordMissed(routine: string, dues: readonly number[], now: number): readonly number[];
  /**
   * What dead processes left: running becomes unknown, due becomes missed, a pending delivery
   * unknown. With `alone` the caller knows that no other process uses the database; otherwise only
   * runs whose lease has ended count as dead.
   */
  markUnknown(now: number, alone: boolean): readonly RoutineRun[];
  get(routine: string, dueAt: number): RoutineRun | undefined;
  /** The newest runs of one routine or of all, newest first. */
  list(routine: string | undefined, limit: number): readonly RoutineRun[];
  /** The newest runs of a routine that were due before an instant. */
  before(routine: string, dueAt: number, limit: number): readonly RoutineRun[];
  /** How many are kept of one, or of all. */
  count(routine: string | undefined): number;
  last(routine: string): RoutineRun | undefined;
  /** How the last run that came to an end went, whatever was skipped or missed since. */
  lastOutcome(routine: string): "ok" | "failed" | undefined;
  /** How many of the newest runs that ended since then failed, without a good one in between. */
  failuresInARow(routine: string, since: number): number;
  /** How many runs began since then; those that were skipped after all and `but` do not count. */
  countStarted(routine: string, since: number, but: number): number;
  /** Whether a message was made of a skipped run since then. */
  wasSkipReported(routine: string, since: number): boolean;
}

/** Older rows of a routine are dropped; a routine that runs every minute makes 1,440 a day. */
const KEPT_RUNS = 2_000;

const COLUMNS = `routine, due_at AS dueAt, cause, started_at AS startedAt, finished_at AS finishedAt,
  state, delivery, output, error`;

/** Routine runs in `state.db`. */
export function createRoutineRuns(database: Database): RoutineRuns {
  return {
    watch: (routines, now) => atOnce(database, () => watch(database, routines, now)),
    claim: (wanted) => atOnce(database, () => claim(database, wanted)),
    begin(routine, dueAt, now, leaseUntil) {
      const sql = `UPDATE routine_runs SET state = 'running', started_at = ?, lease_until = ?
        WHERE routine = ? AND due_at = ? AND state = 'due'`;
      return database.query(sql).run(now, leaseUntil, routine, dueAt).changes === 1;
    },
    finish(routine, dueAt, now, end) {
      // "unknown" too: a run that was given up and ends after all is known again.
      const sql = `UPDATE routine_runs
        SET state = ?, delivery = ?, output = ?, error = ?, finished_at = ?
        WHERE routine = ? AND due_at = ? AND state IN ('due', 'running', 'unknown')`;
      const { state, delivery, output, error = null } = end;
      database.query(sql).run(state, delivery, output, error, now, routine, dueAt);
    },
    setDelivery(routine, dueAt, delivery) {
      const sql = "UPDATE routine_runs SET delivery = ? WHERE routine = ? AND due_at = ?";
      database.query(sql).run(delivery, routine, dueAt);
    },
    recordMissed(routine, dues, now) {
      const insert = database.query(`INSERT OR IGNORE INTO routine_runs
        (routine, due_at, cause, state, delivery, finished_at)
        VALUES (?, ?, 'schedule', 'missed', 'none', ?)`);
      return atOnce(database, () =>
        dues.filter((dueAt) => insert.run(routine, dueAt, now).changes === 1),
      );
    },
    markUnknown: (now, alone) => atOnce(database, () => markUnknown(database, now, alone)),
    get(routine, dueAt) {
      const sql = `SELECT ${COLUMNS} FROM routine_runs WHERE routine = ? AND due_at = ?`;
      return database.query<RoutineRun, [string, number]>(sql).get(routine, dueAt) ?? undefined;
    },
    list(routine, limit) {
      const where = routine === undefined ? "" : "WHERE routine = ?2";
      const sql = `SELECT ${COLUMNS} FROM routine_runs ${where} ORDER BY due_at DESC LIMIT ?1`;
      const query = database.query<RoutineRun, (string | number)[]>(sql);
      return routine === undefined ? query.all(limit) : query.all(limit, routine);
    },
    before(routine, dueAt, limit) {
      const sql = `SELECT ${COLUMNS} FROM routine_runs WHERE routine = ? AND due_at < ?
        ORDER BY due_at DESC LIMIT ?`;
      return database.query<RoutineRun, [string, number, number]>(sql).all(routine, dueAt, limit);
    },
    count(routine) {
      const where = routine === undefined ? "" : "WHERE routine = ?1";
      const query = database.query<{ n: number }, string[]>(
        `SELECT count(*) AS n FROM routine_runs ${where}`,
      );
      return (routine === undefined ? query.get() : query.get(routine))?.n ?? 0;
    },
    last(routine) {
      return this.list(routine, 1)[0];
    },
    lastOutcome(routine) {
      const sql = `SELECT state FROM routine_runs WHERE routine = ? AND state IN ('ok', 'failed')
        ORDER BY due_at DESC`;
      return database.query<{ state: "ok" | "failed" }, [string]>(sql).get(routine)?.state;
    },
    failuresInARow(routine, since) {
      const sql = `SELECT count(*) AS n FROM routine_runs
        WHERE routine = ?1 AND state = 'failed' AND finished_at >= ?2 AND due_at >
          coalesce((SELECT max(due_at) FROM routine_runs WHERE routine = ?1 AND state = 'ok'), 0)`;
      return database.query<{ n: number }, [string, number]>(sql).get(routine, since)?.n ?? 0;
    },
    countStarted(routine, since, but) {
      const sql = `SELECT count(*) AS n FROM routine_runs
        WHERE routine = ? AND started_at >= ? AND due_at <> ? AND state <> 'skipped'`;
      const query = database.query<{ n: number }, [string, number, number]>(sql);
      return query.get(routine, since, but)?.n ?? 0;
    },
    wasSkipReported(routine, since) {
      const sql = `SELECT 1 FROM routine_runs WHERE routine = ? AND state = 'skipped'
        AND delivery <> 'none' AND finished_at >= ?`;
      return database.query(sql).get(routine, since) !== null;
    },
  };
}

function atOnce<T>(database: Database, work: () => T): T {
  return database.transaction(work).immediate();
}

function watch(
  database: Database,
  routines: readonly { name: string; schedule: string }[],
  now: number,
): ReadonlyMap<string, number> {
  const names = JSON.stringify(routines.map(({ name }) => name));
  database
    .query("DELETE FROM routine_watch WHERE routine NOT IN (SELECT value FROM json_each(?))")
    .run(names);
  // A mark from the future was written while the clock was wrong.
  const mark = database.query<{ since: number }, [string, string, number]>(
    `INSERT INTO routine_watch (routine, schedule, since) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET schedule = excluded.schedule, since = excluded.since
       WHERE schedule <> excluded.schedule OR since > excluded.since`,
  );
  const read = database.query<{ since: number }, [string, number]>(
    `SELECT max(since, coalesce((SELECT max(due_at) FROM routine_runs
       WHERE routine = ?1 AND cause = 'schedule' AND due_at <= ?2), 0)) AS since
     FROM routine_watch WHERE routine = ?1`,
  );
  const since = new Map<string, number>();
  for (const { name, schedule } of routines) {
    mark.run(name, schedule, now);
    since.set(name, read.get(name, now)?.since ?? now);
  }
  return since;
}

function claim(database: Database, { routine, dues, cause, now, leaseUntil }: Claim): number[] {
  const alive = database
    .query(
      `SELECT 1 FROM routine_runs
       WHERE routine = ? AND state IN ('due', 'running') AND lease_until > ?`,
    )
    .get(routine, now);
  prune(database, routine);
  if (alive !== null) {
    const skip = database.query(`INSERT OR IGNORE INTO routine_runs
      (routine, due_at, cause, state, delivery, finished_at, error)
      VALUES (?, ?, ?, 'skipped', 'none', ?, 'the previous run had not finished')`);
    for (const dueAt of dues) skip.run(routine, dueAt, cause, now);
    return [];
  }
  // An instant recorded as missed while the clock was ahead may come due after all.
  const take = database.query(
    `INSERT INTO routine_runs (routine, due_at, cause, state, delivery, lease_until)
     VALUES (?, ?, ?, 'due', 'none', ?)
     ON CONFLICT DO UPDATE SET state = 'due', lease_until = excluded.lease_until,
       finished_at = NULL, error = NULL
       WHERE state = 'missed'`,
  );
  return dues.filter((dueAt) => take.run(routine, dueAt, cause, leaseUntil).changes === 1);
}

function prune(database: Database, routine: string): void {
  const sql = `DELETE FROM routine_runs
    WHERE routine = ?1 AND state NOT IN ('due', 'running') AND due_at <
      (SELECT due_at FROM routine_runs WHERE routine = ?1 ORDER BY due_at DESC LIMIT 1 OFFSET ?2)`;
  database.query(sql).run(routine, KEPT_RUNS - 1);
}

function markUnknown(database: Database, now: number, alone: boolean): readonly RoutineRun[] {
  if (alone) {
    database.run("UPDATE routine_runs SET delivery = 'unknown' WHERE delivery = 'pending'");
  }
  const left = database.query<RoutineRun, [number, number]>(
    `UPDATE routine_runs SET finished_at = ?1,
       state = CASE state WHEN 'due' THEN 'missed' ELSE 'unknown' END,
       error = CASE state WHEN 'due' THEN 'papa-yu stopped before its turn'
                          ELSE 'papa-yu stopped while it ran' END
     WHERE state IN ('due', 'running') AND lease_until <= ?2
     RETURNING ${COLUMNS}`,
  );
  return left.all(now, alone ? Number.MAX_SAFE_INTEGER : now);
}
