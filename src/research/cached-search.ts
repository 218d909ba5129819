import { sha256 } from "../core/sha256.ts";
import type { Search, SearchHit } from "./search.ts";

/** Where hits are kept for a while. */
export interface SearchCache {
  load(key: string, now: number): readonly SearchHit[] | undefined;
  save(key: string, hits: readonly SearchHit[], now: number): void;
}

/** A search that asks its service only for what the cache does not have; failures are not kept. */
export function createCachedSearch(
  inner: Search,
  { cache, now }: { readonly cache: SearchCache; readonly now: () => number },
): Search {
  return {
    identity: inner.identity,
    async search(query, options) {
      const key = sha256(JSON.stringify([inner.identity, options.limit, query.toLowerCase()]));
      const kept = cache.load(key, now());
      if (kept) return { ok: true, hits: kept };
      const result = await inner.search(query, options);
      if (result.ok && result.hits.length > 0) cache.save(key, result.hits, now());
      return result;
    },
  };
}
