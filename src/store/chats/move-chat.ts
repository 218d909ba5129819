import type { Database } from "bun:sqlite";

/**
 * Gives everything of one chat to another, which Telegram made of it (a group that became a
 * supergroup): sessions, what they said and were asked, and what waits to be worked on or sent.
 * What the new chat has already stays.
 */
export function moveChat(database: Database, from: number, to: number): void {
  const move = database.transaction(() => {
    const ids = { from: `telegram:${from}`, to: `telegram:${to}` };
    for (const table of ["sessions", "messages", "summaries", "approvals", "inbox"]) {
      database
        .query(`UPDATE OR IGNORE ${table} SET session_id = $to WHERE session_id = $from`)
        .run(ids);
    }
    database
      .query("UPDATE OR IGNORE settings SET key = $to WHERE key = $from")
      .run({ from: `research.${ids.from}`, to: `research.${ids.to}` });
    database
      .query(
        `UPDATE inbox SET update_json = json_set(update_json, '$.message.chat.id', $chat)
         WHERE session_id = $to AND state = 'waiting' AND lane <> 'press'`,
      )
      .run({ chat: to, to: ids.to });
    database
      .query(
        `UPDATE outbox SET chat_id = $to, payload_json = json_set(payload_json, '$.chat_id', $chat)
         WHERE chat_id = $from AND state = 'waiting'`,
      )
      .run({ from: String(from), to: String(to), chat: to });
  });
  move.immediate();
}
