import type { Database } from "bun:sqlite";

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
