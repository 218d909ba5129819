import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../src/store/open/open-database.ts";
import { findStatements } from "../support/sql-in-source.ts";
import { tempDir } from "../support/temp.ts";

const SRC = join(import.meta.dir, "../../src");

/** Tables whose rows are counted where they are written, or as many as a person makes by hand. */
const BOUNDED: Readonly<Record<string, string>> = {
  baselines: "one of each of 50 folders",
  known_checks: "5,000 at most",
  known_workspaces: "one of each folder",
  online_chains: "those of a day",
  paired_users: "people who were let in",
  pairing_codes: "three at most, and who was refused within the hour",
  pairing_tries: "five at most",
  routine_switches: "one of each routine",
  routine_watch: "one of each routine",
  routines: "made by hand",
  search_cache: "500 at most",
  sqlite_master: "tables and indexes",
  json_each: "what was handed in",
};

/** Statements that read a table that grows from end to end, and why nobody waits for it. */
const READ_WHOLE: Readonly<Record<string, string>> = {
  "SELECT count(*) AS n FROM sessions": "a covering index of one row a chat, for status",
  "SELECT id, key || ' ' || category || ' ' || text AS words FROM memories": "a repair",
  "SELECT key, value FROM settings": "doctor looks at each",
  "SELECT update_id AS updateId, received_at AS receivedAt FROM inbox WHERE +bot_id = ? ORDER BY rowid DESC":
    "ends at the newest row of the bot, which is the newest of all where there is but one bot",
  "UPDATE approvals SET state = 'interrupted' WHERE state = 'approved' AND tool IS NOT NULL":
    "a repair",
  "DELETE FROM spending WHERE payer = ?": "once in the life of a chat, over 90 days",
  "INSERT INTO spending (day, payer, tokens, cost) SELECT day, $to, tokens, cost FROM spending WHERE payer = $from ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost":
    "the same",
  "SELECT plan_id AS planId, goal FROM plans ORDER BY rowid DESC LIMIT ?":
    "along the rows to the limit, when a shell completes a plan's id",
  "SELECT routine, due_at AS dueAt, cause, started_at AS startedAt, finished_at AS finishedAt, state, delivery, output, error FROM routine_runs ORDER BY due_at DESC LIMIT ?1":
    "along the index to the limit",
  "SELECT count(*) AS n FROM routine_runs": "a covering index, 2,000 a routine, for who lists them",
};

/** Statements that are put together of what only a run knows, and why they are not asked about. */
const OF_ANY_TABLE: Readonly<Record<string, string>> = {
  "store/adopt-state.ts": "counts what another home's database holds, for a person who asked",
  "store/chats/move-chat.ts": "once in the life of a chat",
  "store/open/make-copy.ts": "reads every page of a copy, in a process of its own",
  "store/repair/salvage.ts": "a repair",
};

interface Found {
  readonly path: string;
  readonly sql: string;
  readonly unknown: readonly string[];
}

async function allStatements(): Promise<readonly Found[]> {
  const found: Found[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC)) {
    const text = await Bun.file(join(SRC, path)).text();
    if (!text.includes("bun:sqlite")) continue;
    for (const statement of findStatements(path, text)) found.push({ path, ...statement });
  }
  return found;
}

/** The tables that a statement reads from end to end, by their names or how it calls them. */
function readWhole(database: Database, sql: string, isBounded: (name: string) => boolean) {
  const plan = database.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
  const partial = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE sql LIKE '%INDEX%WHERE%'")
    .all()
    .map(({ name }) => name);
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => {
      const [, verb, table = "", rest = ""] = /^(SCAN|SEARCH) (\S+)(.*)$/u.exec(detail) ?? [];
      if (verb === undefined || /^(?:CONSTANT|\(subquery|pragma_)/u.test(table)) return false;
      if (isBounded(table) || partial.some((name) => rest.includes(` INDEX ${name}`))) return false;
      // What a statement makes for itself, and a table of words asked by number or word.
      if (/\bVIRTUAL TABLE INDEX \d+:\S/u.test(rest) || isOwn(sql, table)) return false;
      return verb === "SCAN" || rest === "" || isWide(sql, rest);
    });
}

/** Everything of a bot or a folder, and all that is over: as good as the whole table. */
function isWide(sql: string, rest: string): boolean {
  const isWholePast = rest.endsWith("PRIMARY KEY (workspace_id=?)") && !sql.includes("LIMIT");
  return (
    isWholePast ||
    rest.endsWith("(bot_id=?)") ||
    (rest.endsWith("(state=?)") && /'(?:sent|done)'/u.test(sql))
  );
}

function isOwn(sql: string, name: string): boolean {
  return new RegExp(
    `WITH (?:RECURSIVE )?${name}\\b|pragma_\\w+(?:\\(.*?\\))? AS ${name}\\b`,
    "u",
  ).test(sql);
}

test("no statement reads a table that grows from end to end, but those that are listed", async () => {
  using dir = tempDir();
  using database = openStore(join(dir.path, "state.db"));
  const found: Found[] = [];
  for (const statement of await allStatements()) {
    if (statement.unknown.length > 0) continue;
    const tables = readWhole(database, statement.sql, (name) => name in BOUNDED);
    if (tables.length > 0) found.push(statement);
  }
  expect(found.map(({ sql }) => sql).toSorted()).toEqual(Object.keys(READ_WHOLE).toSorted());
});

test("every statement is known from its file, but those of any table", async () => {
  const unknown = (await allStatements()).filter((each) => each.unknown.length > 0);
  expect([...new Set(unknown.map(({ path }) => path))].toSorted()).toEqual(
    Object.keys(OF_ANY_TABLE),
  );
});

test("what is said to be bounded is a table", () => {
  using dir = tempDir();
  using database = openStore(join(dir.path, "state.db"));
  const sql = "SELECT name FROM pragma_table_list WHERE schema = 'main'";
  const rows = database.query<{ name: string }, []>(sql).all();
  const tables = new Set(rows.map(({ name }) => name));
  const others = ["sqlite_master", "json_each"];
  expect(Object.keys(BOUNDED).filter((name) => !tables.has(name))).toEqual(others);
});

test("the rule finds a scan, a search without a term, and one over everything of a bot", () => {
  using dir = tempDir();
  using database = openStore(join(dir.path, "state.db"));
  const look = (sql: string) => readWhole(database, sql, (name) => name in BOUNDED).length;
  expect(look("SELECT 1 FROM messages WHERE created_at < 5")).toBe(1);
  expect(look("SELECT max(created_at) FROM outbox WHERE chat_id = 'a'")).toBe(1);
  expect(look("SELECT max(rowid) FROM inbox WHERE bot_id = 1")).toBe(1);
  expect(look("DELETE FROM outbox WHERE state IN ('sent') AND created_at < 5")).toBe(1);
  expect(look("SELECT 1 FROM messages AS m WHERE m.created_at < 5")).toBe(1);
  expect(look("SELECT 1 FROM messages WHERE session_id = 'a' AND id > 5")).toBe(0);
  expect(look("SELECT 1 FROM routines")).toBe(0);
  const found = findStatements(
    "a.ts",
    'const W = b ? "x = 1" : "y"; q(`SELECT 1 FROM t WHERE ${W}`)',
  );
  expect(found.map(({ sql }) => sql)).toEqual([
    "SELECT 1 FROM t WHERE x = 1",
    "SELECT 1 FROM t WHERE y",
  ]);
});
