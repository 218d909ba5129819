import type { Database } from "bun:sqlite";

/** A message that waits to be sent. */
export interface OutboxRow {
  readonly id: number;
  readonly chatId: string;
  readonly createdAt: number;
  readonly method: string;
  readonly payloadJson: string;
  /**
   * 1 when an earlier try may have arrived, so that the next one must say so; 2: one of a message of
   * this row that came before what is sent now.
   */
  readonly inDoubt: 0 | 1 | 2;
  readonly tries: number;
  readonly notBefore: number;
  /** Where it is on the phone; what is sent now changes it there. */
  readonly messageId: number | null;
  /** What it is a part of the answer to. */
  readonly turn: string | null;
}

/** The first row of a chat. */
export interface OutboxHead extends OutboxRow {
  /** 1: others waited behind it when it was read. */
  readonly hasMore: 0 | 1;
}

/** What is to be sent. */
type Call = Pick<OutboxRow, "chatId" | "method" | "payloadJson">;

/** Which message of the answer to `turn` it is. */
interface Part {
  readonly turn: string;
  readonly part: number;
}

/** The durable outbox: a row before every send, sent in order per chat. */
export interface Outbox {
  /** With a part, what was added as that part before is not added again. */
  add(call: Call, now: number, part?: Part): void;
  /**
   * Says how one message of the answer to `turn` looks from now on; what it was to look like
   * before is forgotten, sent or not.
   */
  put(call: Call & Part, now: number): void;
  /** Takes back the messages of an answer from `part` on: `remove` is sent for those on the phone. */
  withdraw(turn: string, part: number, remove: Call): void;
  /** Puts back what a crash left in the middle of a send, in doubt; says how many. */
  recover(): number;
  /** The oldest unsent row of every chat, the one being sent included. */
  heads(): OutboxHead[];
  /** That of one chat. */
  head(chatId: string): OutboxHead | undefined;
  /** The row as it is now, undefined when it was taken back; must be on disk before the request leaves. */
  beginSend(id: number): OutboxRow | undefined;
  /** False: the row waits again, until `notBefore`, since it was to look otherwise meanwhile. */
  markSent(row: OutboxRow, messageId: number | undefined, notBefore?: number): boolean;
  markFailed(row: OutboxRow, error: string): void;
  /** Puts a row back in its place; doubt, once there, stays. */
  retry(id: number, how: { readonly notBefore: number; readonly inDoubt: boolean }): void;
  /** Sends another text instead, unless the row was to look otherwise meanwhile. */
  replacePayload(row: OutboxRow, payloadJson: string): void;
  /**
   * One message of the row is there, and `next` is sent from `notBefore` on. What was in doubt of the
   * one is not of the other.
   */
  goOn(row: OutboxRow, next: Omit<Call, "chatId">, notBefore: number): void;
  /** The message is not on the phone any more; it is sent as a new one. */
  forgetMessage(id: number): void;
  /**
   * What became of the tries after the one that brought a message, when that may have arrived
   * unnoticed; undefined: it is the newest copy, or nothing is known of it.
   */
  newerCopy(copy: Pick<OutboxRow, "id" | "createdAt" | "tries">): "sent" | "coming" | undefined;
  /** The rows whose names begin with `prefix`, and what became of them; by name. */
  named(prefix: string): readonly ShownRow[];
  waitingCount(): number;
}

/** A row by its name, whatever became of it. */
export interface ShownRow {
  readonly turn: string;
  readonly chatId: string;
  readonly messageId: number | null;
  readonly state: "waiting" | "sending" | "sent" | "failed";
  readonly inDoubt: OutboxRow["inDoubt"];
}

/** As the index of what waits has it, or that is not used. */
const IS_OPEN = "(state = 'waiting' OR state = 'sending')";

const COLUMNS = `id, chat_id AS chatId, created_at AS createdAt, method, payload_json AS payloadJson, in_doubt AS inDoubt,
  tries, not_before AS notBefore, message_id AS messageId, turn`;

type Binding = Record<string, string | number | null>;

/** Opens the outbox of a database. */
export function createOutbox(database: Database): Outbox {
  return {
    add(call, now, key) {
      database
        .query(
          `INSERT INTO outbox (chat_id, method, payload_json, state, created_at, turn, part)
           VALUES ($chatId, $method, $payloadJson, 'waiting', $now, $turn, $part)
           ON CONFLICT (turn, part) DO NOTHING`,
        )
        .run({ ...call, now, turn: key?.turn ?? null, part: key?.part ?? null });
    },
    put(call, now) {
      database
        .query(
          `INSERT INTO outbox (chat_id, method, payload_json, state, created_at, turn, part)
           VALUES ($chatId, $method, $payloadJson, 'waiting', $now, $turn, $part)
           ON CONFLICT (turn, part) DO UPDATE SET
             method = excluded.method, payload_json = excluded.payload_json, tries = 0,
             message_id = iif(chat_id = excluded.chat_id, message_id, NULL),
             chat_id = excluded.chat_id,
             state = CASE state WHEN 'sending' THEN 'sending' ELSE 'waiting' END`,
        )
        .run({ ...call, now });
    },
    withdraw(turn, part, { method, payloadJson }) {
      database
        .query(
          `DELETE FROM outbox WHERE turn = ? AND part >= ?
             AND message_id IS NULL AND state <> 'sending'`,
        )
        .run(turn, part);
      database
        .query(
          `UPDATE outbox SET method = $method, payload_json = $payloadJson, tries = 0,
             state = CASE state WHEN 'sending' THEN 'sending' ELSE 'waiting' END
           WHERE turn = $turn AND part >= $part`,
        )
        .run({ method, payloadJson, turn, part });
    },
    recover() {
      return database.run(
        `UPDATE outbox SET state = 'waiting', in_doubt = iif(message_id IS NULL, 1, in_doubt)
         WHERE state = 'sending'`,
      ).changes;
    },
    heads() {
      return database
        .query<OutboxHead, []>(
          `SELECT ${COLUMNS}, 1 AS hasMore FROM outbox WHERE id IN (
             SELECT min(id) FROM outbox WHERE ${IS_OPEN} GROUP BY chat_id
           ) ORDER BY id`,
        )
        .all();
    },
    head(chatId) {
      // Two looks along the index; the number, which no row has, stands for one that finds none.
      const row = database
        .query<OutboxHead, [string]>(
          `SELECT ${COLUMNS}, EXISTS (SELECT 1 FROM outbox AS later
             WHERE later.state = 'waiting' AND later.chat_id = ?1 AND later.id > outbox.id) AS hasMore
           FROM outbox WHERE id = min(
             ifnull((SELECT min(id) FROM outbox WHERE state = 'waiting' AND chat_id = ?1), 9007199254740991),
             ifnull((SELECT min(id) FROM outbox WHERE state = 'sending' AND chat_id = ?1), 9007199254740991))`,
        )
        .get(chatId);
      return row ?? undefined;
    },
    beginSend(id) {
      const row = database
        .query<OutboxRow, [number]>(
          `UPDATE outbox SET state = 'sending', tries = tries + 1 WHERE id = ? RETURNING ${COLUMNS}`,
        )
        .get(id);
      return row ?? undefined;
    },
    markSent({ id, chatId, payloadJson }, messageId, notBefore = 0) {
      const row = database
        .query<{ state: string }, Binding>(
          // In the chat that it became meanwhile a message of this number is another one.
          `UPDATE outbox SET message_id = iif(chat_id = $chatId, $messageId, NULL), not_before = $notBefore,
             state = CASE payload_json WHEN $payloadJson THEN 'sent' ELSE 'waiting' END,
             payload_json = CASE payload_json WHEN $payloadJson THEN '' ELSE payload_json END
           WHERE id = $id RETURNING state`,
        )
        .get({ id, chatId, payloadJson, messageId: messageId ?? null, notBefore });
      return row?.state !== "waiting";
    },
    markFailed({ id, payloadJson }, error) {
      database
        .query(
          `UPDATE outbox SET error = $error,
             state = CASE payload_json WHEN $payloadJson THEN 'failed' ELSE 'waiting' END
           WHERE id = $id`,
        )
        .run({ id, payloadJson, error });
    },
    retry(id, { notBefore, inDoubt }) {
      database
        .query(
          `UPDATE outbox SET state = 'waiting', not_before = $notBefore,
             in_doubt = iif($inDoubt, 1, in_doubt) WHERE id = $id`,
        )
        .run({ id, notBefore, inDoubt: inDoubt ? 1 : 0 });
    },
    replacePayload({ id, payloadJson }, next) {
      database
        .query(
          `UPDATE outbox SET state = 'waiting',
             payload_json = CASE payload_json WHEN $payloadJson THEN $next ELSE payload_json END
           WHERE id = $id`,
        )
        .run({ id, payloadJson, next });
    },
    goOn({ id, payloadJson }, { method, payloadJson: next }, notBefore) {
      database
        .query(
          `UPDATE outbox SET state = 'waiting', not_before = $notBefore,
             in_doubt = iif(in_doubt = 0, 0, 2),
             method = CASE payload_json WHEN $payloadJson THEN $method ELSE method END,
             payload_json = CASE payload_json WHEN $payloadJson THEN $next ELSE payload_json END
           WHERE id = $id`,
        )
        .run({ id, payloadJson, method, next, notBefore });
    },
    forgetMessage(id) {
      database.query("UPDATE outbox SET message_id = NULL, state = 'waiting' WHERE id = ?").run(id);
    },
    newerCopy({ id, createdAt, tries }) {
      // The number of a row is given again once all rows after it are forgotten; its time is not.
      const row = database
        .query<{ state: string }, [number, number, number]>(
          `SELECT state FROM outbox WHERE id = ? AND created_at = ?
             AND in_doubt > 0 AND tries > ? AND state <> 'failed'`,
        )
        .get(id, createdAt, tries);
      return row ? (row.state === "sent" ? "sent" : "coming") : undefined;
    },
    named(prefix) {
      const sql = `SELECT turn, chat_id AS chatId, message_id AS messageId, state,
        in_doubt AS inDoubt FROM outbox WHERE turn >= ? AND turn < ? ORDER BY turn, part`;
      return database.query<ShownRow, [string, string]>(sql).all(prefix, `${prefix}\u{ffff}`);
    },
    waitingCount() {
      const row = database
        .query<{ n: number }, []>(`SELECT count(*) AS n FROM outbox WHERE ${IS_OPEN}`)
        .get();
      return row?.n ?? 0;
    },
  };
}
