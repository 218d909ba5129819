import type { Database } from "bun:sqlite";
import { onceATick } from "../core/tick.ts";

/**
 * What was read of small rows that hardly change, or are hardly ever there, and are asked for at
 * every message. Another program's commit is noticed by SQLite's own count of them, looked at once a
 * tick; whoever writes such a row in this process says so with {@link KnownRows.forget}, and
 * `tests/store/known-rows.test.ts` holds who that is.
 */
export interface KnownRows {
  /**
   * What `read` gives, kept under this name unless `isKept` says no, or it is read in a transaction,
   * which may be taken back.
   */
  get<T>(name: string, read: () => T, isKept?: (row: T) => boolean): T;
  /** The row is written, or all of them are; called before or behind the write, but in its tick. */
  forget(name?: string): void;
  /** Another number whenever another program has written. */
  readonly version: () => number;
}

/** Enough for all that a thousand chats ask for; what is over is read again. */
const MOST_ROWS = 10_000;

/** Knows nothing yet. */
export function createKnownRows(database: Database): KnownRows {
  const rows = new Map<string, unknown>();
  const version = onceATick(() => readVersion(database));
  let seen = version();

  /** What another program may have changed is not known any more. */
  function isCurrent(): boolean {
    const now = version();
    if (now === seen) return true;
    rows.clear();
    seen = now;
    return false;
  }

  return {
    version,
    get<T>(name: string, read: () => T, isKept: (row: T) => boolean = () => true): T {
      // What stands under a name is what the same reader put there.
      if (isCurrent() && rows.has(name)) return rows.get(name) as T;
      const row = read();
      if (database.inTransaction || !isKept(row)) return row;
      if (rows.size >= MOST_ROWS) rows.clear();
      rows.set(name, row);
      return row;
    },
    forget(name) {
      if (name === undefined) rows.clear();
      else rows.delete(name);
    },
  };
}

function readVersion(database: Database): number {
  const row = database.query<{ data_version: number }, []>("PRAGMA data_version").get();
  return row?.data_version ?? 0;
}

/** For whoever opens a database for a moment: every row is read. */
export const NOTHING_KNOWN: KnownRows = {
  get: (_name, read) => read(),
  forget() {},
  version: () => 0,
};
