import type { Database } from "bun:sqlite";
import { type KnownRows, type KnownTable, NOTHING_KNOWN } from "../known-rows.ts";
import { FAMILIES, type Family, type FamilyName, familyOf, type ValueOf } from "./families.ts";

export { FAMILIES, prefixOf, READING_KEPT_MS, type ValueOf } from "./families.ts";
export { moveSettings } from "./move-settings.ts";
export { pruneSettings } from "./prune-settings.ts";
export {
  type BegunPass,
  type Heartbeat,
  isComment,
  type Launch,
  type RetentionPass,
} from "./values.ts";

/** Small facts that outlive a run. The only way to the table: by family, so each has an expiry. */
export interface Settings {
  of<F extends FamilyName>(family: F): Kept<ValueOf<F>>;
}

/** The settings of one family, by what follows its prefix in their keys. */
export interface Kept<T> {
  /** Undefined, too, for what cannot be read. */
  get(id: string): T | undefined;
  /** Whether anything is kept, if only what cannot be read. */
  has(id: string): boolean;
  set(id: string, value: T): void;
  /** What is kept under ids that begin so, oldest id first. */
  below(start: string): readonly { readonly id: string; readonly value: T }[];
  remove(id: string): void;
}

/**
 * Settings in `state.db`; `onRubbish` is called once for each family that has what cannot be read.
 * Short ones are kept in `known`, and that there is none.
 */
export function createSettings(
  database: Database,
  now: () => number = Date.now,
  onRubbish: (family: FamilyName) => void = () => {},
  known: KnownRows = NOTHING_KNOWN,
): Settings {
  const reported = new Set<FamilyName>();
  const tellRubbish = (family: FamilyName) => {
    if (reported.has(family)) return;
    reported.add(family);
    onRubbish(family);
  };
  const rows = known.table<string | undefined>((value = "") => value.length <= MOST_KNOWN_CHARS);
  return { of: (family) => open({ database, now, tellRubbish, rows }, family, FAMILIES[family]) };
}

/** How many settings cannot be read, and so count as not there; of families that are known. */
export function countRubbish(database: Database): number {
  const rows = database
    .query<{ key: string; value: string }, []>("SELECT key, value FROM settings")
    .all();
  return rows.filter(({ key, value }) => {
    const family = familyOf(key);
    return family !== undefined && FAMILIES[family].parse(value) === undefined;
  }).length;
}

interface Place {
  readonly database: Database;
  readonly now: () => number;
  readonly tellRubbish: (family: FamilyName) => void;
  readonly rows: KnownTable<string | undefined>;
}

/** Outcomes of changes and lists of tools are longer, and asked for seldom. */
const MOST_KNOWN_CHARS = 200;

function open<T>(
  { database, now, tellRubbish, rows: known }: Place,
  name: FamilyName,
  { parse, render, keptMs, storedAs: prefix = name }: Family<T>,
): Kept<T> {
  const read = (stored: string): T | undefined => {
    const value = parse(stored);
    if (value === undefined) tellRubbish(name);
    return value;
  };
  return {
    get(id) {
      const key = `${prefix}${id}`;
      const value = known.get(key, () => readValue(database, key));
      return value === undefined ? undefined : read(value);
    },
    has(id) {
      const sql = "SELECT 1 FROM settings WHERE key = ?";
      return database.query(sql).get(`${prefix}${id}`) !== null;
    },
    set(id, value) {
      known.forget(`${prefix}${id}`);
      const expiresAt = keptMs === "for good" ? null : now() + keptMs;
      database
        .query("INSERT OR REPLACE INTO settings (key, value, expires_at) VALUES (?, ?, ?)")
        .run(`${prefix}${id}`, render(value), expiresAt);
    },
    below(start) {
      const sql =
        "SELECT key, value FROM settings WHERE key >= ?1 AND key < ?1 || char(1114111) ORDER BY key";
      const rows = database.query<{ key: string; value: string }, [string]>(sql);
      return rows.all(`${prefix}${start}`).flatMap(({ key, value: stored }) => {
        const value = read(stored);
        return value === undefined ? [] : [{ id: key.slice(prefix.length), value }];
      });
    },
    remove(id) {
      known.forget(`${prefix}${id}`);
      database.query("DELETE FROM settings WHERE key = ?").run(`${prefix}${id}`);
    },
  };
}

function readValue(database: Database, key: string): string | undefined {
  const sql = "SELECT value FROM settings WHERE key = ?";
  return database.query<{ value: string }, [string]>(sql).get(key)?.value;
}
