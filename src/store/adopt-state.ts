import { Database } from "bun:sqlite";
import { bindToHome, statePath, toStateError } from "./open/open.ts";
import { closeWaiting } from "./repair/repair.ts";

/** What stands in a database that would become this home's. */
export interface Adoptable {
  readonly messages: number;
  readonly memories: number;
  readonly routines: number;
  /** Who would be let in. */
  readonly paired: number;
}

/** Counts it; changes nothing. */
export function describeState(home: string): Adoptable {
  using database = new Database(statePath(home), { readonly: true, strict: true });
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
 * Makes the database that stands in place this home's. Nothing that waited in it is done: it may have
 * been done where it comes from.
 *
 * @throws StateError
 */
export function adoptState(home: string): void {
  const path = statePath(home);
  try {
    using database = new Database(path, { readwrite: true, create: false, strict: true });
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
