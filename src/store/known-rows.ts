import type { Database } from "bun:sqlite";
import { onceATick } from "../core/clock.ts";

/**
 * What was read of small rows that hardly change, or are hardly ever there, and are asked for at
 * every message. Another program's commit is noticed by SQLite's own count of them, looked at once a
 * tick; whoever writes such a row in this process says so, and `tests/store/known-rows.test.ts` holds
 * who that is. Each table has one owner.
 */
export interface KnownRows {
  /** Rows of one kind; those of which `isKept` says no are read each time. */
  table<T>(isKept?: (row: T) => boolean): KnownTable<T>;
  /** Any of them may be another from now on. */
  forget(): void;
  /** Another number whenever another program has written. */
  readonly version: () => number;
}

/** Rows of one kind, by their key. */
export interface KnownTable<T> {
  /** What `read` gives, kept unless it is read in a transaction, which may be taken back. */
  get(key: string, read: () => T): T;
  /** The row is written; called in the tick of the write. */
  forget(key: string): void;
}

/** Enough for all that thousands of chats ask for; what is over is read again. */
const MOST_ROWS = 5000;

/** Knows nothing yet. */
export function createKnownRows(database: Database): KnownRows {
  const version = onceATick(() => readVersion(database));
  const clearings: (() => void)[] = [];
  let seen = version();
  const forget = () => {
    for (const clear of clearings) clear();
  };

  /** What another program may have changed is not known any more. */
  function keepUp(): void {
    const now = version();
    if (now === seen) return;
    forget();
    seen = now;
  }

  return {
    version,
    forget,
    table<T>(isKept: (row: T) => boolean = () => true): KnownTable<T> {
      const rows = new Map<string, { readonly row: T }>();
      clearings.push(() => rows.clear());
      return {
        get(key, read) {
          keepUp();
          const known = rows.get(key);
          if (known) return known.row;
          const row = read();
          if (database.inTransaction || !isKept(row)) return row;
          if (rows.size >= MOST_ROWS) rows.clear();
          rows.set(key, { row });
          return row;
        },
        forget: (key) => void rows.delete(key),
      };
    },
  };
}

function readVersion(database: Database): number {
  const row = database.query<{ data_version: number }, []>("PRAGMA data_version").get();
  return row?.data_version ?? 0;
}

/** For whoever opens a database for a moment: every row is read. */
export const NOTHING_KNOWN: KnownRows = {
  table: () => ({ get: (_key, read) => read(), forget() {} }),
  forget() {},
  version: () => 0,
};
