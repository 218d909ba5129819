import type { Database } from "bun:sqlite";

/**
 * When the oldest work came in that is not over: a message that waits, a run that is due or under
 * way, a call that began and has no end. Whatever was written since may be asked for when it goes
 * on. Undefined: there is none.
 */
export function oldestOpenWork(database: Database): number | undefined {
  const row = database.query<{ at: number | null }, []>(OLDEST).get();
  return row?.at ?? undefined;
}

const OLDEST = `SELECT min(at) AS at FROM (
  SELECT min(received_at) AS at FROM inbox WHERE state = 'waiting'
  UNION ALL SELECT min(min(due_at, coalesce(started_at, due_at))) FROM routine_runs
    WHERE state IN ('due', 'running')
  UNION ALL SELECT min(created_at) FROM approvals WHERE state = 'approved' AND runner IS NOT NULL)`;
