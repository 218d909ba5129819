import type { Database } from "bun:sqlite";

/** What may run side by side in one session: each lane is worked off one row after another. */
export type Lane = "turn" | "press" | "cancel";

/** An update as it arrives; `done` is stored only so that a redelivery has no effect. */
export interface NewUpdate {
  readonly updateId: number;
  readonly sessionId: string;
  readonly lane: Lane;
  readonly updateJson: string;
  readonly state: "waiting" | "done";
}

/** An update that waits to be worked off. */
export interface InboxRow {
  readonly updateId: number;
  readonly sessionId: string;
  readonly updateJson: string;
  readonly receivedAt: number;
  /** How often it was begun, over restarts. */
  readonly tries: number;
}

/** The durable inbox of one bot: a row per update, unique for as long as it can be redelivered. */
export interface Inbox {
  /** False when the update is known already; nothing changes then. */
  add(update: NewUpdate, now: number): boolean;
  /** The newest update received, which says where polling goes on after a restart. */
  last(): { readonly updateId: number; readonly receivedAt: number } | undefined;
  /** The oldest waiting row of every session in a lane, the one being worked on included. */
  heads(lane: Lane): InboxRow[];
  beginTry(updateId: number): void;
  /** Ends a row; what it said is forgotten, unless it is kept as poison for a look. */
  finish(updateId: number, state: "done" | "poison"): void;
  waitingCount(): number;
  /** Forgets rows received before an instant that wait no more, but never the newest row. */
  prune(before: number): void;
}

/** Opens the inbox of the bot with this id; rows are ordered by arrival, not by update id. */
export function createInbox(database: Database, botId: number): Inbox {
  return {
    add(update, now) {
      const { changes } = database
        .query(
          `INSERT OR IGNORE INTO inbox
             (bot_id, update_id, session_id, lane, update_json, state, received_at)
           VALUES ($botId, $updateId, $sessionId, $lane, $updateJson, $state, $now)`,
        )
        .run({ ...update, botId, now });
      return changes === 1;
    },
    last() {
      const row = database
        .query<{ updateId: number; receivedAt: number }, [number]>(
          `SELECT update_id AS updateId, received_at AS receivedAt FROM inbox
           WHERE bot_id = ? ORDER BY rowid DESC LIMIT 1`,
        )
        .get(botId);
      return row ?? undefined;
    },
    heads(lane) {
      return database
        .query<InboxRow, [number, string]>(
          `SELECT update_id AS updateId, session_id AS sessionId, update_json AS updateJson, tries,
             received_at AS receivedAt
           FROM inbox WHERE rowid IN (
             SELECT min(rowid) FROM inbox WHERE state = 'waiting' AND bot_id = ? AND lane = ?
             GROUP BY session_id
           ) ORDER BY rowid`,
        )
        .all(botId, lane);
    },
    beginTry(updateId) {
      database
        .query("UPDATE inbox SET tries = tries + 1 WHERE bot_id = ? AND update_id = ?")
        .run(botId, updateId);
    },
    finish(updateId, state) {
      database
        .query(
          `UPDATE inbox SET state = $state, update_json = iif($state = 'done', '', update_json)
           WHERE bot_id = $botId AND update_id = $updateId`,
        )
        .run({ state, botId, updateId });
    },
    waitingCount() {
      const row = database
        .query<{ n: number }, [number]>(
          "SELECT count(*) AS n FROM inbox WHERE state = 'waiting' AND bot_id = ?",
        )
        .get(botId);
      return row?.n ?? 0;
    },
    prune(before) {
      database
        .query(
          `DELETE FROM inbox WHERE bot_id = $botId AND state <> 'waiting' AND received_at < $before
           AND rowid < (SELECT max(rowid) FROM inbox WHERE bot_id = $botId)`,
        )
        .run({ botId, before });
    },
  };
}
