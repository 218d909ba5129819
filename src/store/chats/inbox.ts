import type { Database } from "bun:sqlite";
import { unsynced } from "../writer/writer.ts";

/** What may run side by side in one session: each lane is worked off one row after another. */
export type Lane = "turn" | "press" | "cancel";

/** An update as it arrives; `done` is stored only so that a redelivery has no effect. */
export interface NewUpdate {
  readonly updateId: number;
  readonly sessionId: string;
  readonly lane: Lane;
  readonly updateJson: string;
  readonly state: "waiting" | "done";
  /** For edits of it. */
  readonly said?: Said;
}

/** A message of a session, and the hash of what it says. */
export interface Said {
  /** Below zero in a chat that the session is not named after. */
  readonly messageId: number;
  readonly sha256: string;
}

/** An update that waits to be worked off. */
export interface InboxRow {
  readonly updateId: number;
  readonly sessionId: string;
  readonly updateJson: string;
  readonly receivedAt: number;
  /** How often it was begun, over restarts. */
  readonly tries: number;
  /** What its tries left charged, over restarts. */
  readonly blame: number;
}

/** The first row of a session. */
export interface InboxHead extends InboxRow {
  /** Others waited behind it when it was read. */
  readonly hasMore: boolean;
}

/** What an edit finds of the message it changes. */
export interface FoundMessage {
  readonly updateId: number;
  /** Nothing was done about it yet. */
  readonly isUntouched: boolean;
  /** Of what it said, as far as the inbox was told. */
  readonly sha256: string;
}

/** The durable inbox of one bot: a row per update, unique for as long as it can be redelivered. */
export interface Inbox {
  /** False when the update is known already; nothing changes then. */
  add(update: NewUpdate, now: number): boolean;
  isKnown(updateId: number): boolean;
  /** The newest update received, which says where polling goes on after a restart. */
  last(): { readonly updateId: number; readonly receivedAt: number } | undefined;
  /** The oldest waiting row of every session in a lane, the one being worked on included. */
  heads(lane: Lane): InboxRow[];
  /** That of one session. */
  head(lane: Lane, sessionId: string): InboxHead | undefined;
  /** The oldest waiting presses of all sessions, those being worked on included. */
  waitingPresses(most: number): InboxRow[];
  /** The waiting messages of a session, oldest first, the one being worked on included. */
  waitingTurns(sessionId: string): InboxRow[];
  /** What the messages say that nobody has answered yet, the oldest first. */
  waitingTexts(): readonly string[];
  isUntouched(updateId: number): boolean;
  findMessage(sessionId: string, messageId: number): FoundMessage | undefined;
  /** Puts another update in the place of a waiting one; the row keeps its number and its turn. */
  replace(updateId: number, updateJson: string): void;
  noteEdit(updateId: number, sha256: string): void;
  /**
   * Counts a try and charges it; another one that was charged as the only one under way is charged
   * one less. Gives what is to be worked on now, undefined when it waits no more.
   */
  beginTry(updateId: number, charge: number, joined?: number): string | undefined;
  /** Adds to the blame of an update, or takes from it. */
  charge(updateId: number, more: number): void;
  /** Counts rows as begun as often as another: they are worked on with it, as one message. */
  joinTry(updateId: number, others: readonly number[]): void;
  /** Ends a row; what it said is forgotten, unless it is kept as poison for a look. */
  finish(updateId: number, state: "done" | "poison"): void;
  waitingCount(): number;
}

const COLUMNS = `update_id AS updateId, session_id AS sessionId, update_json AS updateJson, tries, blame,
  received_at AS receivedAt`;

/** Opens the inbox of the bot with this id; rows are ordered by arrival, not by update id. */
export function createInbox(database: Database, botId: number): Inbox {
  return {
    add({ said, ...row }, now) {
      const { changes } = database
        .query(
          `INSERT OR IGNORE INTO inbox
             (bot_id, update_id, session_id, lane, update_json, state, message_id, said_sha256,
              received_at)
           VALUES ($botId, $updateId, $sessionId, $lane, $updateJson, $state, $messageId, $sha256,
              $now)`,
        )
        .run({
          ...row,
          botId,
          now,
          messageId: said?.messageId ?? null,
          sha256: said?.sha256 ?? null,
        });
      return changes === 1;
    },
    isKnown(updateId) {
      const sql = "SELECT 1 FROM inbox WHERE bot_id = ? AND update_id = ?";
      return database.query(sql).get(botId, updateId) !== null;
    },
    last() {
      const row = database
        .query<{ updateId: number; receivedAt: number }, [number]>(
          // From the newest row back, which is this bot's where there is but one.
          `SELECT update_id AS updateId, received_at AS receivedAt FROM inbox
           WHERE +bot_id = ? ORDER BY rowid DESC`,
        )
        .get(botId);
      return row ?? undefined;
    },
    heads(lane) {
      // From session to session along the index: a long queue costs no more than a short one, where
      // a GROUP BY reads all of it for every message that is worked off.
      return database
        .query<InboxRow, { readonly botId: number; readonly lane: string }>(
          `WITH RECURSIVE sessions(id) AS (
             SELECT min(session_id) FROM inbox WHERE state = 'waiting' AND lane = $lane
             UNION ALL
             SELECT (SELECT min(session_id) FROM inbox
                     WHERE state = 'waiting' AND lane = $lane AND session_id > sessions.id)
             FROM sessions WHERE sessions.id IS NOT NULL
           )
           SELECT ${COLUMNS} FROM sessions CROSS JOIN inbox ON inbox.rowid = (
             SELECT min(rowid) FROM inbox
             WHERE state = 'waiting' AND lane = $lane AND session_id = sessions.id AND bot_id = $botId
           ) ORDER BY inbox.rowid`,
        )
        .all({ botId, lane });
    },
    head(lane, sessionId) {
      const [row, next] = database
        .query<InboxRow, [number, string, string]>(
          `SELECT ${COLUMNS} FROM inbox
           WHERE state = 'waiting' AND bot_id = ? AND lane = ? AND session_id = ?
           ORDER BY rowid LIMIT 2`,
        )
        .all(botId, lane, sessionId);
      return row && { ...row, hasMore: next !== undefined };
    },
    waitingPresses(most) {
      return database
        .query<InboxRow, [number, number]>(
          `SELECT ${COLUMNS} FROM inbox WHERE state = 'waiting' AND +bot_id = ? AND lane = 'press'
           ORDER BY rowid LIMIT ?`,
        )
        .all(botId, most);
    },
    waitingTurns(sessionId) {
      return database
        .query<InboxRow, [number, string]>(
          `SELECT ${COLUMNS} FROM inbox WHERE state = 'waiting' AND bot_id = ? AND lane = 'turn' AND session_id = ?
           ORDER BY rowid`,
        )
        .all(botId, sessionId);
    },
    waitingTexts() {
      const sql = `SELECT iif(json_valid(update_json),
          coalesce(update_json ->> '$.message.text', update_json ->> '$.message.caption', '…'), '…')
          AS text
        FROM inbox WHERE state = 'waiting' AND lane = 'turn' AND +bot_id = ? ORDER BY rowid`;
      return database
        .query<{ text: string }, [number]>(sql)
        .all(botId)
        .map(({ text }) => text);
    },
    isUntouched(updateId) {
      const sql =
        "SELECT 1 FROM inbox WHERE state = 'waiting' AND tries = 0 AND bot_id = ? AND update_id = ?";
      return database.query(sql).get(botId, updateId) !== null;
    },
    findMessage(sessionId, messageId) {
      const row = database
        .query<{ updateId: number; isUntouched: 0 | 1; sha256: string }, [string, number, number]>(
          `SELECT update_id AS updateId, state = 'waiting' AND tries = 0 AS isUntouched,
             said_sha256 AS sha256
           FROM inbox WHERE session_id = ? AND message_id = ? AND bot_id = ?
           ORDER BY rowid DESC`,
        )
        .get(sessionId, messageId, botId);
      return row ? { ...row, isUntouched: row.isUntouched === 1 } : undefined;
    },
    replace(updateId, updateJson) {
      database
        .query("UPDATE inbox SET update_json = ? WHERE bot_id = ? AND update_id = ?")
        .run(updateJson, botId, updateId);
    },
    noteEdit(updateId, hash) {
      database
        .query("UPDATE inbox SET said_sha256 = ? WHERE bot_id = ? AND update_id = ?")
        .run(hash, botId, updateId);
    },
    beginTry(updateId, charge, joined = updateId) {
      const count = database.query<
        { updateId: number; updateJson: string },
        [number, number, number, number]
      >(
        `UPDATE inbox SET tries = tries + (update_id = ?1),
           blame = blame + iif(update_id = ?1, ?3, -1)
         WHERE state = 'waiting' AND bot_id = ?4 AND update_id IN (?1, ?2)
         RETURNING update_id AS updateId, update_json AS updateJson`,
      );
      const rows = unsynced(database, () => count.all(updateId, joined, charge, botId));
      return rows.find((row) => row.updateId === updateId)?.updateJson;
    },
    charge(updateId, more) {
      const sql =
        "UPDATE inbox SET blame = max(0, blame + ?) WHERE bot_id = ? AND update_id = ? AND state = 'waiting'";
      unsynced(database, () => database.query(sql).run(more, botId, updateId));
    },
    joinTry(updateId, others) {
      const join = database.query(
        `UPDATE inbox SET tries = (SELECT tries FROM inbox WHERE bot_id = $botId AND update_id = $updateId)
         WHERE bot_id = $botId AND update_id = $other`,
      );
      const joinAll = database.transaction(() => {
        for (const other of others) join.run({ botId, updateId, other });
      });
      unsynced(database, () => joinAll.immediate());
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
          "SELECT count(*) AS n FROM inbox WHERE state = 'waiting' AND +bot_id = ?",
        )
        .get(botId);
      return row?.n ?? 0;
    },
  };
}
