import { Database } from "bun:sqlite";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { AppError, describeDiskError, systemErrorCode } from "../core/app-error.ts";

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
 * The lock file is an empty SQLite database whose write lock is held: one mechanism on every
 * system, exclusive between processes and within one, no pid to guess from. Nothing is ever
 * written to it, so no crash can damage it; who holds it stands in a file beside it, which is
 * read for messages only.
 *
 * @throws AppError ERR_IO when the file cannot be used
 */
export function takeLock(path: string, what: string, now: number = Date.now()): LockResult {
  let database: Database | undefined;
  try {
    database = new Database(path, { create: true, strict: true });
    const taken = database;
    chmodSync(path, 0o600);
    database.run(`PRAGMA busy_timeout = ${GLANCE_MS}`);
    database.run("PRAGMA journal_mode = MEMORY"); // nothing is written: no file beside it is needed
    database.run("BEGIN IMMEDIATE");
    const holder: LockHolder = { pid: process.pid, since: now, what };
    writeFileSync(holderPath(path), JSON.stringify(holder), { mode: 0o600 });
    return { ok: true, release: () => taken.close() };
  } catch (error) {
    database?.close();
    if (isBusy(error)) return { ok: false, holder: readHolder(path) };
    throw unusable(path, error);
  }
}

/**
 * Who holds the lock right now; undefined when nobody does.
 *
 * @throws AppError ERR_IO when the file cannot be used
 */
export function findLockHolder(path: string): LockHolder | undefined {
  if (!existsSync(path)) return undefined;
  try {
    using database = new Database(path, { readwrite: true, create: false, strict: true });
    try {
      database.run("PRAGMA busy_timeout = 0");
      database.run("BEGIN IMMEDIATE");
      database.run("ROLLBACK");
      return undefined;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return readHolder(path);
    }
  } catch (error) {
    throw unusable(path, error);
  }
}

function holderPath(path: string): string {
  return `${path}.holder`;
}

function readHolder(path: string): LockHolder | undefined {
  try {
    const { pid, since, what } = JSON.parse(readFileSync(holderPath(path), "utf8"));
    return { pid, since, what };
  } catch {
    return undefined; // the holder is just writing it
  }
}

function isBusy(error: unknown): boolean {
  return systemErrorCode(error)?.startsWith("SQLITE_BUSY") === true;
}

function unusable(path: string, error: unknown): AppError {
  const isDamaged = ["SQLITE_NOTADB", "SQLITE_CORRUPT"].includes(systemErrorCode(error) ?? "");
  const advice = isDamaged ? "; delete it when no papa-yu runs" : "";
  const message = `Cannot use the lock "${path}": ${describeDiskError(error)}${advice}`;
  return new AppError("ERR_IO", message, { cause: error });
}
