import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import { type Patience, untilWritten } from "./when-writable.ts";

/**
 * Writes together with whoever else writes before the event loop turns, in one commit and in the
 * order in which they asked; waits, without blocking, as long as another program writes. Gives what
 * `write` gave once it is on disk: nothing that rests on it may leave this process before.
 *
 * A `write` that throws is taken back by itself, and throws here; when the commit fails, all are.
 */
export type Commit = <T>(write: () => T, how?: CommitHow) => Promise<T>;

/** How a write is committed. */
export interface CommitHow extends Omit<Patience, "clock"> {
  /** False: a power cut may take it back, as in {@link unsynced}; a crash of the process does not. */
  readonly isSynced?: boolean;
}

/** A write that waits for its tick. */
interface Waiting {
  readonly isSynced: boolean;
  /** Writes, and gives what to do once that is committed; throws where all of it is taken back. */
  readonly write: () => () => void;
  readonly reject: (error: unknown) => void;
}

/** The writer of a database; what is written to it at once is written between two of its commits. */
export function createWriter(database: Database, clock: Clock): Commit {
  let waiting: Waiting[] = [];

  function flush(): void {
    const writes = waiting;
    waiting = [];
    const isSynced = writes.some((each) => each.isSynced);
    try {
      const all = database.transaction(() => writes.map(({ write }) => write()));
      const ends = isSynced ? all.immediate() : unsynced(database, () => all.immediate());
      for (const end of ends) end();
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }

  function join<T>(write: () => T, isSynced: boolean): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const attempt = () => {
      try {
        const value = database.transaction(write)();
        return () => resolve(value);
      } catch (error) {
        // Some failures, as that of a full disk, take the whole transaction back.
        if (!database.inTransaction) throw error;
        return () => reject(error);
      }
    };
    if (waiting.length === 0) setImmediate(flush);
    waiting.push({ isSynced, write: attempt, reject });
    return promise;
  }

  return (write, { isSynced = true, ...patience } = {}) =>
    untilWritten(() => join(write, isSynced), { clock, ...patience });
}

/**
 * Commits without waiting for the disk. A power cut may take these writes back, together with all
 * that came after them; a crash of the process does not, and the next synced commit secures them.
 * For what is only counted, or can be worked out again from what is synced.
 */
export function unsynced<T>(database: Database, write: () => T): T {
  // Inside a transaction it is the outermost commit that counts, and SQLite forbids the change.
  if (database.inTransaction) return write();
  database.run("PRAGMA synchronous = NORMAL");
  try {
    return write();
  } finally {
    database.run("PRAGMA synchronous = FULL");
  }
}
