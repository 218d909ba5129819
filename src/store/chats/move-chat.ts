import type { Database } from "bun:sqlite";
import { moveSettings } from "../settings/settings.ts";

/**
 * Gives everything of one chat to another, which Telegram made of it (a group that became a
 * supergroup): what tables and settings keep by its session, and what waits to be worked on or
 * sent. What the new chat has already stays; what both were charged is added up.
 */
export function moveChat(database: Database, from: number, to: number): void {
  const move = database.transaction(() => {
    const ids = { from: `telegram:${from}`, to: `telegram:${to}` };
    addSpending(database, ids);
    for (const table of tablesOfSessions(database)) {
      database
        .query(`UPDATE OR IGNORE ${table} SET session_id = $to WHERE session_id = $from`)
        .run(ids);
    }
    moveSettings(database, ids);
    database
      .query(
        `UPDATE inbox SET update_json = json_set(update_json, '$.message.chat.id', $chat)
         WHERE session_id = $to AND state = 'waiting' AND lane <> 'press'
           AND json_valid(update_json)`,
      )
      .run({ chat: to, to: ids.to });
    database
      .query(
        `UPDATE outbox SET chat_id = $to, payload_json = json_set(payload_json, '$.chat_id', $chat)
         WHERE chat_id = $from AND state = 'waiting' AND json_valid(payload_json)`,
      )
      .run({ from: String(from), to: String(to), chat: to });
  });
  move.immediate();
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
