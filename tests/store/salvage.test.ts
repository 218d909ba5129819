import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openState } from "../../src/store/open/open.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { listCopies } from "../../src/store/open/state-files.ts";
import { readMark } from "../../src/store/open/state-mark.ts";
import { closeWaiting, salvage } from "../../src/store/repair/salvage.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { runs } from "../support/long.ts";
import { liveADay } from "../support/state-day.ts";
import { tempDir } from "../support/temp.ts";
import { cross, expectEach, fill, type Row } from "./grid.ts";

const DAMAGES = runs(15, 40);

/** The same numbers from 0 to 1 for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Bytes here and there, runs of them, whole pages, or numbers that point elsewhere. */
function damage(bytes: Buffer, random: () => number): void {
  const at = (most: number) => Math.floor(random() * most);
  for (let hits = 0; hits < 1 + at(30); hits++) {
    const kind = at(4);
    if (kind === 0) bytes[at(bytes.length)] = at(256);
    if (kind === 1) bytes.fill(at(256), at(bytes.length), at(bytes.length));
    if (kind === 2)
      bytes.copy(bytes, at(bytes.length / 4096) * 4096, at(bytes.length / 4096) * 4096);
    if (kind === 3) bytes.writeUInt32BE(at(200), at(bytes.length / 4096) * 4096 + 8);
  }
}

test("salvage() makes a whole database of whatever is left of a damaged one", () => {
  using dir = tempDir();
  liveADay(dir.path).close();
  const origin = readFileSync(join(dir.path, "state.db"));
  const mark = readMark(dir.path);
  const [copy] = listCopies(dir.path);
  for (let seed = 1; seed <= DAMAGES; seed++) {
    const folder = join(dir.path, `damaged-${seed}`);
    mkdirSync(folder);
    const bytes = Buffer.from(origin);
    damage(bytes, createRandom(seed));
    const damaged = join(folder, "damaged.db");
    writeFileSync(damaged, bytes);
    const target = join(folder, "state.db");
    const tables = salvage(
      { home: dir.path, damaged, mark, copy: seed % 2 ? copy?.path : undefined },
      target,
    );
    using database = new Database(target);
    const check = database.query("PRAGMA integrity_check").all();
    expect({ seed, check }).toEqual({ seed, check: [{ integrity_check: "ok" }] });
    for (const { table, kept, fromCopy } of tables) {
      const row = database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get();
      // Rows of one key that are in two places are one in the end.
      expect(row?.n ?? 0, `seed ${seed}, ${table}`).toBeLessThanOrEqual(kept + fromCopy);
    }
  }
});

test("salvage() reads a database of an older version, and finds memories by their words", () => {
  using dir = tempDir();
  liveADay(dir.path).close();
  const path = join(dir.path, "state.db");
  const old = join(dir.path, "old.db");
  copyFileSync(path, old);
  {
    using older = new Database(old);
    older.run("DROP INDEX approvals_running");
    older.run("ALTER TABLE approvals DROP COLUMN runner");
  }
  const target = join(dir.path, "new.db");
  const tables = salvage(
    { home: dir.path, damaged: old, mark: { version: 0, roots: {} }, copy: undefined },
    target,
  );
  expect(tables.find(({ table }) => table === "approvals")).toMatchObject({ kept: 90, lost: 0 });
  using store = openStore(target);
  const sql = "SELECT count(*) AS n FROM memory_words WHERE memory_words MATCH 'remembers'";
  expect(store.query(sql).get()).toEqual({ n: 89 });
});

test("salvage() says how many rows an index names besides those that it read or took of a copy", () => {
  using dir = tempDir();
  const store = liveADay(dir.path);
  store.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const roots = new Map(
    store
      .query<{ name: string; root: number }, []>(
        "SELECT name, rootpage AS root FROM sqlite_master WHERE type = 'table' AND rootpage > 0",
      )
      .all()
      .map(({ name, root }) => [name, root]),
  );
  store.close();
  const [path, home] = [join(dir.path, "state.db"), dir.path];
  const bytes = readFileSync(path);
  for (const table of ["approvals", "paired_users"]) {
    const at = ((roots.get(table) ?? 0) - 1) * 4096;
    bytes.fill(0, at, at + 4096);
  }
  const damaged = join(home, "damaged.db");
  writeFileSync(damaged, bytes);
  const [copy] = listCopies(home);
  const report = (from: string | undefined) => {
    const target = join(home, `${from === undefined ? "alone" : "with"}.db`);
    const all = salvage({ home, damaged, mark: readMark(home), copy: from }, target);
    return ["approvals", "paired_users", "routines"].map((name) =>
      all.find(({ table }) => table === name),
    );
  };
  const routines = { table: "routines", kept: 90, fromCopy: 0, lost: 0 };
  expect(report(undefined)).toEqual([
    { table: "approvals", kept: 0, fromCopy: 0, lost: 90 },
    { table: "paired_users", kept: 0, fromCopy: 0, lost: undefined }, // without an index
    routines,
  ]);
  expect(report(copy?.path)).toEqual([
    { table: "approvals", kept: 0, fromCopy: 60, lost: 30 },
    { table: "paired_users", kept: 0, fromCopy: 60, lost: undefined },
    routines,
  ]);
});

test("salvage() keeps no row whose parent is lost, and none that its table refuses", () => {
  using dir = tempDir();
  const [path, damaged] = [join(dir.path, "state.db"), join(dir.path, "damaged.db")];
  {
    using store = openState(dir.path);
    const insert = (table: string, columns: string, ...values: readonly (string | number)[]) =>
      store
        .query(`INSERT INTO ${table} (${columns}) VALUES (${values.map(() => "?").join(", ")})`)
        .run(...values);
    for (const id of ["gone", "kept"]) {
      const columns =
        "plan_id, workspace_root, workspace_name, goal, summary, protocol_version, messages_json, files_json, trace_id, created_at";
      insert("plans", columns, id, "/w", "w", "g", "s", 2, "[]", "{}", "t", 1);
      insert("baselines", "workspace_root, fingerprint, check_json, created_at", id, "f", "{}", 1);
      const made = "plan_id, change_set_id, summary, actions_json, trace_id, created_at";
      insert("change_sets", made, id, `of ${id}`, "s", "[]", "t", 1);
    }
    insert("spending", "day, payer, tokens, cost", "2026-05-01", "", 1, 2);
    store.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  copyFileSync(path, damaged);
  {
    using older = new Database(damaged);
    older.run("DELETE FROM plans WHERE plan_id = 'gone'");
    older.run("ALTER TABLE spending DROP COLUMN cost");
  }
  const target = join(dir.path, "new.db");
  const remains = { home: dir.path, damaged, mark: readMark(dir.path), copy: undefined };
  const all = salvage(remains, target);
  const reportOf = (name: string) => all.find(({ table }) => table === name);
  expect(reportOf("baselines")).toEqual({ table: "baselines", kept: 2, fromCopy: 0, lost: 0 });
  expect(reportOf("spending")).toMatchObject({ kept: 0, fromCopy: 0, lost: undefined });
  using store = openStore(target);
  const idsOf = (table: string) => store.query(`SELECT plan_id FROM ${table}`).values().flat();
  expect([idsOf("plans"), idsOf("change_sets")]).toEqual([["kept"], ["kept"]]);
  expect(store.query("SELECT * FROM spending").all()).toEqual([]);
});

describe("closeWaiting() ends what waits and leaves what is over:", () => {
  const STATES = ["waiting", "approved", "rejected", "sending", "sent", "due", "running", "ok"];
  const FROM_COPY = { error: "from a copy of the database" };
  const endOf: Readonly<Record<string, (row: Row) => object | undefined>> = {
    approvals: ({ state, tool }) => {
      if (state === "waiting") return { state: "replaced" };
      return state === "approved" && tool !== null ? { state: "interrupted" } : {};
    },
    inbox: ({ state }) => (state === "waiting" ? { state: "poison" } : {}),
    outbox: ({ state }) =>
      state === "waiting" || state === "sending" ? { state: "failed", ...FROM_COPY } : {},
    routine_runs: ({ state }) =>
      state === "due" || state === "running" ? { state: "unknown", ...FROM_COPY } : {},
    pairing_codes: () => undefined,
  };
  const all = cross({ state: STATES, tool: [null, "run"] }, (_, id) => ({ id }));
  const rowsOf: Readonly<Record<string, readonly Row[]>> = {
    approvals: all.map(({ state, tool, id }) => {
      const asked = { session_id: "s", user_id: "u", plan_id: "p", change_set_id: "c" };
      return { approval_id: `${id}`, state, tool, created_at: 1, expires_at: 2, ...asked };
    }),
    inbox: all.map(({ state, id }) => {
      const update = { bot_id: 1, session_id: "s", lane: "turn", update_json: "{}" };
      return { update_id: id, state, received_at: 1, ...update };
    }),
    outbox: all.map(({ state, id }) => {
      return { id, state, chat_id: "1", method: "m", payload_json: "{}", created_at: 1 };
    }),
    routine_runs: all.map(({ state, id }) => {
      return { routine: "r", due_at: id, cause: "schedule", delivery: "none", state };
    }),
  };

  test.each(Object.keys(endOf))("%s", (table) => {
    using store = memoryStore();
    if (table === "pairing_codes") {
      store.run("INSERT INTO pairing_codes VALUES (1, 'n', x'00', 1)");
    } else fill(store, table, rowsOf[table] ?? []);
    expectEach(
      store,
      table,
      () => closeWaiting(store),
      (row) => {
        const end = endOf[table]?.(row);
        return end && { ...row, ...end };
      },
    );
  });

  test("routine_watch, and how the daemon lived", () => {
    using store = memoryStore();
    fill(store, "routine_watch", [{ routine: "r", schedule: "s", since: 1, floor: 1 }]);
    fill(store, "settings", [
      { key: "daemon.life", value: "{}" },
      { key: "update.notified", value: "x" },
    ]);
    const before = Date.now();
    closeWaiting(store);
    const [mark] = store
      .query<{ since: number; floor: number }, []>("SELECT since, floor FROM routine_watch")
      .all();
    expect(mark?.since).toBeGreaterThanOrEqual(before);
    expect(mark?.floor).toBe(mark?.since ?? 0);
    expect(store.query("SELECT key FROM settings").values()).toEqual([["update.notified"]]);
  });
});
