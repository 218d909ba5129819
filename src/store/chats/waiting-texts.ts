import type { Database } from "bun:sqlite";

/** What the messages in the inbox say that nobody has answered yet, the oldest first. */
export function listWaitingTexts(database: Database): readonly string[] {
  const sql = `SELECT iif(json_valid(update_json),
      coalesce(update_json ->> '$.message.text', update_json ->> '$.message.caption', '…'), '…')
      AS text
    FROM inbox WHERE state = 'waiting' AND lane = 'turn' ORDER BY rowid`;
  return database
    .query<{ text: string }, []>(sql)
    .all()
    .map(({ text }) => text);
}
