import { expect, test } from "bun:test";
import { createKeyedWorkers } from "../../../src/channels/telegram/keyed-workers.ts";

interface Row {
  readonly key: string;
  readonly id: number;
}

/** A table in memory: `heads` gives the first row of every key, as the stores do. */
function createTable(rows: Row[]) {
  return {
    heads: () =>
      rows.filter((row, index) => rows.findIndex(({ key }) => key === row.key) === index),
    remove: (row: Row) => void rows.splice(rows.indexOf(row), 1),
  };
}

test("createKeyedWorkers() keeps the order per key, keys side by side, never more than the limit", async () => {
  const rows = Array.from({ length: 30 }, (_, id) => ({ key: `k${id % 5}`, id }));
  const table = createTable(rows);
  const done: Row[] = [];
  let running = 0;
  let most = 0;
  const workers = createKeyedWorkers<Row>({
    heads: table.heads,
    keyOf: ({ key }) => key,
    idOf: ({ id }) => id,
    async run(row) {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      table.remove(row);
      done.push(row);
    },
    limit: () => 3,
    onError: () => undefined,
  });
  workers.wake();
  await workers.idle();
  expect(most).toBe(3);
  expect(done).toHaveLength(30);
  for (const key of ["k0", "k1", "k2", "k3", "k4"]) {
    const ids = done.filter((row) => row.key === key).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  }
});

test("createKeyedWorkers() leaves a row that throws to the next wake instead of spinning", async () => {
  const errors: unknown[] = [];
  const workers = createKeyedWorkers<Row>({
    heads: () => [{ key: "a", id: 1 }],
    keyOf: ({ key }) => key,
    idOf: ({ id }) => id,
    run: () => Promise.reject(new Error("disk is full")),
    limit: () => 3,
    onError: (error) => errors.push(error),
  });
  workers.wake();
  await workers.idle();
  expect(errors).toHaveLength(1);
  workers.wake();
  await workers.idle();
  expect(errors).toHaveLength(2);
});

test("createKeyedWorkers() begins nothing once closed, and is idle when the last row ends", async () => {
  const rows = [1, 2].map((id) => ({ key: "a", id }));
  const table = createTable(rows);
  const workers = createKeyedWorkers<Row>({
    heads: table.heads,
    keyOf: ({ key }) => key,
    idOf: ({ id }) => id,
    async run(row) {
      workers.close();
      table.remove(row);
    },
    limit: () => 3,
    onError: () => undefined,
  });
  workers.wake();
  await workers.idle();
  workers.wake();
  await workers.idle();
  expect(rows).toHaveLength(1);
});

test("createKeyedWorkers() looks at one key where one was woken, and lets all have their turn", async () => {
  const rows = ["a", "a", "a", "b", "c", "d"].map((key, id) => ({ key, id }));
  const table = createTable(rows);
  const looks: string[] = [];
  const done: string[] = [];
  const workers = createKeyedWorkers<Row>({
    heads() {
      looks.push("all");
      return table.heads();
    },
    next(key) {
      looks.push(key);
      return table.heads().find((row) => row.key === key);
    },
    keyOf: ({ key }) => key,
    idOf: ({ id }) => id,
    async run(row) {
      await new Promise(setImmediate);
      table.remove(row);
      done.push(`${row.key}${row.id}`);
    },
    limit: () => 1,
    onError: () => undefined,
  });
  for (const key of ["a", "b", "c"]) workers.wake(key);
  await workers.idle();
  expect(done).toEqual(["a0", "b3", "c4", "a1", "a2"]);
  expect(looks).not.toContain("all");
  expect(rows.map(({ key }) => key)).toEqual(["d"]);
  workers.wake();
  await workers.idle();
  expect(looks.filter((look) => look === "all")).toHaveLength(1);
  expect(rows).toEqual([]);
});

test("createKeyedWorkers() leaves a row that may not begin to the next wake of all", async () => {
  const table = createTable([{ key: "a", id: 1 }]);
  let mayBegin = false;
  const done: Row[] = [];
  const workers = createKeyedWorkers<Row>({
    ...table,
    next: () => table.heads()[0],
    keyOf: ({ key }) => key,
    idOf: ({ id }) => id,
    mayBegin: () => mayBegin,
    async run(row) {
      table.remove(row);
      done.push(row);
    },
    limit: () => 1,
    onError: () => undefined,
  });
  workers.wake("a");
  await workers.idle();
  expect(done).toEqual([]);
  mayBegin = true;
  workers.wake();
  await workers.idle();
  expect(done).toEqual([{ key: "a", id: 1 }]);
});

test("createKeyedWorkers() does not begin a row again that gets another key while it runs", async () => {
  const rows: { key: string; id: number }[] = [
    { key: "old", id: 1 },
    { key: "old", id: 2 },
  ];
  const begun: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const next = (key: string) => rows.find((row) => row.key === key);
  const workers = createKeyedWorkers<(typeof rows)[number]>({
    heads: () => [next("old"), next("new")].filter((row) => row !== undefined),
    next,
    keyOf: ({ key }) => key,
    idOf: ({ id }) => id,
    async run({ key, id }) {
      begun.push(`${key} ${id}`);
      await promise;
      rows.splice(
        rows.findIndex((row) => row.id === id),
        1,
      );
    },
    limit: () => 3,
    onError: () => undefined,
  });
  workers.wake("old");
  await Promise.resolve();
  for (const row of rows) row.key = "new";
  workers.wake();
  workers.wake("new");
  await new Promise(setImmediate);
  expect(begun).toEqual(["old 1"]);
  resolve();
  await workers.idle();
  expect(begun).toEqual(["old 1", "new 2"]);
});

test("createKeyedWorkers() lets rows that wait for their time hold up nobody, and each waits once", async () => {
  const rows = ["a", "b", "c"].map((key, id) => ({ key, id }));
  const table = createTable(rows);
  const done: string[] = [];
  const timers: { readonly ms: number; readonly end: () => void }[] = [];
  const workers = createKeyedWorkers<Row>({
    heads: table.heads,
    next: (key) => table.heads().find((row) => row.key === key),
    keyOf: ({ key }) => key,
    idOf: ({ id }) => id,
    due: {
      // As of a clock that was set back: no wait is ever long enough.
      inMs: ({ key }) => (key === "c" ? 0 : 50),
      sleep(ms, signal) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        signal?.addEventListener("abort", () => reject(signal.reason));
        timers.push({ ms, end: resolve });
        return promise;
      },
    },
    async run(row) {
      table.remove(row);
      done.push(row.key);
    },
    limit: () => 1,
    onError: () => undefined,
  });
  workers.wake();
  await new Promise(setImmediate);
  expect(done).toEqual(["c"]);
  workers.wake("a");
  workers.wake();
  await new Promise(setImmediate);
  expect(timers.map(({ ms }) => ms)).toEqual([50, 50]);
  timers[1]?.end();
  await new Promise(setImmediate);
  expect(done).toEqual(["c", "b"]);
  workers.close();
  await workers.idle();
  expect(done).toEqual(["c", "b"]);
});
