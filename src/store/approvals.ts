import type { Database } from "bun:sqlite";

/** A person's pending or given answer, bound to one change set. */
export interface Approval {
  readonly approvalId: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly planId: string;
  readonly changeSetId: string;
  readonly state: "waiting" | "approved" | "rejected" | "replaced";
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Keeps approvals; a row leaves "waiting" exactly once. */
export interface ApprovalStore {
  /** Stores a new one in place of what waits in the session. */
  ask(approval: Omit<Approval, "state">): void;
  /** Marks what waits in a session as replaced by something newer. */
  replace(sessionId: string): void;
  load(approvalId: string): Approval | undefined;
  /** The one that can still be answered in a session, if any. */
  waiting(sessionId: string, now: number): Approval | undefined;
  /** Moves from waiting to `state`; false when somebody was faster. */
  settle(approvalId: string, state: "approved" | "rejected"): boolean;
  countWaiting(now: number): number;
}

const COLUMNS = `approval_id AS approvalId, session_id AS sessionId, user_id AS userId,
  plan_id AS planId, change_set_id AS changeSetId, state, created_at AS createdAt,
  expires_at AS expiresAt`;

/** Approvals in `state.db`. */
export function createApprovalStore(database: Database): ApprovalStore {
  const store: ApprovalStore = {
    ask(approval) {
      const insert = database.query(
        `INSERT INTO approvals (approval_id, session_id, user_id, plan_id, change_set_id,
           state, created_at, expires_at) VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?)`,
      );
      database
        .transaction(() => {
          store.replace(approval.sessionId);
          insert.run(
            approval.approvalId,
            approval.sessionId,
            approval.userId,
            approval.planId,
            approval.changeSetId,
            approval.createdAt,
            approval.expiresAt,
          );
        })
        .immediate();
    },
    replace(sessionId) {
      const sql =
        "UPDATE approvals SET state = 'replaced' WHERE session_id = ? AND state = 'waiting'";
      database.query(sql).run(sessionId);
    },
    load(approvalId) {
      const sql = `SELECT ${COLUMNS} FROM approvals WHERE approval_id = ?`;
      return database.query<Approval, [string]>(sql).get(approvalId) ?? undefined;
    },
    waiting(sessionId, now) {
      const sql = `SELECT ${COLUMNS} FROM approvals
        WHERE session_id = ? AND state = 'waiting' AND expires_at > ?`;
      return database.query<Approval, [string, number]>(sql).get(sessionId, now) ?? undefined;
    },
    settle(approvalId, state) {
      const sql = "UPDATE approvals SET state = ? WHERE approval_id = ? AND state = 'waiting'";
      return database.query(sql).run(state, approvalId).changes === 1;
    },
    countWaiting(now) {
      const sql = "SELECT count(*) AS n FROM approvals WHERE state = 'waiting' AND expires_at > ?";
      return database.query<{ n: number }, [number]>(sql).get(now)?.n ?? 0;
    },
  };
  return store;
}
