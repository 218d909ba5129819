import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { idsFrom } from "../core/ids.ts";
import { findKeyFile, openKeyFile } from "../system/key-file.ts";
import type { Ledger, LedgerEntry, OpenEntry } from "../workspace/ledger.ts";
import { KEY_FILE } from "./open/open.ts";
import { unsynced } from "./writer/writer.ts";

interface Row {
  readonly tx_id: string;
  readonly header_json: string | null;
  readonly seal: string | null;
}

/** The {@link Ledger} of a home folder and its database. */
export function createLedger(database: Database, home: string): Ledger {
  const keyPath = join(home, KEY_FILE);
  return {
    key: () => openKeyFile(keyPath),
    findKey: () => findKeyFile(keyPath),
    rootOf(workspaceId) {
      const row = database
        .query<{ root: string }, [string]>(
          "SELECT root FROM known_workspaces WHERE workspace_id = ?",
        )
        .get(workspaceId);
      return row?.root;
    },
    rootWith(txId) {
      const row = database
        .query<{ root: string }, [string]>(
          `SELECT root FROM known_workspaces CROSS JOIN transactions USING (workspace_id)
           WHERE tx_id = ? ORDER BY claim DESC`,
        )
        .get(txId);
      return row?.root;
    },
    idAt(root) {
      const row = database
        .query<{ workspace_id: string }, [string]>(
          "SELECT workspace_id FROM known_workspaces WHERE root = ? ORDER BY claim DESC",
        )
        .get(root);
      return row?.workspace_id;
    },
    claim(workspaceId, root) {
      database
        .query("INSERT OR REPLACE INTO known_workspaces (workspace_id, root) VALUES (?, ?)")
        .run(workspaceId, root);
    },
    begin({ workspaceId, txId }, header) {
      database
        .query(
          `INSERT INTO transactions (workspace_id, tx_id, header_json) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET header_json = excluded.header_json, seal = NULL
           WHERE header_json IS NOT NULL`,
        )
        .run(workspaceId, txId, header);
    },
    ending({ workspaceId, txId }, seal) {
      const sql = `UPDATE transactions SET seal = ?
        WHERE workspace_id = ? AND tx_id = ? AND header_json IS NOT NULL`;
      unsynced(database, () => database.query(sql).run(seal ?? null, workspaceId, txId));
    },
    end({ workspaceId, txId }, seal) {
      unsynced(database, () =>
        database
          .query(
            `UPDATE transactions SET header_json = NULL, seal = ?
             WHERE workspace_id = ? AND tx_id = ?`,
          )
          .run(seal ?? null, workspaceId, txId),
      );
    },
    keep({ workspaceId, txId }, seal) {
      database
        .query("INSERT INTO transactions (workspace_id, tx_id, seal) VALUES (?, ?, ?)")
        .run(workspaceId, txId, seal);
    },
    has({ workspaceId, txId }) {
      const sql = "SELECT 1 FROM transactions WHERE workspace_id = ? AND tx_id = ?";
      return database.query(sql).get(workspaceId, txId) !== null;
    },
    newest(workspaceId) {
      const sql = `SELECT tx_id FROM transactions WHERE workspace_id = ?
        ORDER BY tx_id DESC LIMIT 1`;
      return database.query<{ tx_id: string }, [string]>(sql).get(workspaceId)?.tx_id;
    },
    oldest(workspaceId, before, most) {
      const sql = `SELECT tx_id FROM transactions
        WHERE workspace_id = ? AND tx_id < ? AND header_json IS NULL ORDER BY tx_id LIMIT ?`;
      const from = idsFrom("tx", Math.max(0, Math.min(before, oldestOpenWork(database) ?? before)));
      const query = database.query<{ tx_id: string }, [string, string, number]>(sql);
      return query.all(workspaceId, from, most).map(({ tx_id }) => tx_id);
    },
    forget({ workspaceId, txId }) {
      const sql = `DELETE FROM transactions
        WHERE workspace_id = ? AND tx_id = ? AND header_json IS NULL`;
      unsynced(database, () => database.query(sql).run(workspaceId, txId));
    },
    newestFirst: (workspaceId, before) => newestFirst(database, workspaceId, before),
    oldestFirst(workspaceId, after, most) {
      const sql = `SELECT tx_id, header_json, seal FROM transactions
        WHERE workspace_id = ? AND tx_id > ? ORDER BY tx_id LIMIT ?`;
      const query = database.query<Row, [string, string, number]>(sql);
      return query.all(workspaceId, after, most).map(toEntry);
    },
    count(workspaceId, most) {
      const sql = `SELECT count(*) AS n FROM
        (SELECT 1 FROM transactions WHERE workspace_id = ? LIMIT ?)`;
      return database.query<{ n: number }, [string, number]>(sql).get(workspaceId, most)?.n ?? 0;
    },
    listOpen(workspaceId) {
      const sql = `SELECT tx_id, header_json, seal FROM transactions INDEXED BY transactions_open
        WHERE workspace_id = ? AND header_json IS NOT NULL ORDER BY tx_id`;
      const rows = database.query<Row, [string]>(sql).all(workspaceId);
      return rows.map(toEntry).filter((entry): entry is OpenEntry => entry.kind === "open");
    },
  };
}

/** Between two parts of a long past others may write. */
const PART = 256;

function* newestFirst(
  database: Database,
  workspaceId: string,
  from = "\u{10ffff}",
): Generator<LedgerEntry> {
  const sql = `SELECT tx_id, header_json, seal FROM transactions
    WHERE workspace_id = ? AND tx_id < ? ORDER BY tx_id DESC LIMIT ?`;
  const query = database.query<Row, [string, string, number]>(sql);
  for (let before = from; ; ) {
    const rows = query.all(workspaceId, before, PART);
    yield* rows.map(toEntry);
    if (rows.length < PART) return;
    before = rows.at(-1)?.tx_id ?? "";
  }
}

function toEntry({ tx_id: txId, header_json: header, ...row }: Row): LedgerEntry {
  const seal = row.seal ?? undefined;
  return header === null ? { kind: "ended", txId, seal } : { kind: "open", txId, header, seal };
}

/**
 * When the oldest work came in that is not over: a message that waits, a run that is due or under
 * way, a call that began and has no end. Whatever was written since may be asked for when it goes
 * on. Undefined: there is none.
 */
export function oldestOpenWork(database: Database): number | undefined {
  const row = database.query<{ at: number | null }, []>(OLDEST).get();
  return row?.at ?? undefined;
}

const OLDEST = `SELECT min(at) AS at FROM (
  SELECT min(received_at) AS at FROM inbox WHERE state = 'waiting'
  UNION ALL SELECT min(min(due_at, coalesce(started_at, due_at))) FROM routine_runs
    WHERE state IN ('due', 'running')
  UNION ALL SELECT min(created_at) FROM approvals
    WHERE state = 'approved' AND runner IS NOT NULL AND tool IS NOT NULL)`;
