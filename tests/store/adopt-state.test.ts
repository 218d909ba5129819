import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adoptState, describeState } from "../../src/store/adopt-state.ts";
import { createApprovalStore } from "../../src/store/approvals.ts";
import { openState } from "../../src/store/open/open.ts";
import { StateError } from "../../src/store/open/state-trouble.ts";
import { tempDir } from "../support/temp.ts";

const HOLDER = Bun.fileURLToPath(new URL("./hold-lock-child.ts", import.meta.url));

/** A home whose database was put there from another one, where a question waits. */
function moved(from: string, to: string): void {
  {
    using store = openState(from);
    createApprovalStore(store).ask({
      kind: "change_set",
      approvalId: "ap_1",
      sessionId: "s",
      userId: "u",
      planId: "p",
      changeSetId: "c",
      createdAt: 1,
      expiresAt: 100,
    });
    store.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  openState(to).close();
  cpSync(join(from, "state.db"), join(to, "state.db"));
}

describe("adoptState()", () => {
  test("makes another home's database this one's, and takes back what waits in it", () => {
    using from = tempDir();
    using to = tempDir();
    moved(from.path, to.path);
    expect(() => openState(to.path)).toThrow(StateError);
    adoptState(to.path, 5);
    using store = openState(to.path);
    expect(createApprovalStore(store).load("ap_1")?.state).toBe("replaced");
    adoptState(to.path, 6);
    expect(createApprovalStore(store).countWaiting(50)).toBe(0);
    store.close();
    adoptState(to.path, 7); // nothing is beside it now
    expect(readdirSync(to.path).toSorted()).toEqual(["state.begun", "state.db"]);
  });

  test("says of what is no database that it is none", () => {
    using dir = tempDir();
    openState(dir.path).close();
    cpSync(import.meta.path, join(dir.path, "state.db"));
    expect(() => adoptState(dir.path, 5)).toThrow(StateError);
  });
});

test("adoptState() makes no database where none is", () => {
  using dir = tempDir();
  expect(() => adoptState(dir.path, 5)).toThrow(StateError);
  expect(readdirSync(dir.path)).toEqual([]);
});

describe("describeState()", () => {
  test("counts what would come with it, of an older one what it has", () => {
    using from = tempDir();
    using to = tempDir();
    moved(from.path, to.path);
    using store = new Database(join(from.path, "state.db"));
    for (const sql of [
      "INSERT INTO messages (session_id, message_json, created_at) VALUES ('s', '{}', 1), ('s', '{}', 2)",
      "INSERT INTO routines (name, job_json, created_at) VALUES ('a', '{}', 1)",
      "INSERT INTO paired_users (user_id, name, paired_at) VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 1)",
      "DROP TABLE memories",
    ]) {
      store.run(sql);
    }
    expect(describeState(from.path)).toEqual({ messages: 2, memories: 0, routines: 1, paired: 3 });
    expect(() => openState(to.path)).toThrow(StateError);
  });

  test("reads what its own log holds, and leaves that as it is", () => {
    using from = tempDir();
    using to = tempDir();
    moved(from.path, to.path);
    const path = join(to.path, "state.db");
    withLog(from.path, path, [`${MESSAGES} VALUES ('s', '{}', 1)`], () =>
      cpSync(join(from.path, "state.db"), path),
    );
    const before = readFileSync(`${path}-wal`);
    expect(describeState(to.path).messages).toBe(1);
    expect(readFileSync(`${path}-wal`)).toEqual(before);
  });
});

const MESSAGES = "INSERT INTO messages (session_id, message_json, created_at)";

/** Puts the log beside `path` that a kill of this home left. */
function withLog(home: string, path: string, statements: readonly string[], put = () => {}): void {
  using store = openState(home);
  for (const sql of statements) store.run(sql);
  const log = readFileSync(join(home, "state.db-wal"));
  put();
  writeFileSync(`${path}-wal`, log);
}

/** What a log holds that was written over pages of another database. */
const LOGS = [
  [
    "says whose it is",
    [
      `${MESSAGES} VALUES ('s', '{}', 1)`,
      "INSERT INTO settings (key, value) VALUES ('undo.tx', 'a')",
    ],
  ],
  ["makes no whole database with it", [`${MESSAGES} VALUES ('s', '{}', 1)`]],
] as const;

describe("adoptState(), beside the log that a killed process of this home left,", () => {
  test.each(LOGS)("puts one aside that %s, and takes nothing of it", (_, statements) => {
    using from = tempDir();
    using to = tempDir();
    using kept = tempDir();
    openState(to.path).close();
    withLog(to.path, join(kept.path, "log"), statements);
    {
      // On pages that the log knows nothing of.
      using store = openState(from.path);
      for (let n = 0; n < 9; n++) store.run(`${MESSAGES} VALUES ('s', hex(zeroblob(1000)), 1)`);
    }
    moved(from.path, to.path);
    const path = join(to.path, "state.db");
    const log = readFileSync(join(kept.path, "log-wal"));
    writeFileSync(`${path}-wal`, log);
    expect(describeState(to.path).messages).toBe(9);
    expect(readFileSync(`${path}-wal`)).toEqual(log);
    adoptState(to.path, Date.UTC(2026, 4, 1));
    const aside = join(to.path, "damaged-2026-05-01T00-00-00.000Z");
    expect(readdirSync(aside)).toEqual(["state.db-wal"]);
    expect(readFileSync(join(aside, "state.db-wal"))).toEqual(log);
    expect(statSync(aside).mode & 0o777).toBe(0o700);
    using store = openState(to.path);
    expect(store.query("SELECT count(*) AS n FROM messages").get()).toEqual({ n: 9 });
    expect(createApprovalStore(store).load("ap_1")?.state).toBe("replaced");
  });

  test("takes the other home's own log with its database", () => {
    using from = tempDir();
    using to = tempDir();
    moved(from.path, to.path);
    const path = join(to.path, "state.db");
    withLog(from.path, path, [`${MESSAGES} VALUES ('s', '{}', 1)`], () =>
      cpSync(join(from.path, "state.db"), path),
    );
    adoptState(to.path, 5);
    using store = openState(to.path);
    expect(store.query("SELECT count(*) AS n FROM messages").get()).toEqual({ n: 1 });
    expect(readdirSync(to.path).filter((name) => name.startsWith("damaged-"))).toEqual([]);
  });

  test("waits for another program that writes", async () => {
    using from = tempDir();
    using to = tempDir();
    moved(from.path, to.path);
    const path = join(to.path, "state.db");
    // Lets go when its input ends: a little after it was heard to hold.
    const script = '(read _; sleep 0.05) | "$@"';
    const holder = Bun.spawn(["sh", "-c", script, "-", process.execPath, HOLDER, path], {
      stdin: "pipe",
      stdout: "pipe",
    });
    await holder.stdout.getReader().read();
    void holder.stdin.write("\n");
    await holder.stdin.end();
    adoptState(to.path, 5);
    await holder.exited;
    expect(() => openState(to.path).close()).not.toThrow();
  });
});
