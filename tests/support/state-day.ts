import type { Database } from "bun:sqlite";
import { createMemoryStore } from "../../src/store/memories/memories.ts";
import { makeCopy } from "../../src/store/open/make-copy.ts";
import { openState } from "../../src/store/open/open.ts";

const NOON = Date.UTC(2026, 4, 1, 12);

/**
 * A home as after a day: a database with something in every table that people would miss, a copy
 * of it, then more of everything, and some of it deleted. It stays open, so that its newest rows are
 * in the write-ahead log, as after a crash.
 */
export function liveADay(home: string): Database {
  const store = openState(home);
  add(store, 0, 60);
  makeCopy(store, home, NOON);
  store.run("PRAGMA wal_checkpoint(TRUNCATE)");
  add(store, 60, 80);
  store.run("PRAGMA wal_checkpoint(TRUNCATE)");
  store.run("DELETE FROM paired_users WHERE user_id = 1000");
  createMemoryStore(store).remove({ userId: "u", workspaceRoot: "/w" }, "key 0");
  store.run("UPDATE outbox SET state = 'sent', payload_json = '' WHERE id <= 50");
  store.run("UPDATE inbox SET state = 'done', update_json = '' WHERE update_id < 50");
  add(store, 80, 90);
  return store;
}

/** One of everything for each number. */
function add(store: Database, from: number, to: number): void {
  const memories = createMemoryStore(store);
  const owner = { userId: "u", workspaceRoot: "/w" };
  const insert = (table: string, ...values: readonly (string | number | null)[]) =>
    store.query(`INSERT INTO ${table} VALUES (${values.map(() => "?").join(", ")})`).run(...values);
  store
    .transaction(() => {
      for (let n = from; n < to; n++) {
        const said = JSON.stringify({ role: "user", content: `${n} ${"words ".repeat(100)}` });
        const job = JSON.stringify({ name: `r${n}`, schedule: "daily", task: `task ${n}` });
        insert("sessions", `s${n}`, "u", null, null, n);
        insert("messages", n + 1, `s${n % 7}`, said, n, null, "kept");
        insert("settings", `setting ${n}`, `value ${n}`, null);
        insert("routines", `r${n}`, job, n, 0);
        insert(
          "routine_runs",
          `r${n}`,
          n,
          "schedule",
          "ok",
          "none",
          n,
          n,
          0,
          "done",
          null,
          null,
          null,
        );
        insert("paired_users", 1000 + n, `person ${n}`, n);
        insert("spending", `2026-05-${n}`, "", n, n / 8);
        store.run(
          `INSERT INTO approvals (approval_id, session_id, user_id, plan_id, change_set_id, state,
             created_at, expires_at) VALUES ('a${n}', 's', 'u', 'p', 'c', 'approved', ${n}, ${n})`,
        );
        store.run(
          `INSERT INTO inbox (bot_id, update_id, session_id, lane, update_json, state, received_at)
           VALUES (1, ${n}, 's', 'turn', '{"update_id":${n}}', 'waiting', ${n})`,
        );
        store.run(
          `INSERT INTO outbox (id, chat_id, method, payload_json, state, created_at)
           VALUES (${n + 1}, '5', 'sendMessage', '{"n":${n}}', 'waiting', ${n})`,
        );
        const text = `remembers ${n}`;
        memories.save(owner, { key: `key ${n}`, category: "c", text, isEverywhere: false }, n);
      }
    })
    .immediate();
}
