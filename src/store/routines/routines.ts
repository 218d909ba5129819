import type { Database } from "bun:sqlite";
import { claim, markUnknown, nameRunner, toKey, type Underway } from "./open-runs.ts";
import {
  type Claim,
  type RoutineRun,
  type RunCause,
  type RunDelivery,
  type RunEnd,
} from "./routine-run.ts";
import { type Watched, type WatchedRoutine, watch } from "./watch-routines.ts";

export type { Claim, RoutineRun, RunCause, RunDelivery, RunEnd } from "./routine-run.ts";
export {
  createRoutineTable,
  type RoutineSwitch,
  type RoutineTable,
  type StoredJob,
} from "./routine-table.ts";
export type { Watched, WatchedRoutine } from "./watch-routines.ts";

/** The log of due instants: one row each, unique by routine and instant. */
export interface RoutineRuns {
  /**
   * From when on each routine's due instants count. Routines left out are forgotten and start over
   * when they return.
   */
  watch(routines: readonly WatchedRoutine[], now: number): ReadonlyMap<string, Watched>;
  /**
   * Takes the instants nobody took before and returns them. While another run of the routine is
   * alive they are recorded as skipped instead and none is returned. One that this process claimed
   * is alive until {@link finish} or {@link letGo}, another process's as long as that runs.
   */
  claim(claim: Claim): readonly number[];
  /** Records an instant that nobody takes any more before the next start. */
  keepDue(routine: string, dueAt: number, cause: RunCause): void;
  /**
   * Gives up what this process claimed and did not end, and returns what of it had not begun, and so
   * can be claimed again, also by the next start.
   */
  letGo(routine: string, dues: readonly number[]): readonly number[];
  /** Records instants as missed that did not begin, for good: what a webhook sent with them goes. */
  drop(routine: string, dues: readonly number[]): void;
  /** What a webhook was sent for a run that has not ended. */
  input(routine: string, dueAt: number): string | undefined;
  /** Turns a claimed instant into a running one; false when somebody gave it up meanwhile. */
  begin(routine: string, dueAt: number, now: number, leaseUntil: number): boolean;
  /** Resolves once it is written, as `keep` says. */
  finish(
    routine: string,
    dueAt: number,
    now: number,
    end: RunEnd,
    signal?: Pick<AbortSignal, "aborted">,
  ): Promise<void>;
  setDelivery(routine: string, dueAt: number, delivery: RunDelivery): void;
  /**
   * Records instants nobody took as missed and returns those it recorded; a missed one can still be
   * claimed later.
   */
  recordMissed(routine: string, dues: readonly number[], now: number): readonly number[];
  /**
   * What dead processes left: running becomes unknown, due becomes missed, a pending delivery
   * unknown. With `alone` the caller knows that no other process runs routines by their schedule;
   * otherwise runs of this process whose lease has ended count as dead, too.
   */
  markUnknown(now: number, alone: boolean): readonly RoutineRun[];
  /**
   * Takes over from a daemon of a copy of the database: nothing counts from before `heldUntil`, and
   * what was under way when the copy was made is no run of this one.
   */
  takeOver(now: number, heldUntil: number): void;
  get(routine: string, dueAt: number): RoutineRun | undefined;
  /** The newest runs of one routine or of all, newest first. */
  list(routine: string | undefined, limit: number): readonly RoutineRun[];
  /** The newest runs of a routine that were due before an instant. */
  before(routine: string, dueAt: number, limit: number): readonly RoutineRun[];
  /** How many are kept of one, or of all. */
  count(routine: string | undefined): number;
  last(routine: string): RoutineRun | undefined;
  /** When the routine was first seen, enabled or given its schedule; undefined where none watches it. */
  watchedSince(routine: string): number | undefined;
  /** How the last run that ended since then went, whatever was skipped or missed after it; none by hand. */
  lastOutcome(routine: string, since: number): "ok" | "failed" | undefined;
  /** How many of the newest runs that ended since then failed, without a good one in between; none by hand. */
  failuresInARow(routine: string, since: number): number;
  /** How many runs began since then; those that were skipped after all and `but` do not count. */
  countStarted(routine: string, since: number, but: number): number;
  /** Whether a message was made of a skipped run since then. */
  wasSkipReported(routine: string, since: number): boolean;
}

const COLUMNS = `routine, due_at AS dueAt, cause, started_at AS startedAt, finished_at AS finishedAt,
  state, delivery, output, error`;

/** Writes what must not be forgotten; until `signal` aborts it may wait for a disk that is full. */
export type Keep = (
  write: () => void,
  signal: Pick<AbortSignal, "aborted"> | undefined,
) => Promise<void>;

/** Routine runs in `state.db`; `keep` writes how they end. */
export function createRoutineRuns(
  database: Database,
  keep: Keep = async (write) => write(),
): RoutineRuns {
  let name: string | undefined;
  const runner = () => (name ??= nameRunner(database));
  const own = new Map<string, "due" | "running">();
  const gone = new Set<string>();
  const underway: Underway = { own, gone, runner };
  return {
    watch: (routines, now) => atOnce(database, () => watch(database, routines, now)),
    claim(wanted) {
      const claimed = atOnce(database, () => claim(database, underway, wanted));
      for (const key of claimed.map((dueAt) => toKey(wanted.routine, dueAt))) {
        own.set(key, "due");
        gone.delete(key);
      }
      return claimed;
    },
    keepDue(routine, dueAt, cause) {
      const sql = `INSERT OR IGNORE INTO routine_runs (routine, due_at, cause, state, delivery)
        VALUES (?, ?, ?, 'due', 'none')`;
      database.query(sql).run(routine, dueAt, cause);
    },
    letGo(routine, dues) {
      return dues.filter((dueAt) => {
        const key = toKey(routine, dueAt);
        const state = own.get(key);
        if (own.delete(key)) gone.add(key);
        return state === "due";
      });
    },
    drop(routine, dues) {
      const sql = `UPDATE routine_runs SET state = 'missed', input = NULL
        WHERE routine = ? AND due_at = ? AND state IN ('due', 'missed')`;
      for (const dueAt of dues) database.query(sql).run(routine, dueAt);
    },
    input(routine, dueAt) {
      const sql = "SELECT input FROM routine_runs WHERE routine = ? AND due_at = ?";
      const query = database.query<{ input: string | null }, [string, number]>(sql);
      return query.get(routine, dueAt)?.input ?? undefined;
    },
    begin(routine, dueAt, now, leaseUntil) {
      const sql = `UPDATE routine_runs SET state = 'running', started_at = ?, lease_until = ?
        WHERE routine = ? AND due_at = ? AND state = 'due'`;
      const isBegun = database.query(sql).run(now, leaseUntil, routine, dueAt).changes === 1;
      if (isBegun) own.set(toKey(routine, dueAt), "running");
      return isBegun;
    },
    async finish(routine, dueAt, now, end, signal) {
      // "unknown" too: a run that was given up and ends after all is known again.
      const sql = `UPDATE routine_runs
        SET state = ?, delivery = ?, output = ?, error = ?, finished_at = ?, input = NULL
        WHERE routine = ? AND due_at = ? AND state IN ('due', 'running', 'unknown')`;
      const { state, delivery, output, error = null } = end;
      const write = () => {
        database.query(sql).run(state, delivery, output, error, now, routine, dueAt);
      };
      await keep(write, signal);
      own.delete(toKey(routine, dueAt));
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
    markUnknown(now, alone) {
      const left = atOnce(database, () => markUnknown(database, underway, now, alone));
      return left.flatMap(({ routine, dueAt }) => this.get(routine, dueAt) ?? []);
    },
    takeOver(now, heldUntil) {
      atOnce(database, () => {
        for (const { routine, dueAt } of markUnknown(database, underway, now, true)) {
          this.drop(routine, [dueAt]);
        }
        const sql = "UPDATE routine_watch SET since = max(since, ?1), floor = max(floor, ?1)";
        database.query(sql).run(heldUntil);
      });
    },
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
    watchedSince(routine) {
      const sql = "SELECT floor FROM routine_watch WHERE routine = ?";
      return database.query<{ floor: number }, [string]>(sql).get(routine)?.floor;
    },
    lastOutcome(routine, since) {
      const sql = `SELECT state FROM routine_runs
        WHERE routine = ? AND state IN ('ok', 'failed') AND cause <> 'manual' AND finished_at >= ?
        ORDER BY due_at DESC`;
      const query = database.query<{ state: "ok" | "failed" }, [string, number]>(sql);
      return query.get(routine, since)?.state;
    },
    failuresInARow(routine, since) {
      const sql = `SELECT count(*) AS n FROM routine_runs
        WHERE routine = ?1 AND state = 'failed' AND cause <> 'manual' AND finished_at >= ?2
          AND due_at > coalesce((SELECT max(due_at) FROM routine_runs
            WHERE routine = ?1 AND state = 'ok' AND cause <> 'manual'), 0)`;
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
