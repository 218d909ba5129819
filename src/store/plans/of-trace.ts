import type { Database } from "bun:sqlite";

/** A plan by its traces. */
interface TracedPlan {
  readonly planId: string;
  readonly goal: string;
  readonly traceId: string;
  /** Of the request for its actions; empty where none was made. */
  readonly actionsTraceId: string;
}

/** The plan in a folder that a trace is of, or of whose actions it is; a folder has 200 at most. */
export function findTraced(
  database: Database,
  workspaceRoot: string,
  traceId: string,
): TracedPlan | undefined {
  const query = database.query<TracedPlan, [string, string]>(
    `SELECT plan_id AS planId, goal, plans.trace_id AS traceId,
       coalesce(made.trace_id, '') AS actionsTraceId
     FROM plans LEFT JOIN change_sets AS made USING (plan_id)
     WHERE workspace_root = ?1 AND (plans.trace_id = ?2 OR made.trace_id = ?2)
     ORDER BY plans.created_at DESC`,
  );
  return query.get(workspaceRoot, traceId) ?? undefined;
}
