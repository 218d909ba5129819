import { describe, expect, test } from "bun:test";
import { createSearchCache } from "../../src/store/online/search-cache.ts";
import { memoryStore } from "../support/fresh-store.ts";

const HOUR_MS = 3_600_000;
const hits = [{ url: "https://a.example/", title: 'ü "', snippet: "" }];

describe("createSearchCache()", () => {
  test("gives back for 24 hours what it was given", () => {
    const cache = createSearchCache(memoryStore());
    cache.save("k", hits, 1000);
    expect(cache.load("k", 1000 + 24 * HOUR_MS - 1)).toEqual(hits);
    expect(cache.load("k", 1000 + 24 * HOUR_MS)).toBeUndefined();
    expect(cache.load("' OR 1=1 --", 1000)).toBeUndefined();
  });

  test("replaces what is saved again", () => {
    const cache = createSearchCache(memoryStore());
    cache.save("k", hits, 0);
    cache.save("k", [], HOUR_MS);
    expect(cache.load("k", 24 * HOUR_MS)).toEqual([]);
  });

  test("keeps the 500 that were saved last", () => {
    const database = memoryStore();
    const cache = createSearchCache(database);
    for (let i = 0; i < 502; i++) cache.save(`k${i}`, hits, 0);
    cache.save("k2", hits, 0);
    cache.save("new", hits, 0);
    const has = (key: string) => cache.load(key, 0) !== undefined;
    expect(["k0", "k1", "k2", "k3", "k4", "new"].map(has)).toEqual([
      false,
      false,
      true,
      false,
      true,
      true,
    ]);
    expect(database.query("SELECT count(*) AS n FROM search_cache").get()).toEqual({ n: 500 });
  });

  test("drops what is too old to be used", () => {
    const database = memoryStore();
    const cache = createSearchCache(database);
    cache.save("old", hits, 0);
    cache.save("new", hits, 24 * HOUR_MS);
    expect(database.query("SELECT key FROM search_cache").all()).toEqual([{ key: "new" }]);
  });
});
