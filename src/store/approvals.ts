import type { Database } from "bun:sqlite";

/** A person's pending or given answer, bound to one change set. */
export interface Approval {
  readonly approvalId: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly planId: string;
  readonly changeSetId: string;
  readonly state: "waiting" | "approved" | "rejected" | "expired" | "replaced";
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Keeps approvals; a row leaves "waiting" exactly once. */
export interface ApprovalStore {
  /** Stores a new one and marks older waiting ones of the session as replaced. */
  ask(approval: Omit<Approval, "state">): void;
  load(approvalId: string): Approval | undefined;
  /** The waiting one of a session, if any. */
  waiting(sessionId: string): Approval | undefined;
  /** Moves from waiting to `state`; false when somebody was faster. */
  settle(approvalId: string, state: "approved" | "rejected" | "expired"): boolean;
  countWaiting(now: number): number;
}

const COLUMNS = `approval_id AS approvalId, session_id AS sessionId, user_id AS userId,
  plan_id AS planId, change_set_id AS changeSetId, state, created_at AS createdAt,
  expires_at AS expiresAt`;

/** Approvals in `state.db`. */
export function createApprovalStore(database: Database): ApprovalStore {
  return {
    ask(approval) {
      const store = database.transaction(() => {
        database
          .query(
            "UPDATE approvals SET state = 'replaced' WHERE session_id = ? AND state = 'waiting'",
          )
          .run(approval.sessionId);
        database
          .query(
            `INSERT INTO approvals (approval_id, session_id, user_id, plan_id, change_set_id,
               state, created_at, expires_at) VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?)`,
          )
          .run(
            approval.approvalId,
            approval.sessionId,
            approval.userId,
            approval.planId,
            approval.changeSetId,
            approval.createdAt,
            approval.expiresAt,
          );
      });
      store.immediate();
    },
    load(approvalId) {
      const sql = `SELECT ${COLUMNS} FROM approvals WHERE approval_id = ?`;
      return database.query<Approval, [string]>(sql).get(approvalId) ?? undefined;
    },
    waiting(sessionId) {
      const sql = `SELECT ${COLUMNS} FROM approvals WHERE session_id = ? AND state = 'waiting'`;
      return database.query<Approval, [string]>(sql).get(sessionId) ?? undefined;
    },
    settle(approvalId, state) {
      const result = database
        .query("UPDATE approvals SET state = ? WHERE approval_id = ? AND state = 'waiting'")
        .run(state, approvalId);
      return result.changes === 1;
    },
    countWaiting(now) {
      const sql = "SELECT count(*) AS n FROM approvals WHERE state = 'waiting' AND expires_at > ?";
      return database.query<{ n: number }, [number]>(sql).get(now)?.n ?? 0;
    },
  };
}
