import type { Database } from "bun:sqlite";
import { isText, parseJsonAs } from "../../core/guards.ts";
import { FAMILIES, familyOf, prefixOf } from "./families.ts";

/** Rows of one step: a writer meanwhile waits no longer than this takes. */
const MOST_ROWS = 100;

/** When what must stay is looked at again. */
const AGAIN_MS = 24 * 3_600_000;

/** What one step over the settings came to. */
export interface PrunedSettings {
  readonly removed: number;
  readonly hasMore: boolean;
}

/**
 * Forgets some settings that have expired. What a work wrote down stays
 * until nothing waits that could bring the work again, however long papa-yu was switched off: or
 * its change would be made a second time.
 */
export function pruneSettings(database: Database, now: number): PrunedSettings {
  const step = database.transaction(() => {
    const sql = "SELECT key FROM settings WHERE expires_at <= ? LIMIT ?";
    const rows = database.query<{ key: string }, [number, number]>(sql).all(now, MOST_ROWS);
    const forget = database.query("DELETE FROM settings WHERE key = ?");
    const later = database.query("UPDATE settings SET expires_at = ? WHERE key = ?");
    let removed = 0;
    for (const { key } of rows) {
      const work = workOf(key);
      if (work !== undefined && waits(database, work)) later.run(now + AGAIN_MS, key);
      else removed += forget.run(key).changes;
    }
    return { removed, hasMore: rows.length === MOST_ROWS };
  });
  return step.immediate();
}

function workOf(key: string): string | undefined {
  const family = familyOf(key);
  if (family === undefined) return undefined;
  const id = key.slice(prefixOf(family).length);
  switch (FAMILIES[family].work) {
    case "none":
      return undefined;
    case "key":
      return id;
    case "quoted": {
      const quoted = /^"(?:[^"\\]|\\.)*"/u.exec(id)?.[0] ?? "";
      return parseJsonAs(quoted, isText);
    }
    default:
      return FAMILIES[family].work satisfies never;
  }
}

/** A message that waits, a run that is not over, a call without an end, or one of such a turn. */
function waits(database: Database, work: string): boolean {
  const sql = `WITH works (id) AS (
      SELECT ?1 UNION SELECT turn_id FROM approvals WHERE approval_id = ?1)
    SELECT 1 FROM approvals WHERE approval_id = ?1 AND state IN ('approved', 'interrupted')
    UNION ALL SELECT 1 FROM inbox WHERE state = 'waiting'
      AND 'telegram:' || bot_id || ':' || update_id IN (SELECT id FROM works)
    UNION ALL SELECT 1 FROM routine_runs WHERE state IN ('due', 'running')
      AND 'routine:' || routine || ':' || due_at IN (SELECT id FROM works)`;
  return database.query(sql).get(work) !== null;
}
