import type { Database } from "bun:sqlite";
import { FAMILIES, FAMILY_NAMES, prefixOf, type SessionPlace } from "./families.ts";

/** Two names of one session. */
interface Names {
  readonly from: string;
  readonly to: string;
}

/** Gives all settings of one session to another; of two that say when, the later stays. */
export function moveSettings(database: Database, names: Names): void {
  for (const family of FAMILY_NAMES) {
    MOVES[FAMILIES[family].session](database, prefixOf(family), names);
  }
}

const MOVES: Readonly<
  Record<SessionPlace, (database: Database, prefix: string, names: Names) => void>
> = {
  none: () => undefined,
  key(database, prefix, names) {
    rename(database, `${prefix}${names.from}`, `${prefix}${names.to}`);
  },
  quoted(database, prefix, names) {
    const from = `${prefix}${JSON.stringify(names.from)}.`;
    const to = `${prefix}${JSON.stringify(names.to)}.`;
    for (const key of keysBelow(database, from)) {
      rename(database, key, `${to}${key.slice(from.length)}`);
    }
  },
  value(database, prefix, names) {
    const below = keysBelow(database, prefix);
    const change = database.query(
      `UPDATE settings SET value = json_set(value, '$.sessionId', $to)
       WHERE key = $key AND json_valid(value) AND value ->> '$.sessionId' = $from`,
    );
    for (const key of below) change.run({ key, ...names });
  },
};

/** What the new name has already stays, unless it says an earlier instant. */
function rename(database: Database, from: string, to: string): void {
  const earlier = `DELETE FROM settings WHERE key = $to AND CAST(value AS INTEGER) <
    (SELECT CAST(value AS INTEGER) FROM settings WHERE key = $from)`;
  database.query(earlier).run({ from, to });
  database.query("UPDATE OR IGNORE settings SET key = $to WHERE key = $from").run({ from, to });
}

function keysBelow(database: Database, prefix: string): readonly string[] {
  const sql = "SELECT key FROM settings WHERE key >= ?1 AND key < ?1 || char(1114111)";
  return database
    .query<{ key: string }, [string]>(sql)
    .all(prefix)
    .map(({ key }) => key);
}
