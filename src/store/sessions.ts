import type { Database } from "bun:sqlite";
import type { ChatMessage } from "../providers/provider.ts";

/** What a session remembers beside its messages. */
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
  append(sessionId: string, messages: readonly ChatMessage[], now: number): void;
  /** The newest messages that no summary stands for, oldest first. */
  history(sessionId: string, limit: number): SessionHistory;
  /** Lets `summary` stand for all messages up to the one with the id `upTo`. */
  summarise(sessionId: string, summary: string, upTo: number): void;
  count(): number;
}

/** Sessions in `state.db`. */
export function createSessionStore(database: Database): SessionStore {
  const store: SessionStore = {
    state(sessionId) {
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
    },
    update(sessionId, userId, change, now) {
      const before = store.state(sessionId);
      const { workspace = before.workspace ?? null, planId = before.planId ?? null } = change;
      database
        .query(
          `INSERT OR REPLACE INTO sessions (session_id, user_id, workspace, plan_id, updated_at)
           VALUES (?, ?, ?, ?, ?)`,
        )
        .run(sessionId, userId, workspace, planId, now);
    },
    append(sessionId, messages, now) {
      const insert = database.query(
        "INSERT INTO messages (session_id, message_json, created_at) VALUES (?, ?, ?)",
      );
      database
        .transaction(() => {
          for (const message of messages) insert.run(sessionId, JSON.stringify(message), now);
        })
        .immediate();
    },
    history(sessionId, limit) {
      const old = database
        .query<{ summary: string; up_to: number }, [string]>(
          "SELECT summary, up_to FROM summaries WHERE session_id = ?",
        )
        .get(sessionId);
      const rows = database
        .query<{ id: number; message_json: string }, [string, number, number]>(
          `SELECT id, message_json FROM messages WHERE session_id = ? AND id > ?
           ORDER BY id DESC LIMIT ?`,
        )
        .all(sessionId, old?.up_to ?? 0, limit);
      const messages = rows
        .toReversed()
        .map((row) => ({ id: row.id, message: JSON.parse(row.message_json) }));
      return { messages, ...(old && { summary: old.summary }) };
    },
    summarise(sessionId, summary, upTo) {
      const sql = "INSERT OR REPLACE INTO summaries (session_id, summary, up_to) VALUES (?, ?, ?)";
      database.query(sql).run(sessionId, summary, upTo);
    },
    count() {
      const sql = "SELECT count(*) AS n FROM sessions";
      return database.query<{ n: number }, []>(sql).get()?.n ?? 0;
    },
  };
  return store;
}
