import type { Database } from "bun:sqlite";
import type { Clock } from "../../core/clock.ts";
import { type Patience, untilWritten } from "./when-writable.ts";

export {
  isLocked,
  isOfStore,
  type Ready,
  stopBlocking,
} from "./when-writable.ts";

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
  /**
   * Writes, and gives what to do once that is committed; throws where all of it is taken back. One
   * that is alone in its commit is taken back with it.
   */
  readonly write: (isAlone: boolean) => () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The writer of a database; what is written to it at once is written between two of its commits.
 * `committed` is called behind each: nobody else was writing then.
 */
export function createWriter(
  database: Database,
  clock: Clock,
  committed: () => void = () => {},
): Commit {
  let waiting: Waiting[] = [];

  function flush(): void {
    const writes = waiting;
    waiting = [];
    const isAlone = writes.length === 1;
    const writeAll = () => atomically(database, () => writes.map(({ write }) => write(isAlone)));
    try {
      const isSynced = writes.some((each) => each.isSynced);
      const ends = isSynced ? writeAll() : unsynced(database, writeAll);
      committed();
      for (const end of ends) end();
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }

  function join<T>(write: () => T, isSynced: boolean): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const attempt = (isAlone: boolean) => {
      if (isAlone) {
        const value = write();
        return () => resolve(value);
      }
      database.query(SAVE).run();
      try {
        const value = write();
        database.query(KEEP).run();
        return () => resolve(value);
      } catch (error) {
        // Some failures, as that of a full disk, take the whole transaction back.
        if (!database.inTransaction) throw error;
        database.query(TAKE_BACK).run();
        database.query(KEEP).run();
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

const SAVE = "SAVEPOINT one_of_many";
const KEEP = "RELEASE one_of_many";
const TAKE_BACK = "ROLLBACK TO one_of_many";

/**
 * All of `write` or nothing of it, in a transaction that takes the lock for writing at once; within
 * another one it is that one's. At every message: a function of `database.transaction` is made of
 * many parts, and is for what is done seldom.
 */
export function atomically<T>(database: Database, write: () => T): T {
  if (database.inTransaction) return write();
  database.query("BEGIN IMMEDIATE").run();
  try {
    const value = write();
    database.query("COMMIT").run();
    return value;
  } catch (error) {
    if (database.inTransaction) database.query("ROLLBACK").run();
    throw error;
  }
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
