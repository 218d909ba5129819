import { Database } from "bun:sqlite";
import { chmodSync, existsSync } from "node:fs";

/** Who holds a lock, for the message to the one who comes second. */
export interface LockHolder {
  readonly pid: number;
  readonly since: number;
  readonly what: string;
}

/** Long enough to outlast somebody who only looks whether the lock is free. */
const GLANCE_MS = 50;

/** A lock taken, or who has it. */
export type LockResult =
  | { readonly ok: true; readonly release: () => void }
  | { readonly ok: false; readonly holder: LockHolder | undefined };

/**
 * Takes a lock that the kernel drops with the process, whatever way it ends.
 *
 * The lock file is a tiny SQLite database whose write lock is held: one mechanism on every
 * system, exclusive between processes and within one, no pid to guess from. The holder's row
 * is committed first and the lock taken again, so that others can read who has it.
 */
export function takeLock(path: string, what: string, now: number = Date.now()): LockResult {
  const database = new Database(path, { create: true, strict: true });
  chmodSync(path, 0o600);
  try {
    database.run(`PRAGMA busy_timeout = ${GLANCE_MS}`);
    // The row is only for messages: no journal file, no sync.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("PRAGMA synchronous = OFF");
    database.run("BEGIN IMMEDIATE");
    database.run("CREATE TABLE IF NOT EXISTS holder (pid INTEGER, since INTEGER, what TEXT)");
    database.run("DELETE FROM holder");
    database.run("INSERT INTO holder VALUES (?, ?, ?)", [process.pid, now, what]);
    database.run("COMMIT");
    database.run("BEGIN IMMEDIATE");
    return { ok: true, release: () => database.close() };
  } catch (error) {
    if (!isBusy(error)) {
      database.close();
      throw error;
    }
    const holder = readHolder(database);
    database.close();
    return { ok: false, holder };
  }
}

/** Who holds the lock right now; undefined when nobody does. */
export function findLockHolder(path: string): LockHolder | undefined {
  if (!existsSync(path)) return undefined;
  using database = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    database.run("PRAGMA busy_timeout = 0");
    database.run("BEGIN IMMEDIATE");
    database.run("ROLLBACK");
    return undefined;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return readHolder(database);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

function readHolder(database: Database): LockHolder | undefined {
  try {
    return database.query<LockHolder, []>("SELECT pid, since, what FROM holder").get() ?? undefined;
  } catch {
    return undefined; // the holder is just writing its row
  }
}
