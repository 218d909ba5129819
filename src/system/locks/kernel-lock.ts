import { Database } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, lstatSync, openSync } from "node:fs";
import { AppError, describeDiskError, systemErrorCode } from "../../core/app-error.ts";
import { readPlainFile } from "../plain-file.ts";
import { writeAlone } from "../write-durably.ts";

const MAX_HOLDER_BYTES = 64 * 1024;

/** Who holds a lock, for the message to the one who comes second. */
export interface LockHolder {
  readonly pid: number;
  readonly since: number;
  readonly what: string;
}

/** Long enough to outlast somebody who only looks whether the lock is free. */
const GLANCE_MS = 50;

/**
 * What this process holds, so that it is held until it is released: a database that nobody refers
 * to is closed when memory is tidied up, and its lock would go with it, unnoticed. The kernel knows
 * locks by process, and so they are state of the process; nothing is read from here.
 */
const HELD = new Set<Database>();

/** A lock taken, or who has it. */
export type LockResult =
  | { readonly ok: true; readonly release: () => void }
  | { readonly ok: false; readonly holder: LockHolder | undefined };

/**
 * Takes a lock that the kernel drops with the process, however it ends.
 *
 * The lock file is an empty SQLite database whose write lock is held: one mechanism on every
 * system, exclusive between processes and within one, no pid to guess from. Nothing is ever written
 * to it, so no crash can damage it; who holds it is noted in a file next to it, which is read for
 * messages only.
 *
 * @throws AppError ERR_IO when the file cannot be used
 */
export function takeLock(path: string, what: string, now: number = Date.now()): LockResult {
  let database: Database | undefined;
  try {
    makeLockFile(path);
    database = new Database(path, { create: true });
    const taken = database;
    database.run(`PRAGMA busy_timeout = ${GLANCE_MS}`);
    database.run("PRAGMA journal_mode = MEMORY"); // nothing is written: no file next to it is needed
    database.run("BEGIN IMMEDIATE");
    const holder: LockHolder = { pid: process.pid, since: now, what };
    noteHolder(path, holder);
    HELD.add(taken);
    const release = () => {
      HELD.delete(taken);
      taken.close();
    };
    return { ok: true, release };
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
    using database = new Database(path, { readwrite: true });
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

/**
 * Makes the file where there is none. It is empty, always: with something in it or next to it
 * SQLite could be made to write into what a stranger linked here. It is looked at, never opened: to
 * close it would drop the lock of another part of this process.
 */
function makeLockFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
  const stat = lstatSync(path);
  if (!stat.isFile()) throw new Error("it is no regular file; move it away");
  if (stat.size > 0) throw Object.assign(new Error("it is not empty"), { code: "SQLITE_NOTADB" });
  // A snapshot made of links gives it a second name: it locks as well, and is not changed.
  if (stat.nlink === 1 && (stat.mode & 0o777) !== 0o600) chmodSync(path, 0o600);
}

/** For messages only, so what keeps it from being written is no reason not to work. */
function noteHolder(path: string, holder: LockHolder): void {
  try {
    writeAlone(holderPath(path), JSON.stringify(holder));
  } catch {
    // a folder in its place, or a full disk
  }
}

function holderPath(path: string): string {
  return `${path}.holder`;
}

function readHolder(path: string): LockHolder | undefined {
  try {
    const { pid, since, what } = JSON.parse(
      readPlainFile(holderPath(path), MAX_HOLDER_BYTES).toString(),
    );
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
