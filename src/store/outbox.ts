import type { Database } from "bun:sqlite";

/** A message that waits to be sent. */
export interface OutboxRow {
  readonly id: number;
  readonly chatId: string;
  readonly method: string;
  readonly payloadJson: string;
  /** 1 when an earlier try may have arrived, so that the next one must say so. */
  readonly inDoubt: 0 | 1;
  readonly tries: number;
  readonly notBefore: number;
}

/** The durable outbox: a row before every send, sent in order per chat. */
export interface Outbox {
  add(message: Pick<OutboxRow, "chatId" | "method" | "payloadJson">, now: number): void;
  /** Puts back what a crash left in the middle of a send, in doubt; says how many. */
  recover(): number;
  /** The oldest unsent row of every chat, the one being sent included. */
  heads(): OutboxRow[];
  /** Must be on disk before the request leaves. */
  beginSend(id: number): void;
  markSent(id: number, messageId: number | undefined): void;
  markFailed(id: number, error: string): void;
  /** Puts a row back in its place; doubt, once there, stays. */
  retry(id: number, how: { readonly notBefore: number; readonly inDoubt: boolean }): void;
  replacePayload(id: number, payloadJson: string): void;
  /** When the newest message to the chat was written. */
  lastWrittenAt(chatId: string): number | undefined;
  waitingCount(): number;
  /** Forgets rows written before an instant that were sent or given up. */
  prune(before: number): void;
}

/** Opens the outbox of a database. */
export function createOutbox(database: Database): Outbox {
  return {
    add(message, now) {
      database
        .query(
          `INSERT INTO outbox (chat_id, method, payload_json, state, created_at)
           VALUES ($chatId, $method, $payloadJson, 'waiting', $now)`,
        )
        .run({ ...message, now });
    },
    recover() {
      return database.run(
        "UPDATE outbox SET state = 'waiting', in_doubt = 1 WHERE state = 'sending'",
      ).changes;
    },
    heads() {
      return database
        .query<OutboxRow, []>(
          `SELECT id, chat_id AS chatId, method, payload_json AS payloadJson,
             in_doubt AS inDoubt, tries, not_before AS notBefore
           FROM outbox WHERE id IN (
             SELECT min(id) FROM outbox WHERE state IN ('waiting', 'sending') GROUP BY chat_id
           ) ORDER BY id`,
        )
        .all();
    },
    beginSend(id) {
      database.query("UPDATE outbox SET state = 'sending', tries = tries + 1 WHERE id = ?").run(id);
    },
    markSent(id, messageId) {
      database
        .query("UPDATE outbox SET state = 'sent', message_id = ?, payload_json = '' WHERE id = ?")
        .run(messageId ?? null, id);
    },
    markFailed(id, error) {
      database.query("UPDATE outbox SET state = 'failed', error = ? WHERE id = ?").run(error, id);
    },
    retry(id, { notBefore, inDoubt }) {
      database
        .query(
          `UPDATE outbox SET state = 'waiting', not_before = $notBefore,
             in_doubt = max(in_doubt, $inDoubt) WHERE id = $id`,
        )
        .run({ id, notBefore, inDoubt: inDoubt ? 1 : 0 });
    },
    replacePayload(id, payloadJson) {
      database
        .query("UPDATE outbox SET payload_json = ?, state = 'waiting' WHERE id = ?")
        .run(payloadJson, id);
    },
    lastWrittenAt(chatId) {
      const row = database
        .query<{ at: number | null }, [string]>(
          "SELECT max(created_at) AS at FROM outbox WHERE chat_id = ?",
        )
        .get(chatId);
      return row?.at ?? undefined;
    },
    waitingCount() {
      const row = database
        .query<{ n: number }, []>(
          "SELECT count(*) AS n FROM outbox WHERE state IN ('waiting', 'sending')",
        )
        .get();
      return row?.n ?? 0;
    },
    prune(before) {
      database
        .query("DELETE FROM outbox WHERE state IN ('sent', 'failed') AND created_at < ?")
        .run(before);
    },
  };
}
