import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createOnlineChains, toChainKey } from "../../src/store/online/online-chains.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

const DAY_MS = 24 * 3_600_000;

describe("createOnlineChains()", () => {
  test("lets goals A, B, A chain twice, over a restart and for another process", () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    const first = openStore(path);
    const other = openStore(path);
    const [chains, others] = [createOnlineChains(first), createOnlineChains(other)];
    expect([chains.claim("A", 5), others.claim("B", 6), others.claim("A", 7)]).toEqual([
      true,
      true,
      false,
    ]);
    first.close();
    other.close();
    expect(createOnlineChains(openStore(path)).claim("A", DAY_MS)).toBe(false);
  });

  test("forgets a claim after 24 hours, and not by asking again", () => {
    const chains = createOnlineChains(memoryStore());
    expect(chains.claim("A", 5)).toBe(true);
    expect(chains.claim("A", DAY_MS + 4)).toBe(false);
    expect(chains.claim("A", DAY_MS + 5)).toBe(true);
    expect(chains.claim("A", DAY_MS + 6)).toBe(false);
  });

  test("gives a released key out again", () => {
    const chains = createOnlineChains(memoryStore());
    chains.claim("A", 5);
    chains.claim("B", 5);
    chains.release("A");
    expect([chains.claim("A", 6), chains.claim("B", 6)]).toEqual([true, false]);
  });

  test("holds a claim when the clock goes backwards", () => {
    const chains = createOnlineChains(memoryStore());
    chains.claim("A", DAY_MS);
    expect(chains.claim("A", 0)).toBe(false);
  });
});

describe("toChainKey()", () => {
  test("is one for a goal however it is spaced or capitalised", () => {
    const key = toChainKey("/w", "fix the Тест é");
    expect(key).toMatch(/^[0-9a-f]{64}$/u);
    expect(toChainKey("/w", "  Fix\nthe   тест e\u0301 ")).toBe(key);
  });

  test("differs by goal and by workspace", () => {
    const keys = [
      toChainKey("/w", "a"),
      toChainKey("/w", "b"),
      toChainKey("/w\0a", ""),
      toChainKey("/", "wa"),
    ];
    expect(new Set(keys).size).toBe(4);
  });
});
