import { Database } from "bun:sqlite";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { makePrivateDir } from "../system/make-private-dir.ts";
import { syncDirectory } from "../system/write-durably.ts";
import {
  bindToHome,
  checkWhole,
  hasLogOfOtherHome,
  isOfOtherHome,
  openAlone,
  statePath,
  toStateError,
} from "./open/open.ts";
import { closeWaiting } from "./repair/repair.ts";

/** What is in a database that would become this home's. */
export interface Adoptable {
  readonly messages: number;
  readonly memories: number;
  readonly routines: number;
  /** Who would be let in. */
  readonly paired: number;
}

/** Counts it; changes nothing. */
export function describeState(home: string): Adoptable {
  const path = statePath(home);
  using database = hasStrangeLog(path, home)
    ? openAlone(path)
    : new Database(path, { readonly: true });
  const count = (table: string): number => {
    try {
      const sql = `SELECT count(*) AS count FROM ${table}`;
      return database.query<{ count: number }, []>(sql).get()?.count ?? 0;
    } catch {
      return 0; // an older one has no such table
    }
  };
  return {
    messages: count("messages"),
    memories: count("memories"),
    routines: count("routines"),
    paired: count("paired_users"),
  };
}

/**
 * Makes the database that is in place this home's. Nothing that waited in it is done: it may have
 * been done where it comes from. A log that the database before it left is put aside.
 *
 * @throws StateError
 */
export function adoptState(home: string, now: number): void {
  const path = statePath(home);
  try {
    if (hasStrangeLog(path, home)) putLogAside(home, now);
    using database = new Database(path, { readwrite: true });
    database.run("PRAGMA busy_timeout = 5000");
    const adopt = database.transaction(() => {
      closeWaiting(database);
      bindToHome(database, home);
    });
    adopt.immediate();
  } catch (error) {
    throw toStateError(error, path);
  }
}

/** Whether the log beside another home's database is this home's, and would be written over it. */
function hasStrangeLog(path: string, home: string): boolean {
  if (!hasLogOfOtherHome(path, home)) return false;
  try {
    using both = new Database(path, { readonly: true });
    checkWhole(both, path, "integrity");
    return !isOfOtherHome(both, home);
  } catch {
    return true; // pages of two databases make no whole one
  }
}

function putLogAside(home: string, now: number): void {
  const aside = join(home, `damaged-${new Date(now).toISOString().replaceAll(":", "-")}`);
  makePrivateDir(aside);
  renameSync(`${statePath(home)}-wal`, join(aside, "state.db-wal"));
  syncDirectory(aside);
  syncDirectory(home);
}
