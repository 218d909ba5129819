import type { Database } from "bun:sqlite";

export { moveSettings } from "./move-settings.ts";

/** Small facts that outlive a run, by dotted key. */
export interface Settings {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /** What is kept under keys that begin so, oldest key first. */
  below(prefix: string): readonly string[];
  remove(key: string): void;
}

/** Settings in `state.db`. */
export function createSettings(database: Database): Settings {
  return {
    get(key) {
      const sql = "SELECT value FROM settings WHERE key = ?";
      return database.query<{ value: string }, [string]>(sql).get(key)?.value;
    },
    set(key, value) {
      database.query("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)").run(key, value);
    },
    below(prefix) {
      const sql =
        "SELECT value FROM settings WHERE key >= ?1 AND key < ?1 || char(1114111) ORDER BY key";
      return database
        .query<{ value: string }, [string]>(sql)
        .all(prefix)
        .map(({ value }) => value);
    },
    remove(key) {
      database.query("DELETE FROM settings WHERE key = ?").run(key);
    },
  };
}
