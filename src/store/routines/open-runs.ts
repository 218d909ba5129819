import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { isNamedRunning, nameProcess } from "../../system/processes/processes.ts";
import type { Claim, RoutineRun } from "./routine-run.ts";

/** Older rows of a routine are dropped; a routine that runs every minute makes 1,440 a day. */
const KEPT_RUNS = 2_000;

/** What this process is about, by {@link toKey}. */
export interface Underway {
  /** What it claimed and did not end. */
  readonly own: ReadonlyMap<string, "due" | "running">;
  /** What it gave up, whatever its rows say. */
  readonly gone: ReadonlySet<string>;
  /** Its name in the rows. */
  readonly runner: () => string;
}

/** One instant of one routine among those under way. */
export function toKey(routine: string, dueAt: number): string {
  return `${dueAt} ${routine}`;
}

/** This process over one database, in its rows: those of a copy of the file are no runs of the copy. */
export function nameRunner(database: Database): string {
  return `${nameProcess()} ${nameFile(database)}`;
}

function nameFile({ filename }: Database): string {
  const found = statSync(filename, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}-${found.ino}` : "memory";
}

/** Whether another process still runs it, over this very file. */
function isAlive(runner: string, own: string): boolean {
  const [name = "", file] = runner.split(" ");
  const [, ownFile] = own.split(" ");
  // Rows of earlier versions name the process alone.
  return (file === undefined || file === ownFile) && isNamedRunning(name);
}

interface OpenRun {
  readonly dueAt: number;
  readonly routine: string;
  readonly leaseUntil: number;
  readonly runner: string | null;
}

/** {@link RoutineRuns.claim} */
export function claim(database: Database, underway: Underway, wanted: Claim): number[] {
  const { routine, dues, cause, now, leaseUntil, input = null } = wanted;
  const open = database
    .query<OpenRun, [string]>(
      `SELECT routine, due_at AS dueAt, lease_until AS leaseUntil, runner FROM routine_runs
       WHERE state IN ('due', 'running') AND routine = ?`,
    )
    .all(routine);
  const runsAlready = open.some((run) => isRunning(run, underway, now));
  prune(database, routine);
  if (runsAlready) {
    const skip = database.query(`INSERT OR IGNORE INTO routine_runs
      (routine, due_at, cause, state, delivery, finished_at, error)
      VALUES (?, ?, ?, 'skipped', 'none', ?, 'the previous run had not finished')`);
    for (const dueAt of dues) skip.run(routine, dueAt, cause, now);
    return [];
  }
  // An instant recorded as missed while the clock was ahead may come due after all, and one that is
  // due may be a dead process's: nobody is alive here.
  const take = database.query(
    `INSERT INTO routine_runs (routine, due_at, cause, state, delivery, lease_until, runner, input)
     VALUES (?, ?, ?, 'due', 'none', ?, ?, ?)
     ON CONFLICT DO UPDATE SET state = 'due', lease_until = excluded.lease_until,
       runner = excluded.runner, finished_at = NULL, error = NULL
       WHERE state IN ('missed', 'due')`,
  );
  const runner = underway.runner();
  return dues.filter(
    (dueAt) => take.run(routine, dueAt, cause, leaseUntil, runner, input).changes === 1,
  );
}

/**
 * Whether somebody still runs it. The clock is asked last: it stands still for a run while the
 * machine sleeps, goes on in the lease, and may be set.
 */
function isRunning(
  { routine, dueAt, leaseUntil, runner }: OpenRun,
  underway: Underway,
  now: number,
) {
  const key = toKey(routine, dueAt);
  if (underway.own.has(key)) return true;
  if (underway.gone.has(key)) return false;
  if (runner === null || runner === underway.runner()) return leaseUntil > now;
  return isAlive(runner, underway.runner());
}

function prune(database: Database, routine: string): void {
  const sql = `DELETE FROM routine_runs
    WHERE routine = ?1 AND state NOT IN ('due', 'running') AND due_at <
      (SELECT due_at FROM routine_runs WHERE routine = ?1 ORDER BY due_at DESC LIMIT 1 OFFSET ?2)`;
  database.query(sql).run(routine, KEPT_RUNS - 1);
}

/** {@link RoutineRuns.markUnknown}, by the keys of what was left. */
export function markUnknown(
  database: Database,
  underway: Underway,
  now: number,
  alone: boolean,
): readonly Pick<RoutineRun, "routine" | "dueAt">[] {
  if (alone) {
    database.run("UPDATE routine_runs SET delivery = 'unknown' WHERE delivery = 'pending'");
  }
  const open = database
    .query<OpenRun, []>(
      `SELECT routine, due_at AS dueAt, lease_until AS leaseUntil, runner FROM routine_runs
       WHERE state IN ('due', 'running')`,
    )
    .all();
  const isLeft = (run: OpenRun) => {
    if (!alone) return !isRunning(run, underway, now);
    // Whoever ran one by hand may be at it, in a terminal that outlives the daemon.
    return run.runner === null || !isAlive(run.runner, underway.runner());
  };
  const give = database.query(
    `UPDATE routine_runs SET finished_at = ?1,
       state = CASE state WHEN 'due' THEN 'missed' ELSE 'unknown' END,
       input = CASE state WHEN 'due' THEN input END,
       error = CASE state WHEN 'due' THEN 'papa-yu stopped before its turn'
                          ELSE 'papa-yu stopped while it ran' END
     WHERE routine = ?2 AND due_at = ?3 AND state IN ('due', 'running')`,
  );
  const left = open.filter(isLeft);
  for (const { routine, dueAt } of left) give.run(now, routine, dueAt);
  return left;
}
