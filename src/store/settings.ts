import type { Database } from "bun:sqlite";

/** Small facts that outlive a run, by dotted key. */
export interface Settings {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
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
  };
}
