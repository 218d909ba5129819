/** Days that rows are kept; 0: for good. */
export interface RowLimits {
  readonly messagesDays: number;
  readonly historyDays: number;
  readonly approvalsDays: number;
}

/** A table of which rows go with time. */
export type RowKind =
  | "messages"
  | "sessions"
  | "inbox"
  | "outbox"
  | "approvals"
  | "plans"
  | "researches"
  | "routine_runs"
  | "spending"
  | "settings";

/** How the rows of one table go. */
export interface Kind {
  /** Rows from before this instant may go; undefined: none. */
  readonly before: (limits: RowLimits, now: number) => number | undefined;
  /** Of the rows behind `?1`, at most `?2`: the last, how many, and how many are from before `?3`. */
  readonly window: string;
  /**
   * Removes those up to `$last` that are from before `$before` and that nothing needs; `$open` is
   * when the oldest work came in that is not over.
   */
  readonly forget: string;
  /** Removes what hangs on them, before; with the same values. */
  readonly first?: string;
  /** Rows that were written since then stay. */
  readonly isOfWork: boolean;
}

const DAY_MS = 86_400_000;
/** Telegram delivers a message again for a day; a week is on the safe side. */
const DELIVERED_DAYS = 7;

function daysBefore(days: number, now: number): number | undefined {
  return days === 0 ? undefined : now - days * DAY_MS;
}

const SILENT_SESSION = `rowid > $after AND rowid <= $last AND updated_at < $before
  AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.session_id = sessions.session_id)
  AND NOT EXISTS (SELECT 1 FROM approvals WHERE approvals.session_id = sessions.session_id
    AND approvals.state = 'waiting' AND approvals.expires_at > min($now, $open))`;

/** The tables with a row number, in the order in which they are gone over. */
export const KINDS: ReadonlyMap<RowKind, Kind> = new Map([
  [
    "messages",
    {
      before: ({ messagesDays }, now) => daysBefore(messagesDays, now),
      window: `SELECT max(id) AS last, count(*) AS rows, sum(at < ?3) AS old FROM (
        SELECT id, created_at AS at FROM messages WHERE id > ?1 ORDER BY id LIMIT ?2)`,
      // A turn goes on behind a question: it is read again from its messages.
      forget: `DELETE FROM messages WHERE id > $after AND id <= $last AND created_at < $before
        AND NOT EXISTS (SELECT 1 FROM approvals WHERE approvals.session_id = messages.session_id
          AND approvals.state = 'waiting' AND approvals.expires_at > min($now, $open))`,
      isOfWork: true,
    },
  ],
  [
    "sessions",
    {
      before: ({ messagesDays }, now) => daysBefore(messagesDays, now),
      window: `SELECT max(id) AS last, count(*) AS rows, sum(at < ?3) AS old FROM (
        SELECT rowid AS id, updated_at AS at FROM sessions WHERE rowid > ?1 ORDER BY rowid LIMIT ?2)`,
      first: `DELETE FROM summaries WHERE session_id IN (
        SELECT session_id FROM sessions WHERE ${SILENT_SESSION})`,
      forget: `DELETE FROM sessions WHERE ${SILENT_SESSION}`,
      isOfWork: true,
    },
  ],
  [
    "inbox",
    {
      before: (_, now) => daysBefore(DELIVERED_DAYS, now),
      window: `SELECT max(id) AS last, count(*) AS rows, sum(at < ?3) AS old FROM (
        SELECT rowid AS id, received_at AS at FROM inbox WHERE rowid > ?1 ORDER BY rowid LIMIT ?2)`,
      // The newest of a bot says where polling goes on. What waits for a bot in whose place another
      // receives is answered by nobody, and must not keep all that came since.
      forget: `DELETE FROM inbox WHERE rowid > $after AND rowid <= $last AND received_at < $before
        AND iif(state = 'waiting',
          bot_id <> (SELECT bot_id FROM inbox ORDER BY rowid DESC LIMIT 1),
          EXISTS (SELECT 1 FROM inbox AS newer
            WHERE newer.rowid > inbox.rowid AND +newer.bot_id = inbox.bot_id))`,
      isOfWork: false,
    },
  ],
  [
    "outbox",
    {
      before: (_, now) => daysBefore(DELIVERED_DAYS, now),
      window: `SELECT max(id) AS last, count(*) AS rows, sum(at < ?3) AS old FROM (
        SELECT id, created_at AS at FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2)`,
      // An answer that is made once more finds the parts of it that were sent.
      forget: `DELETE FROM outbox WHERE id > $after AND id <= $last AND created_at < $before
        AND state NOT IN ('waiting', 'sending')`,
      isOfWork: true,
    },
  ],
  [
    "approvals",
    {
      before: ({ approvalsDays }, now) => daysBefore(approvalsDays, now),
      window: `SELECT max(id) AS last, count(*) AS rows, sum(at < ?3) AS old FROM (
        SELECT rowid AS id, created_at AS at FROM approvals WHERE rowid > ?1 ORDER BY rowid LIMIT ?2)`,
      // A press that waits came before its question ended; a no holds as long as the question could.
      // A call without an end is work that is not over: it and all since stay by that.
      forget: `DELETE FROM approvals WHERE rowid > $after AND rowid <= $last AND created_at < $before
        AND expires_at < min($now, $open)`,
      isOfWork: true,
    },
  ],
  [
    "plans",
    {
      before: ({ historyDays }, now) => daysBefore(historyDays, now),
      window: `SELECT max(id) AS last, count(*) AS rows, sum(at < ?3) AS old FROM (
        SELECT rowid AS id, created_at AS at FROM plans WHERE rowid > ?1 ORDER BY rowid LIMIT ?2)`,
      // What "ok" would apply, what a question is about, and the first plan of ways that are there.
      forget: `DELETE FROM plans WHERE rowid > $after AND rowid <= $last AND created_at < $before
        AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.plan_id = plans.plan_id)
        AND NOT EXISTS (SELECT 1 FROM approvals WHERE approvals.state = 'waiting'
          AND approvals.expires_at > min($now, $open) AND approvals.plan_id = plans.plan_id)
        AND NOT EXISTS (SELECT 1 FROM ways WHERE ways.goal_id = plans.plan_id
          AND ways.plan_id IS NOT NULL AND ways.plan_id <> plans.plan_id)`,
      isOfWork: true,
    },
  ],
  [
    "researches",
    {
      before: ({ historyDays }, now) => daysBefore(historyDays, now),
      window: `SELECT max(id) AS last, count(*) AS rows, sum(at < ?3) AS old FROM (
        SELECT rowid AS id, created_at AS at FROM researches WHERE rowid > ?1 ORDER BY rowid LIMIT ?2)`,
      forget: `DELETE FROM researches
        WHERE rowid > $after AND rowid <= $last AND created_at < $before`,
      isOfWork: true,
    },
  ],
  [
    "routine_runs",
    {
      before: ({ messagesDays }, now) => daysBefore(messagesDays, now),
      window: `SELECT max(id) AS last, count(*) AS rows, sum(at < ?3) AS old FROM (
        SELECT rowid AS id, due_at AS at FROM routine_runs WHERE rowid > ?1 ORDER BY rowid LIMIT ?2)`,
      // The newest that ended says what is due next, and whether the routine fails. One that is due or
      // under way is work that is not over, as a call is.
      forget: `DELETE FROM routine_runs WHERE rowid > $after AND rowid <= $last AND due_at < $before
        AND delivery <> 'pending'
        AND EXISTS (SELECT 1 FROM routine_runs AS newer WHERE newer.routine = routine_runs.routine
          AND newer.due_at > routine_runs.due_at AND newer.cause = 'schedule'
          AND newer.state IN ('ok', 'failed'))`,
      isOfWork: true,
    },
  ],
]);

/** Days of what models cost, of which no cap and no report asks any more. */
export const SPENDING = `DELETE FROM spending WHERE (day, payer) IN (
  SELECT day, payer FROM spending WHERE day < date(?1 / 1000, 'unixepoch', '-90 days')
  ORDER BY day LIMIT ?2)`;
