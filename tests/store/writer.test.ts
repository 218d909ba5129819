import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { systemClock } from "../../src/core/clock.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { createWriter, unsynced } from "../../src/store/writer/writer.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

function open(store = memoryStore()) {
  const insert = store.query("INSERT INTO settings (key, value) VALUES (?, '')");
  const keys = () =>
    store
      .query<{ key: string }, []>("SELECT key FROM settings ORDER BY rowid")
      .all()
      .map(({ key }) => key);
  const add = (key: string) => void insert.run(key);
  return { store, commit: createWriter(store, systemClock), add, keys };
}

describe("createWriter()", () => {
  test("commits what a tick brings together and in order, and nothing before", async () => {
    const { store, commit, add, keys } = open();
    const writes = ["a", "b", "c"].map((key) => commit(() => add(key)));
    expect(keys()).toEqual([]);
    await writes[0];
    expect(keys()).toEqual(["a", "b", "c"]);
    expect(store.inTransaction).toBe(false);
    await Promise.all(writes);
    expect(await commit(() => store.inTransaction)).toBe(true);
  });

  test("takes back what throws, and nothing else, whatever the order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 8 }), async (fails) => {
        const { store, commit, add, keys } = open();
        using _ = { [Symbol.dispose]: () => store.close() };
        const ended = await Promise.allSettled(
          fails.map((isWrong, id) =>
            commit(() => {
              add(`${id}`);
              if (isWrong) throw new Error(`${id}`);
              return id;
            }),
          ),
        );
        const right = [...fails.keys()].filter((id) => !fails[id]);
        expect(keys()).toEqual(right.map(String));
        expect(ended.map(({ status }) => status === "rejected")).toEqual(fails);
      }),
    );
  });

  test("gives up all that a full disk takes back", async () => {
    const { store, commit, add, keys } = open();
    store.run(`PRAGMA max_page_count = ${pagesOf(store)}`);
    const ended = await Promise.allSettled([
      commit(() => add("a")),
      commit(() => add("b".repeat(10_000_000))),
      commit(() => add("c")),
    ]);
    expect(store.inTransaction).toBe(false);
    for (const [index, { status }] of ended.entries()) {
      const key = "abc"[index] ?? "";
      expect(keys().some((each) => each.startsWith(key))).toBe(status === "fulfilled");
    }
    expect(ended[1]?.status).toBe("rejected");
    await commit(() => add("d"));
    expect(keys()).toContain("d");
  });

  test("waits for who else writes, and blocks nobody meanwhile", async () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    const { store, commit, add, keys } = open(openStore(path));
    using other = openStore(path);
    store.run("PRAGMA busy_timeout = 0");
    other.run("BEGIN IMMEDIATE");
    let ticks = 0;
    const write = commit(() => add("a"));
    const signal = AbortSignal.abort();
    const refused = commit(() => add("b"), { signal }).catch(String);
    expect(await refused).toContain("locked");
    while (ticks < 20) {
      await new Promise(setImmediate);
      ticks++;
    }
    expect(keys()).toEqual([]);
    other.run("ROLLBACK");
    await write;
    expect(keys()).toEqual(["a"]);
    store.close();
  });
});

test("createWriter() says that it committed, once for all of a tick and before it says so to those who asked", async () => {
  const store = memoryStore();
  const seen: string[] = [];
  const commit = createWriter(store, systemClock, () => {
    seen.push(`committed ${store.inTransaction}`);
  });
  const ask = (name: string, write = () => {}) =>
    commit(write).then(
      () => seen.push(name),
      () => seen.push(`no ${name}`),
    );
  await Promise.all([ask("a"), ask("b")]);
  expect(seen.splice(0)).toEqual(["committed false", "a", "b"]);
  const fail = () => {
    throw new Error("no");
  };
  await ask("c", fail);
  expect(seen.splice(0)).toEqual(["no c"]);
  await Promise.all([ask("d"), ask("e", fail)]);
  expect(seen).toEqual(["committed false", "d", "no e"]);
});

test("a commit waits for the disk as soon as one of its writes does, and so does all that follows", async () => {
  const { store, commit } = open();
  const look = () =>
    store.query<{ synchronous: number }, []>("PRAGMA synchronous").get()?.synchronous;
  const [normal, full] = [1, 2];
  expect(await commit(look, { isSynced: false })).toBe(normal);
  expect(await commit(look)).toBe(full);
  expect(look()).toBe(full);
  const both = await Promise.all([commit(look, { isSynced: false }), commit(look)]);
  expect(both).toEqual([full, full]);
  const failing = () => {
    throw new Error("no");
  };
  expect(() => unsynced(store, failing)).toThrow("no");
  expect(look()).toBe(full);
  store.transaction(() => expect(unsynced(store, look)).toBe(full))();
});

function pagesOf(store: ReturnType<typeof memoryStore>): number {
  return store.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
}
