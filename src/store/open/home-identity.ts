import { constants, Database } from "bun:sqlite";
import { createHmac } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { newId } from "../../core/ids.ts";
import { findKeyFile } from "../../system/key-file.ts";
import { createSettings, FAMILIES, prefixOf } from "../settings/settings.ts";
import { readMark, writeMark } from "./state-mark.ts";

/** The key's file in a home folder; journals and the database's identity are sealed with it. */
export const KEY_FILE = "journal.key";

/** Which home a database belongs to: the id is in `state.begun`, too, and the seal is of its key. */
interface Identity {
  readonly id: string;
  /** Missing as long as the home has no key. */
  readonly seal?: string;
}

/** Where a database says whose it is. */
export const IDENTITY_KEY = prefixOf("home.identity");

/**
 * Whether an identity that was read of a damaged database or of a log is this home's. Where the home
 * knows no id, that of the file beside the log counts.
 */
export function isOwnIdentity(stored: string, home: string, beside?: string): boolean {
  const { parse } = FAMILIES["home.identity"];
  const identity = parse(stored);
  const known = readMark(home).homeId ?? (beside === undefined ? undefined : parse(beside)?.id);
  if (!identity) return known === undefined;
  if (known !== undefined && identity.id !== known) return false;
  const key = findKey(home);
  return !identity.seal || !key || identity.seal === sealOf(identity.id, key);
}

/** The id of the home that a database says it belongs to. */
export function readHomeId(database: Database): string | undefined {
  return read(database)?.id;
}

/**
 * Whether a database is another home's: its id is not the one that is stored next to it, or another key
 * sealed it. Where the home knows no id and has no key, nothing tells, nor does rubbish in the place of
 * an id: another home's has its own, and an older one none.
 */
export function isOfOtherHome(database: Database, home: string): boolean {
  const identity = read(database);
  if (!identity && createSettings(database).of("home.identity").has("")) return false;
  const known = readMark(home).homeId;
  if (known !== undefined && identity?.id !== known) return true;
  const key = findKey(home);
  return (
    identity?.seal !== undefined && key !== undefined && identity.seal !== sealOf(identity.id, key)
  );
}

/**
 * The same of a file, which may be damaged; then nothing tells. With "or older" one without an id counts
 * as this home's: a copy from before homes had one.
 */
export function isFileOfOtherHome(path: string, home: string, how?: "or older"): boolean {
  if (hasLogOfOtherHome(path, home)) return true;
  try {
    using database = new Database(path, { readonly: true });
    if (how === "or older" && read(database) === undefined) return false;
    return isOfOtherHome(database, home);
  } catch {
    return false;
  }
}

/**
 * Whether a file that is another home's by what it says itself, or has no id though this home's has one
 * ({@link markHome}), has a log beside it. That may be this home's, left by a kill: SQLite would take it
 * for the file's, and write it over what the other home stored.
 */
export function hasLogOfOtherHome(path: string, home: string): boolean {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (!log?.isFile() || log.size === 0) return false;
  try {
    using database = openAlone(path);
    return isOfOtherHome(database, home);
  } catch {
    return false; // damaged, or all of it is in the log still
  }
}

/** Opens a database for reading, without the log next to it. */
export function openAlone(path: string): Database {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return new Database(`${pathToFileURL(path).href}?immutable=1`, flags);
}

/** Makes a database this home's. Writes only what is not there yet. */
export function bindToHome(database: Database, home: string): void {
  const bind = database.transaction(() => {
    const found = read(database);
    const id = readMark(home).homeId ?? found?.id ?? newId("home");
    const key = findKey(home);
    const identity: Identity = { id, ...(key && { seal: sealOf(id, key) }) };
    if (Bun.deepEquals(found, identity)) return;
    createSettings(database).of("home.identity").set("", identity);
  });
  bind.deferred();
}

/**
 * Has a log that was brought into the file begin anew with whose it is: only by that a repair can tell
 * it from another home's.
 */
export function beginLog(database: Database): void {
  const identity = read(database);
  // Replaced, not updated: SQLite writes no page that stays as it is.
  if (identity) createSettings(database).of("home.identity").set("", identity);
}

/** What a checkpoint came to that waits for nobody. */
export function checkpoint(
  database: Database,
): { readonly busy: number; readonly log: number; readonly checkpointed: number } | undefined {
  const sql = "PRAGMA wal_checkpoint(PASSIVE)";
  type Row = NonNullable<ReturnType<typeof checkpoint>>;
  return database.query<Row, []>(sql).get() ?? undefined;
}

/**
 * Notes beside the database which home it is of, once its own file says so: a log that a kill leaves may
 * be looked at beside another file.
 */
export function markHome(home: string, database: Database): void {
  const id = readHomeId(database);
  const known = readMark(home).homeId;
  writeMark(home, database, id === known || isLogEmptied(database) ? id : known);
}

function isLogEmptied(database: Database): boolean {
  try {
    const done = checkpoint(database);
    return done?.busy === 0 && done.log === done.checkpointed;
  } catch {
    return false; // a full disk must not keep a database from being used; the next start does it
  }
}

function read(database: Database): Identity | undefined {
  return createSettings(database).of("home.identity").get("");
}

/** A file that is no key is reported where the key is needed. */
function findKey(home: string): Buffer | undefined {
  try {
    return findKeyFile(join(home, KEY_FILE));
  } catch {
    return undefined;
  }
}

function sealOf(id: string, key: Buffer): string {
  return createHmac("sha256", key).update(`state.db of ${id}`).digest("hex");
}
