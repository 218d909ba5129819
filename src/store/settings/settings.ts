import type { Database } from "bun:sqlite";
import { FAMILIES, type Family, type FamilyName, type ValueOf } from "./families.ts";

export { READING_KEPT_MS, type ValueOf } from "./families.ts";
export { moveSettings } from "./move-settings.ts";
export { pruneSettings } from "./prune-settings.ts";
export type { Launch, Life } from "./values.ts";

/** Small facts that outlive a run. The only door to the table: by family, so each has an expiry. */
export interface Settings {
  of<F extends FamilyName>(family: F): Kept<ValueOf<F>>;
}

/** The settings of one family, by what follows its name in their keys. */
export interface Kept<T> {
  /** Undefined, too, for what cannot be read. */
  get(id: string): T | undefined;
  set(id: string, value: T): void;
  /** What is kept under ids that begin so, oldest id first. */
  below(start: string): readonly { readonly id: string; readonly value: T }[];
  remove(id: string): void;
}

/** Settings in `state.db`. */
export function createSettings(database: Database, now: () => number = Date.now): Settings {
  return { of: (family) => open({ database, now }, family, FAMILIES[family]) };
}

function open<T>(
  { database, now }: { readonly database: Database; readonly now: () => number },
  name: string,
  { parse, render, keptMs }: Family<T>,
): Kept<T> {
  return {
    get(id) {
      const sql = "SELECT value FROM settings WHERE key = ?";
      const row = database.query<{ value: string }, [string]>(sql).get(`${name}${id}`);
      return row ? parse(row.value) : undefined;
    },
    set(id, value) {
      const expiresAt = keptMs === "for good" ? null : now() + keptMs;
      database
        .query("INSERT OR REPLACE INTO settings (key, value, expires_at) VALUES (?, ?, ?)")
        .run(`${name}${id}`, render(value), expiresAt);
    },
    below(start) {
      const sql =
        "SELECT key, value FROM settings WHERE key >= ?1 AND key < ?1 || char(1114111) ORDER BY key";
      const rows = database.query<{ key: string; value: string }, [string]>(sql);
      return rows.all(`${name}${start}`).flatMap(({ key, value: stored }) => {
        const value = parse(stored);
        return value === undefined ? [] : [{ id: key.slice(name.length), value }];
      });
    },
    remove(id) {
      database.query("DELETE FROM settings WHERE key = ?").run(`${name}${id}`);
    },
  };
}
