import { expect, test } from "bun:test";
import { join } from "node:path";
import { createPairing } from "../../src/store/chats/pairing.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

const HOUR_MS = 3600_000;
const NOW = 1_800_000_000_000;

function ask(pairing: ReturnType<typeof createPairing>, id: number, now = NOW): string {
  const code = pairing.ask({ id, name: `User ${id}` }, now);
  if (code === undefined) throw new Error("no code");
  return code;
}

test("ask() makes a code of 8 unambiguous characters, kept as a hash only", () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  using store = openStore(path);
  const code = ask(createPairing(store), 5);
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/u);
  const rows = store.query("SELECT * FROM pairing_codes").all();
  expect(JSON.stringify(rows)).not.toContain(code);
});

test("ask() gives one code an hour to one person and holds three at a time", () => {
  using store = memoryStore();
  const pairing = createPairing(store);
  ask(pairing, 1);
  expect(pairing.ask({ id: 1, name: "again" }, NOW + HOUR_MS - 1)).toBeUndefined();
  ask(pairing, 2, NOW + 1);
  ask(pairing, 3, NOW + 2);
  expect(pairing.ask({ id: 4, name: "late" }, NOW + 3)).toBeUndefined();
  expect(pairing.waiting(NOW + 3).map(({ userId }) => userId)).toEqual([1, 2, 3]);
  ask(pairing, 4, NOW + HOUR_MS);
  expect(store.query("SELECT count(*) AS n FROM pairing_codes").get()).toEqual({ n: 3 });
});

test("pair() lets in whom the code was made for, once, however it is typed", () => {
  using store = memoryStore();
  const pairing = createPairing(store);
  const first = ask(pairing, 1);
  const second = ask(pairing, 2);
  const typed = ` ${second.slice(0, 4)}-${second.slice(4)} `.toLowerCase();
  expect(pairing.pair(typed, NOW)).toEqual({ kind: "paired", userId: 2, name: "User 2" });
  expect(pairing.pair(second, NOW)).toEqual({ kind: "wrong", triesLeft: 4 });
  expect(pairing.paired()).toEqual([{ userId: 2, name: "User 2", pairedAt: NOW }]);
  expect(pairing.pair(first, NOW)).toMatchObject({ kind: "paired", userId: 1 });
});

test("pair() lets in once when two type the same code at the same time", () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  using one = openStore(path);
  using two = openStore(path);
  const code = ask(createPairing(one), 1);
  const results = [createPairing(two).pair(code, NOW), createPairing(one).pair(code, NOW)];
  expect(results.map(({ kind }) => kind)).toEqual(["paired", "wrong"]);
});

test("pair() refuses a code that is an hour old, or from before the clock was set back", () => {
  using store = memoryStore();
  const pairing = createPairing(store);
  const code = ask(pairing, 1);
  expect(pairing.pair(code, NOW + HOUR_MS)).toMatchObject({ kind: "wrong" });
  expect(pairing.pair(code, NOW - 1)).toMatchObject({ kind: "wrong" });
  expect(pairing.waiting(NOW - 1)).toEqual([]);
  expect(ask(pairing, 1, NOW - 1)).not.toBe(code);
});

test("pair() locks for an hour after five wrong codes, over restarts, the right one too", () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  for (const triesLeft of [4, 3, 2, 1, 0]) {
    using store = openStore(path);
    const at = NOW - triesLeft * 50 * 60_000;
    expect(createPairing(store).pair("WRONG", at)).toEqual({ kind: "wrong", triesLeft });
  }
  using store = openStore(path);
  const pairing = createPairing(store);
  const code = ask(pairing, 1, NOW + 1);
  const until = NOW + HOUR_MS;
  expect(pairing.pair(code, NOW + 1)).toEqual({ kind: "locked", until });
  expect(pairing.pair(code, until - 1)).toEqual({ kind: "locked", until });
  expect(pairing.pair(code, until)).toMatchObject({ kind: "paired" });
});

test("pair() counts wrong codes from the beginning again once somebody was let in", () => {
  using store = memoryStore();
  const pairing = createPairing(store);
  for (const triesLeft of [4, 3, 2]) {
    expect(pairing.pair("WRONG", NOW)).toEqual({ kind: "wrong", triesLeft });
  }
  expect(pairing.pair(ask(pairing, 1), NOW)).toMatchObject({ kind: "paired" });
  expect(pairing.pair("WRONG", NOW)).toEqual({ kind: "wrong", triesLeft: 4 });
});

test("waiting() and paired() tell who came when, the first of them first", () => {
  using store = memoryStore();
  const pairing = createPairing(store);
  const codes = [9, 4, 7].map((id, index) => ask(pairing, id, NOW + index));
  const waiting = [9, 4, 7].map((userId, index) => {
    const askedAt = NOW + index;
    return { userId, name: `User ${userId}`, askedAt, expiresAt: askedAt + HOUR_MS };
  });
  expect(pairing.waiting(NOW + 5)).toEqual(waiting);
  for (const [index, code] of codes.entries()) pairing.pair(code, NOW + 10 + index);
  expect(pairing.waiting(NOW + 20)).toEqual([]);
  const paired = waiting.map(({ userId, name }, index) => {
    return { userId, name, pairedAt: NOW + 10 + index };
  });
  expect(pairing.paired()).toEqual(paired);
  expect(pairing.remove(4)).toBe(true);
  expect(pairing.paired()).toEqual(paired.filter(({ userId }) => userId !== 4));
});

test("pair() stays locked no longer than an hour when the clock is set back", () => {
  using store = memoryStore();
  const pairing = createPairing(store);
  const years = 10 * 365 * 24 * HOUR_MS;
  for (let tries = 0; tries < 5; tries++) pairing.pair("WRONG", NOW + years);
  expect(pairing.pair("WRONG", NOW)).toEqual({ kind: "locked", until: NOW + HOUR_MS });
  expect(pairing.pair("WRONG", NOW + HOUR_MS)).toEqual({ kind: "wrong", triesLeft: 4 });
});

test("remove() shuts out again, and says when there is nobody", () => {
  using store = memoryStore();
  const pairing = createPairing(store);
  pairing.pair(ask(pairing, 1), NOW);
  expect(pairing.remove(1)).toBe(true);
  expect(pairing.remove(1)).toBe(false);
  expect(pairing.paired()).toEqual([]);
});

test("refuse() makes a code worthless for its hour, takes no place of others, and knows who waits", () => {
  using store = memoryStore();
  const pairing = createPairing(store);
  const codes = [1, 2, 3].map((id) => ask(pairing, id));
  expect(pairing.refuse(2, NOW)).toBe(true);
  expect(pairing.refuse(2, NOW)).toBe(false);
  expect(pairing.refuse(9, NOW)).toBe(false);
  expect(pairing.waiting(NOW).map(({ userId }) => userId)).toEqual([1, 3]);
  expect(pairing.pair(codes[1] ?? "", NOW)).toMatchObject({ kind: "wrong" });
  expect(pairing.ask({ id: 2, name: "again" }, NOW + HOUR_MS - 1)).toBeUndefined();
  ask(pairing, 4);
  expect(pairing.pair(codes[0] ?? "", NOW)).toMatchObject({ kind: "paired", userId: 1 });
  expect(pairing.paired().map(({ userId }) => userId)).toEqual([1]);
  ask(pairing, 2, NOW + HOUR_MS);
});
