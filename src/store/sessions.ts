import type { Database } from "bun:sqlite";
import { parseJsonAs } from "../core/guards.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { type KnownRows, NOTHING_KNOWN } from "./known-rows.ts";
import { isMessage, isShown, type Shown } from "./stored-json.ts";
import { atomically, unsynced } from "./writer/writer.ts";

export type { Shown } from "./stored-json.ts";

/** What a session remembers besides its messages. */
export interface SessionState {
  /** Selected workspace's name; undefined: the first configured one. */
  readonly workspace?: string;
  /** The plan that "ok" applies. */
  readonly planId?: string;
  /** Who made that plan. */
  readonly userId?: string;
}

/** A conversation as far as it is kept word for word. */
export interface SessionHistory {
  /** Of everything older. */
  readonly summary?: string;
  readonly messages: readonly { readonly id: number; readonly message: ChatMessage }[];
  /** Messages before these that no summary covers. */
  readonly older: number;
}

/**
 * Where messages belong. A "failed" one is for its own turn alone, behind the "last" one its turn
 * is over; all others are simply kept.
 */
export interface TurnPlace {
  readonly turnId: string;
  readonly standing?: "failed" | "last";
}

/** What is kept of one turn. */
export interface TurnHistory {
  readonly startedAt: number;
  readonly isOver: boolean;
  readonly messages: readonly ChatMessage[];
}

/** Durable conversations. */
export interface SessionStore {
  state(sessionId: string): SessionState;
  /** Keys that are left out keep their value; null clears. */
  update(
    sessionId: string,
    userId: string,
    change: { workspace?: string | null; planId?: string | null },
    now: number,
  ): void;
  append(sessionId: string, messages: readonly ChatMessage[], now: number, place?: TurnPlace): void;
  /** Keeps what a person was shown beside messages, in their order; it is in no history. */
  show(sessionId: string, shown: readonly Shown[], now: number): void;
  /** What was shown, behind the row `since`, under the id of a plan, a question, a transaction or a file; the newest first. */
  shownAs(sessionId: string, ref: string, since?: number): readonly Shown[];
  /** The newest messages that no summary covers, oldest first, as the turn `turnId` sees them. */
  history(sessionId: string, limit: number, turnId?: string): SessionHistory;
  /** A turn of which something is kept. */
  turn(sessionId: string, turnId: string): TurnHistory | undefined;
  /** Lets `summary` stand for all messages up to the one with the id `upTo`. */
  summarise(sessionId: string, summary: string, upTo: number): void;
  count(): number;
  /** Those with a plan that "ok" would apply. */
  withPlans(): readonly SessionPlan[];
  /** Those whose ids begin so, with a ":" at its end, in no order. */
  below(prefix: string): readonly Conversation[];
  /** The oldest that is kept of what was said, as a message; to choose a workspace says nothing yet. */
  first(sessionId: string): ChatMessage | undefined;
  /** The id of its newest message; 0: it has none. */
  newest(sessionId: string): number;
  /** Messages before the one with the id `before`, the newest first, and what was shown beside them. */
  messages(sessionId: string, before: number, limit: number): readonly KeptMessage[];
}

/** A conversation as a list has it. */
export interface Conversation {
  readonly sessionId: string;
  /** When something was last kept of it. */
  readonly at: number;
}

/** A message as it is kept; undefined: what is kept is none. */
export interface KeptMessage {
  readonly id: number;
  readonly at: number;
  readonly message: ChatMessage | undefined;
  /** It is none, and was shown beside them. */
  readonly shown?: Shown;
}

/** A session whose plan waits. */
export interface SessionPlan {
  readonly sessionId: string;
  readonly userId: string;
  readonly planId: string;
}

/** Sessions in `state.db`; what one remembers, and that it has no summary, is kept in `known`. */
export function createSessionStore(
  database: Database,
  known: KnownRows = NOTHING_KNOWN,
): SessionStore {
  const states = known.table<SessionState>();
  const summaries = known.table<Summary | undefined>((summary) => summary === undefined);
  const store: SessionStore = {
    state: (sessionId) => states.get(sessionId, () => readState(database, sessionId)),
    update(sessionId, userId, change, now) {
      const before = store.state(sessionId);
      states.forget(sessionId);
      const { workspace = before.workspace ?? null, planId = before.planId ?? null } = change;
      database
        .query(
          `INSERT OR REPLACE INTO sessions (session_id, user_id, workspace, plan_id, updated_at)
           VALUES (?, ?, ?, ?, ?)`,
        )
        .run(sessionId, userId, workspace, planId, now);
    },
    append(sessionId, messages, now, place) {
      const { turnId = null, standing = "kept" } = place ?? {};
      const insert = database.query(
        `INSERT INTO messages (session_id, message_json, created_at, turn_id, standing)
         VALUES (?, ?, ?, ?, ?)`,
      );
      const add = () => {
        for (const message of messages) {
          insert.run(sessionId, JSON.stringify(message), now, turnId, standing);
        }
      };
      // A turn that a power cut takes back is answered again: its message is synced.
      unsynced(database, () => atomically(database, add));
    },
    show(sessionId, shown, now) {
      const insert = database.query(
        `INSERT INTO messages (session_id, message_json, created_at, turn_id, standing)
         VALUES (?, ?, ?, NULL, 'shown')`,
      );
      const add = () => {
        for (const each of shown) insert.run(sessionId, JSON.stringify(each), now);
      };
      // Who goes back to it after a power cut misses a line, and nothing that counts.
      unsynced(database, () => atomically(database, add));
    },
    shownAs(sessionId, ref, since = 0) {
      const sql = `SELECT message_json FROM messages WHERE session_id = ? AND id > ? AND standing = 'shown'
        AND instr(message_json, ?) > 0 ORDER BY id DESC`;
      return database
        .query<{ message_json: string }, [string, number, string]>(sql)
        .all(sessionId, since, `"ref":${JSON.stringify(ref)}`)
        .map(({ message_json }) => parseJsonAs(message_json, isShown))
        .filter((shown): shown is Shown => shown?.ref === ref);
    },
    history(sessionId, limit, turnId = "") {
      const old = summaries.get(sessionId, () => readSummary(database, sessionId));
      const after = old?.up_to ?? 0;
      const rows = database
        .query<{ id: number; message_json: string }, [string, number, string, number]>(
          `SELECT id, message_json FROM messages WHERE session_id = ? AND id > ?
           AND (standing NOT IN ('failed', 'shown') OR turn_id = ?) ORDER BY id DESC LIMIT ?`,
        )
        .all(sessionId, after, turnId, limit);
      const first = rows.length < limit ? undefined : rows.at(-1)?.id;
      const older = first === undefined ? 0 : countBetween(database, sessionId, after, first);
      const messages = rows.toReversed().flatMap(({ id, message_json }) => {
        const message = parseJsonAs(message_json, isMessage);
        return message ? [{ id, message }] : [];
      });
      return { messages, older, ...(old && { summary: old.summary }) };
    },
    turn(sessionId, turnId) {
      const rows = database
        .query<{ message_json: string; standing: string; created_at: number }, [string, string]>(
          `SELECT message_json, standing, created_at FROM messages
           WHERE turn_id = ? AND session_id = ? ORDER BY id`,
        )
        .all(turnId, sessionId);
      const [first] = rows;
      return (
        first && {
          startedAt: first.created_at,
          isOver: rows.some(({ standing }) => standing === "last"),
          messages: rows.flatMap((row) => parseJsonAs(row.message_json, isMessage) ?? []),
        }
      );
    },
    summarise(sessionId, summary, upTo) {
      summaries.forget(sessionId);
      const sql = "INSERT OR REPLACE INTO summaries (session_id, summary, up_to) VALUES (?, ?, ?)";
      database.query(sql).run(sessionId, summary, upTo);
    },
    count() {
      const sql = "SELECT count(*) AS n FROM sessions";
      return database.query<{ n: number }, []>(sql).get()?.n ?? 0;
    },
    withPlans() {
      const sql = `SELECT session_id AS sessionId, user_id AS userId, plan_id AS planId
        FROM sessions WHERE plan_id IS NOT NULL`;
      return database.query<SessionPlan, []>(sql).all();
    },
    below(prefix) {
      const [from, to] = [prefix, prefix.replace(/:$/u, ";")];
      const found = new Map<string, number>();
      for (const { sessionId, at } of database
        .query<Conversation, [string, string]>(OF_MESSAGES)
        .all(from, to)) {
        found.set(sessionId, at);
      }
      const sql = `SELECT session_id AS sessionId, updated_at AS at FROM sessions
        WHERE session_id >= ? AND session_id < ?`;
      for (const { sessionId, at } of database
        .query<Conversation, [string, string]>(sql)
        .all(from, to)) {
        found.set(sessionId, Math.max(at, found.get(sessionId) ?? 0));
      }
      return [...found].map(([sessionId, at]) => ({ sessionId, at }));
    },
    first(sessionId) {
      const sql = `SELECT message_json FROM messages WHERE session_id = ?
        AND (standing <> 'shown' OR message_json LIKE '{"kind":"said"%')
        AND message_json NOT LIKE '{"kind":"said"%"text":"/ws %' ORDER BY id`;
      const row = database.query<{ message_json: string }, [string]>(sql).get(sessionId);
      if (!row) return undefined;
      const said = parseJsonAs(row.message_json, isShown);
      return said ? { role: "user", content: said.text } : parseJsonAs(row.message_json, isMessage);
    },
    newest(sessionId) {
      const sql = "SELECT max(id) AS id FROM messages WHERE session_id = ?";
      return database.query<{ id: number | null }, [string]>(sql).get(sessionId)?.id ?? 0;
    },
    messages: (sessionId, before, limit) =>
      database
        .query<
          { id: number; at: number; standing: string; message_json: string },
          [string, number, number]
        >(
          `SELECT id, created_at AS at, standing, message_json FROM messages
           WHERE session_id = ? AND id < ? AND standing <> 'failed' ORDER BY id DESC LIMIT ?`,
        )
        .all(sessionId, before, limit)
        .map(({ id, at, standing, message_json }) => {
          const shown = standing === "shown" ? parseJsonAs(message_json, isShown) : undefined;
          const message = shown ? undefined : parseJsonAs(message_json, isMessage);
          return shown ? { id, at, message, shown } : { id, at, message };
        }),
  };
  return store;
}

/** From one conversation to the next along the index: of each only its newest message is read. */
const OF_MESSAGES = `WITH RECURSIVE known(id) AS (
  SELECT min(session_id) FROM messages WHERE session_id >= ?1 AND session_id < ?2
  UNION ALL
  SELECT (SELECT min(session_id) FROM messages WHERE session_id > known.id AND session_id < ?2)
  FROM known WHERE known.id IS NOT NULL
)
SELECT id AS sessionId,
  (SELECT created_at FROM messages WHERE session_id = known.id ORDER BY messages.id DESC) AS at
FROM known WHERE id IS NOT NULL`;

function readState(database: Database, sessionId: string): SessionState {
  const row = database
    .query<{ user_id: string; workspace: string | null; plan_id: string | null }, [string]>(
      "SELECT user_id, workspace, plan_id FROM sessions WHERE session_id = ?",
    )
    .get(sessionId);
  return {
    ...(row?.workspace && { workspace: row.workspace }),
    ...(row?.plan_id && { planId: row.plan_id }),
    ...(row && { userId: row.user_id }),
  };
}

interface Summary {
  readonly summary: string;
  readonly up_to: number;
}

function readSummary(database: Database, sessionId: string): Summary | undefined {
  const sql = "SELECT summary, up_to FROM summaries WHERE session_id = ?";
  return database.query<Summary, [string]>(sql).get(sessionId) ?? undefined;
}

function countBetween(
  database: Database,
  sessionId: string,
  after: number,
  before: number,
): number {
  const sql = `SELECT count(*) AS n FROM messages
    WHERE session_id = ? AND id > ? AND id < ? AND standing NOT IN ('failed', 'shown')`;
  return (
    database.query<{ n: number }, [string, number, number]>(sql).get(sessionId, after, before)?.n ??
    0
  );
}
