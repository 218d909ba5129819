import type { Log } from "../../core/log.ts";
import type { Block } from "./block.ts";

/** What a context request asks for. */
export type RequestKind = "env" | "logs" | "read" | "search";

/** Lookups of one planning cycle; names are those of the trace. */
export type CacheStats = Readonly<
  Record<`${RequestKind}_${"hits" | "misses"}` | "hit_rate", number>
>;

/** Blocks by request, kept for one planning cycle. */
export interface ContextCache {
  /** The block of an earlier request with the same parts, or the one that `serve` gives. */
  lookUp(
    kind: RequestKind,
    parts: Readonly<Record<string, string | number | undefined>>,
    serve: () => Promise<Block>,
  ): Promise<Block>;
  stats(): CacheStats;
}

/** An empty cache that logs every lookup. */
export function createContextCache(log: Log): ContextCache {
  const blocks = new Map<string, Block>();
  const counts = { ...NO_COUNTS };
  return {
    async lookUp(kind, parts, serve) {
      const key = kind === "env" ? kind : kind + JSON.stringify(parts);
      const known = blocks.get(key);
      counts[`${kind}_${known ? "hits" : "misses"}`] += 1;
      log(known ? "CONTEXT_CACHE_HIT" : "CONTEXT_CACHE_MISS", { key });
      const block = known ?? (await serve());
      blocks.set(key, block);
      return block;
    },
    stats() {
      const hits = counts.env_hits + counts.logs_hits + counts.read_hits + counts.search_hits;
      const lookups = Object.values(counts).reduce((sum, count) => sum + count, 0);
      return { ...counts, hit_rate: lookups === 0 ? 0 : hits / lookups };
    },
  };
}

const NO_COUNTS = {
  env_hits: 0,
  env_misses: 0,
  logs_hits: 0,
  logs_misses: 0,
  read_hits: 0,
  read_misses: 0,
  search_hits: 0,
  search_misses: 0,
};

/** Of a call that looks nothing up. */
export const NO_LOOKUPS: CacheStats = { ...NO_COUNTS, hit_rate: 0 };
