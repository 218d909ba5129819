import type { Database } from "bun:sqlite";
import { moveSettings } from "../settings/settings.ts";

/** Whether anything was kept of a chat's own conversation. */
export function isKnownChat(database: Database, chatId: number): boolean {
  return tablesOfSessions(database).some((table) => {
    return (
      database.query(`SELECT 1 FROM ${table} WHERE session_id = ?`).get(toName(chatId)) !== null
    );
  });
}

/** Whether something waits to be sent to a chat. */
export function isSentTo(database: Database, chatId: number): boolean {
  const sql = `SELECT 1 FROM outbox
    WHERE chat_id = ? AND (state = 'waiting' OR state = 'sending')`;
  return database.query(sql).get(String(chatId)) !== null;
}

/**
 * Gives everything of one chat's conversation to another's: what tables and settings keep by its
 * session. What the other has already stays; what both were charged is added up.
 */
export function moveConversation(database: Database, from: number, to: number): void {
  const move = database.transaction(() => {
    const ids = { from: toName(from), to: toName(to) };
    addSpending(database, ids);
    // The other chat numbers its messages anew.
    database.query("UPDATE inbox SET message_id = -message_id WHERE session_id = ?").run(ids.from);
    for (const table of tablesOfSessions(database)) {
      database
        .query(`UPDATE OR IGNORE ${table} SET session_id = $to WHERE session_id = $from`)
        .run(ids);
    }
    moveSettings(database, ids);
  });
  move.immediate();
}

/**
 * Sends what waits for one chat to another. What grew in the old one is sent whole: a message of the
 * same number in the new one is another message. Buttons there cannot be taken away any more.
 */
export function moveMessages(database: Database, from: number, to: number): void {
  const move = database.transaction(() => {
    database
      .query(
        `DELETE FROM outbox
         WHERE chat_id = ? AND state = 'waiting' AND method = 'editMessageReplyMarkup'`,
      )
      .run(String(from));
    database
      .query(
        `UPDATE outbox SET chat_id = $to, message_id = NULL
         WHERE chat_id = $from AND (state = 'waiting' OR state = 'sending')`,
      )
      .run({ from: String(from), to: String(to) });
  });
  move.immediate();
}

function toName(chatId: number): string {
  return `telegram:${chatId}`;
}

/** From the shape itself: a table that is added later moves, too. */
function tablesOfSessions(database: Database): readonly string[] {
  const sql = `SELECT t.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
    WHERE c.name = 'session_id'`;
  return database
    .query<{ name: string }, []>(sql)
    .all()
    .map(({ name }) => name);
}

/** A chat must not begin its day's budget again. */
function addSpending(
  database: Database,
  ids: { readonly from: string; readonly to: string },
): void {
  const add = `INSERT INTO spending (day, payer, tokens, cost)
    SELECT day, $to, tokens, cost FROM spending WHERE payer = $from
    ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost`;
  database.query(add).run(ids);
  database.query("DELETE FROM spending WHERE payer = ?").run(ids.from);
}
