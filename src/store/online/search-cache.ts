import type { Database } from "bun:sqlite";
import { parseJsonAs } from "../../core/guards.ts";
import { isHits } from "../stored-json.ts";

/** A search result as it is kept. */
export interface CachedHit {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly date?: string;
}

/** Keeps search results for a day, so that a repeated question costs no search. */
export interface SearchCache {
  load(key: string, now: number): readonly CachedHit[] | undefined;
  /** The newest 500 stay. */
  save(key: string, hits: readonly CachedHit[], now: number): void;
}

const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const MOST_ENTRIES = 500;

/** A search cache in `state.db`. */
export function createSearchCache(database: Database): SearchCache {
  return {
    load(key, now) {
      const sql = "SELECT hits_json FROM search_cache WHERE key = ? AND saved_at > ?";
      const row = database
        .query<{ hits_json: string }, [string, number]>(sql)
        .get(key, now - MAX_AGE_MS);
      return row ? parseJsonAs(row.hits_json, isHits) : undefined;
    },
    save(key, hits, now) {
      const insert = database.query(
        "INSERT OR REPLACE INTO search_cache (key, hits_json, saved_at) VALUES (?, ?, ?)",
      );
      // By rowid, the order of saving: a replaced row gets a new one.
      const dropOld = database.query(
        `DELETE FROM search_cache WHERE saved_at <= ? OR rowid IN (
           SELECT rowid FROM search_cache ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
      );
      database
        .transaction(() => {
          insert.run(key, JSON.stringify(hits), now);
          dropOld.run(now - MAX_AGE_MS, MOST_ENTRIES);
        })
        .immediate();
    },
  };
}
