import type { Database } from "bun:sqlite";
import { sha256 } from "../../core/sha256.ts";

/** Remembers for a day which goals were already researched by themselves. */
export interface OnlineChains {
  /** True for the first claim of a key within 24 hours, whoever asks, over restarts too. */
  claim(key: string, now: number): boolean;
  /** Gives a claim back that came to nothing. */
  release(key: string): void;
}

const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Claims in `state.db`. */
export function createOnlineChains(database: Database): OnlineChains {
  return {
    claim(key, now) {
      const dropOld = database.query("DELETE FROM online_chains WHERE claimed_at <= ?");
      const insert = database.query(
        "INSERT INTO online_chains (key, claimed_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
      );
      return database
        .transaction(() => {
          dropOld.run(now - MAX_AGE_MS);
          return insert.run(key, now).changes === 1;
        })
        .immediate();
    },
    release: (key) => void database.query("DELETE FROM online_chains WHERE key = ?").run(key),
  };
}

/** One key for a goal in a workspace, however it is spaced or capitalised. */
export function toChainKey(workspaceRoot: string, goal: string): string {
  const normalised = goal.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
  return sha256(JSON.stringify([workspaceRoot, normalised]));
}
