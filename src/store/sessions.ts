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
  /** The newest messages, oldest first. */
  history(sessionId: string, limit: number): readonly ChatMessage[];
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
      const rows = database
        .query<{ message_json: string }, [string, number]>(
          "SELECT message_json FROM messages WHERE session_id = ? ORDER BY id DESC LIMIT ?",
        )
        .all(sessionId, limit);
      return rows.toReversed().map((row): ChatMessage => JSON.parse(row.message_json));
    },
    count() {
      const sql = "SELECT count(*) AS n FROM sessions";
      return database.query<{ n: number }, []>(sql).get()?.n ?? 0;
    },
  };
  return store;
}
