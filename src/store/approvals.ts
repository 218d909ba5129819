import type { Database } from "bun:sqlite";
import { isListOf, isText, parseJsonAs } from "../core/guards.ts";
import { isNamedRunning, nameProcess } from "../system/processes/processes.ts";
import { type KnownRows, NOTHING_KNOWN } from "./known-rows.ts";

/** What a person is asked about. */
export type ApprovalSubject =
  | {
      readonly kind: "change_set";
      readonly planId: string;
      readonly changeSetId: string;
      /** Hosts that it says were asked for in vain: a press opens these and no others. */
      readonly hosts?: readonly string[];
    }
  | {
      readonly kind: "tool_call";
      readonly tool: string;
      /** The exact arguments, as JSON. */
      readonly argsJson: string;
      /** Over the call and what it is about; see `agent/gate/asked-call.ts`. */
      readonly callSha256: string;
    };

/** A question before it is answered. */
export type Question = {
  readonly approvalId: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
} & ApprovalSubject;

/**
 * A person's pending or given answer. An approved call is "done" when its result is known, and
 * "interrupted" when a start found that it never will be.
 */
export type Approval = Question & {
  readonly state: "waiting" | "approved" | "rejected" | "replaced" | "done" | "interrupted";
  /** The process that does it, by its name: of a change set once it is approved, of a call once it begins. */
  readonly runner?: string;
};

/** An approval of a tool call; with a turn, one that the policy gave while the turn ran. */
export type CallApproval = Extract<Approval, { readonly kind: "tool_call" }> & {
  readonly turnId?: string;
};

/** A call that runs without a question. */
export type AllowedCall = Pick<
  CallApproval,
  "approvalId" | "sessionId" | "userId" | "tool" | "argsJson" | "createdAt"
> & { readonly turnId: string };

/** Keeps approvals; a row leaves "waiting" exactly once. */
export interface ApprovalStore {
  /**
   * Stores a new one in place of what waits in the session; with `instead`, only while that is it.
   * False: it is not, and nothing is stored. What is stored `alongside` is so in the same step.
   */
  ask(question: Question, instead?: string, alongside?: () => void): boolean;
  /** Marks what waits in a session as replaced by something newer. */
  replace(sessionId: string): void;
  load(approvalId: string): Approval | undefined;
  /** The one that can still be answered in a session, if any. */
  waiting(sessionId: string, now: number): Approval | undefined;
  /** Moves from waiting to `state`; false when somebody was faster. */
  settle(approvalId: string, state: "approved" | "rejected" | "replaced"): boolean;
  /** Stores a call that nobody has to be asked about, as approved, before it runs. */
  allow(call: AllowedCall): void;
  /** Marks an approved call as done; one that nobody was asked about is forgotten. */
  finish(approvalId: string): void;
  /**
   * Marks the approved calls that began and that no other process is running, and gives them,
   * once. For a start: it runs none itself.
   */
  interrupt(): readonly CallApproval[];
  /** Calls of a turn that began, and of which no end is known. */
  openCalls(turnId: string): readonly string[];
  /** Notes that an approved call begins; what began and has no end is not run again. */
  begin(approvalId: string): void;
  /** Whether a no to this very call still holds: as long as its question could have waited. */
  wasRejected(sessionId: string, callSha256: string, now: number): boolean;
  /** The newest question of a session about the changes of a plan, whatever became of it. */
  lastAbout(sessionId: string, planId: string): Approval | undefined;
  countWaiting(now: number): number;
  /** Those that can still be answered, the oldest first. */
  listWaiting(now: number): readonly Approval[];
  /** Marks what waits in all sessions whose ids begin so as replaced. */
  replaceAll(sessionPrefix: string): void;
}

interface Row {
  readonly approvalId: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly planId: string;
  readonly contentId: string;
  readonly state: Approval["state"];
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly tool: string | null;
  readonly argsJson: string | null;
  readonly turnId: string | null;
  readonly runner: string | null;
}

const COLUMNS = `approval_id AS approvalId, session_id AS sessionId, user_id AS userId,
  plan_id AS planId, change_set_id AS contentId, state, created_at AS createdAt,
  expires_at AS expiresAt, tool, args_json AS argsJson, turn_id AS turnId, runner`;

/** Approvals in `state.db`; which sessions have none that waits is kept in `known`. */
export function createApprovalStore(
  database: Database,
  known: KnownRows = NOTHING_KNOWN,
): ApprovalStore {
  const waits = known.table<boolean>((isThere) => !isThere);
  const store: ApprovalStore = {
    ask(question, instead, alongside) {
      const insert = database.query(
        `INSERT INTO approvals (approval_id, session_id, user_id, plan_id, change_set_id, tool,
           args_json, state, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?)`,
      );
      const { approvalId, sessionId, userId, createdAt, expiresAt } = question;
      const ask = database.transaction(() => {
        if (instead !== undefined && !store.settle(instead, "replaced")) return false;
        store.replace(sessionId);
        const subject = toColumns(question);
        waits.forget(sessionId);
        insert.run(approvalId, sessionId, userId, ...subject, createdAt, expiresAt);
        alongside?.();
        return true;
      });
      return ask.immediate();
    },
    replace(sessionId) {
      const sql =
        "UPDATE approvals SET state = 'replaced' WHERE session_id = ? AND state = 'waiting'";
      database.query(sql).run(sessionId);
    },
    load(approvalId) {
      const sql = `SELECT ${COLUMNS} FROM approvals WHERE approval_id = ?`;
      const row = database.query<Row, [string]>(sql).get(approvalId);
      return row ? toApproval(row) : undefined;
    },
    waiting(sessionId, now) {
      if (!waits.get(sessionId, () => hasWaiting(database, sessionId))) return undefined;
      const sql = `SELECT ${COLUMNS} FROM approvals
        WHERE session_id = ? AND state = 'waiting' AND expires_at > ?`;
      const row = database.query<Row, [string, number]>(sql).get(sessionId, now);
      return row ? toApproval(row) : undefined;
    },
    settle(approvalId, state) {
      const sql = `UPDATE approvals SET state = ?1,
          runner = CASE WHEN ?1 = 'approved' AND tool IS NULL THEN ?3 ELSE runner END
        WHERE approval_id = ?2 AND state = 'waiting'`;
      return database.query(sql).run(state, approvalId, nameProcess()).changes === 1;
    },
    begin(approvalId) {
      const sql = "UPDATE approvals SET runner = ? WHERE approval_id = ?";
      database.query(sql).run(nameProcess(), approvalId);
    },
    openCalls(turnId) {
      // What was finished of it is gone.
      const sql = "SELECT approval_id AS id FROM approvals WHERE turn_id = ? ORDER BY created_at";
      return database
        .query<{ id: string }, [string]>(sql)
        .all(turnId)
        .map(({ id }) => id);
    },
    allow({ approvalId, sessionId, userId, tool, argsJson, turnId, createdAt }) {
      const sql = `INSERT INTO approvals (approval_id, session_id, user_id, plan_id, change_set_id,
        tool, args_json, turn_id, runner, state, created_at, expires_at)
        VALUES (?, ?, ?, '', '', ?, ?, ?, ?, 'approved', ?, ?)`;
      const subject = [tool, argsJson, turnId, nameProcess()] as const;
      database.query(sql).run(approvalId, sessionId, userId, ...subject, createdAt, createdAt);
    },
    finish(approvalId) {
      const forget = "DELETE FROM approvals WHERE approval_id = ? AND turn_id IS NOT NULL";
      database.query(forget).run(approvalId);
      const sql = `UPDATE approvals SET state = 'done'
        WHERE approval_id = ? AND state IN ('approved', 'interrupted')`;
      database.query(sql).run(approvalId);
    },
    interrupt() {
      const open = database.query<Row & { readonly runner: string }, []>(
        `SELECT ${COLUMNS} FROM approvals
          WHERE state = 'approved' AND runner IS NOT NULL AND tool IS NOT NULL`,
      );
      const mark = database.query(
        "UPDATE approvals SET state = 'interrupted' WHERE approval_id = ?",
      );
      const interrupt = database.transaction(() => {
        const left = open.all().filter(({ runner }) => !isNamedRunning(runner));
        for (const { approvalId } of left) mark.run(approvalId);
        return left;
      });
      return interrupt
        .immediate()
        .map((row) => toApproval({ ...row, state: "interrupted" }))
        .filter((approval) => approval.kind === "tool_call");
    },
    wasRejected(sessionId, callSha256, now) {
      const sql = `SELECT 1 FROM approvals WHERE session_id = ? AND change_set_id = ?
        AND state = 'rejected' AND expires_at > ?`;
      return database.query(sql).get(sessionId, callSha256, now) !== null;
    },
    lastAbout(sessionId, planId) {
      const sql = `SELECT ${COLUMNS} FROM approvals WHERE session_id = ? AND plan_id = ?
        ORDER BY created_at DESC, rowid DESC LIMIT 1`;
      const row = database.query<Row, [string, string]>(sql).get(sessionId, planId);
      return row ? toApproval(row) : undefined;
    },
    countWaiting(now) {
      const sql = "SELECT count(*) AS n FROM approvals WHERE state = 'waiting' AND expires_at > ?";
      return database.query<{ n: number }, [number]>(sql).get(now)?.n ?? 0;
    },
    listWaiting(now) {
      const sql = `SELECT ${COLUMNS} FROM approvals
        WHERE state = 'waiting' AND expires_at > ? ORDER BY created_at`;
      return database.query<Row, [number]>(sql).all(now).map(toApproval);
    },
    replaceAll(sessionPrefix) {
      const sql = `UPDATE approvals SET state = 'replaced'
        WHERE state = 'waiting' AND substr(session_id, 1, length(?1)) = ?1`;
      database.query(sql).run(sessionPrefix);
    },
  };
  return store;
}

/** Also one whose time is over. */
function hasWaiting(database: Database, sessionId: string): boolean {
  const sql = "SELECT 1 FROM approvals WHERE session_id = ? AND state = 'waiting'";
  return database.query(sql).get(sessionId) !== null;
}

/** plan_id, change_set_id, tool, args_json. */
function toColumns(subject: ApprovalSubject): [string, string, string | null, string | null] {
  return subject.kind === "change_set"
    ? [
        subject.planId,
        subject.changeSetId,
        null,
        subject.hosts ? JSON.stringify(subject.hosts) : null,
      ]
    : ["", subject.callSha256, subject.tool, subject.argsJson];
}

function toApproval(row: Row): Approval | CallApproval {
  const { planId, contentId, tool, argsJson, turnId, runner, ...rest } = row;
  const common = { ...rest, ...(runner !== null && { runner }) };
  if (tool === null || argsJson === null) {
    const hosts = argsJson === null ? undefined : parseJsonAs(argsJson, isListOf(isText));
    return {
      ...common,
      kind: "change_set",
      planId,
      changeSetId: contentId,
      ...(hosts && { hosts }),
    };
  }
  return {
    ...common,
    kind: "tool_call",
    tool,
    argsJson,
    callSha256: contentId,
    ...(turnId !== null && { turnId }),
  };
}
