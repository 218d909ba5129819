import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { examineState, openState } from "../../src/store/open/open.ts";
import { listCopies } from "../../src/store/open/state-files.ts";
import { StateError } from "../../src/store/open/state-trouble.ts";
import { quote, readShapes } from "../../src/store/repair/table-shapes.ts";
import { oneOf } from "../support/long.ts";
import { openBeside } from "../support/open-beside.ts";
import { overwrite } from "../support/overwrite.ts";
import { liveADay } from "../support/state-day.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const PAGE = 4096;
const DOCS = join(import.meta.dir, "../../docs/recovery.md");

/** The keys of rows by table, each as JSON. */
type Contents = ReadonlyMap<string, ReadonlySet<string>>;

/** What is in `damage` of the table of docs/recovery.md, and how to do it. */
type Damage = readonly [name: string, damage: (home: string, path: string) => void];

/** These need the log that a crash left: the newest pages are in it. */
const WITH_LOG: readonly Damage[] = [
  ["none: a crash left its log", () => {}],
  ["deleted, its log still there", (_, path) => rmSync(path)],
];

/** These leave an older file in place: what was done since it does not know. */
const OLDER: readonly Damage[] = [
  ["replaced by half a copy", (home, path) => halfACopy(home, path)],
  ["its log is deleted", (_, path) => rmSync(`${path}-wal`)],
  ["its log is damaged", (_, path) => noise(`${path}-wal`, 1)],
  ["its log is another database's", (home, path) => foreignLog(home, path)],
];

const DAMAGES: readonly Damage[] = [
  ["a page of a table is zeroed", (_, path) => zero(path, leafOf(path, "messages"))],
  ["a page of a table holds random bytes", (_, path) => noise(path, leafOf(path, "messages"))],
  ["the page on which a table begins is zeroed", (_, path) => zero(path, rootOf(path, "routines"))],
  ["a page of an index is zeroed", (_, path) => zero(path, rootOf(path, "messages_by_session"))],
  ["one page is in the place of another", (_, path) => swapPages(path)],
  ["every tenth page is zeroed", (_, path) => everyTenth(path)],
  ["the header is destroyed", (_, path) => overwrite(path, 0, Buffer.alloc(100, 0xa5))],
  ["the first page is zeroed", (_, path) => zero(path, 1)],
  ["a row of the schema is broken", (_, path) => breakSchema(path)],
  ["the schema gives a table the root of another", (_, path) => wrongRoot(path)],
  ["the list of free pages is a loop", (_, path) => loopFreelist(path)],
  ["cut off in the middle", (_, path) => truncateSync(path, statSync(path).size / 2)],
  ["cut off within a page", (_, path) => truncateSync(path, 20 * PAGE + 77)],
  ["cut off within its header", (_, path) => truncateSync(path, 50)],
  ["replaced by a text", (_, path) => replace(path, "words ".repeat(3000))],
  ["replaced by another program's database", (_, path) => foreignDatabase(path)],
  ["emptied", (_, path) => replace(path, "")],
  ["deleted with its log", (_, path) => replace(path, undefined)],
  ["a folder in its place", (_, path) => mkdirSync(replace(path, undefined))],
  ["a FIFO in its place", (_, path) => Bun.spawnSync(["mkfifo", replace(path, undefined)])],
  ["deleted, and so is every copy", (home, path) => deleteAll(home, path)],
];

const ALL = [...WITH_LOG, ...OLDER, ...DAMAGES];
/** A third of them in `npm test`; `LONG=all UPDATE_DOCS=1` rewrites the table. */
const PLAYED = oneOf(3, ALL);

const origin = tempDir();
const crashed = join(origin.path, "crashed");
let truth: Contents = new Map();
let waitedInTruth: ReadonlySet<string> = new Set();
const lines: string[] = [];

beforeAll(() => {
  const day = join(origin.path, "day");
  mkdirSync(day);
  using store = liveADay(day);
  truth = readKeys(store);
  waitedInTruth = readWaiting(store);
  cpSync(day, crashed, { recursive: true });
  rmSync(join(crashed, "state.db-shm"));
});
afterAll(() => origin[Symbol.dispose]());

describe("papayu doctor --repair", () => {
  for (const [name, damage] of PLAYED) {
    const isOlder = OLDER.some(([each]) => each === name);
    test(`keeps what can be read: ${name}`, async () => {
      using dir = tempDir();
      const sandbox = createSandbox(dir.path, "");
      cpSync(crashed, sandbox.home, { recursive: true });
      const path = join(sandbox.home, "state.db");
      if (DAMAGES.some(([each]) => each === name)) openState(sandbox.home).close();
      damage(sandbox.home, path);
      const trouble = examine(sandbox.home);
      const { exitCode, stdout } = await sandbox.run("doctor", "--repair", "--yes", "--json");
      expect(exitCode).toBe(0);
      const { tables, aside = "" }: { tables: { fromCopy: number }[]; aside?: string } =
        JSON.parse(stdout);
      if (trouble !== "whole" && trouble !== "gone")
        expect(readdirSync(aside)).toContain("state.db");
      expect(examine(sandbox.home)).toBe("whole");
      using repaired = openState(sandbox.home);
      const found = readKeys(repaired);
      const fromCopy = tables.reduce((sum, each) => sum + each.fromCopy, 0);
      const [lost, back] = [countMissing(truth, found), countMissing(found, truth)];
      const kept = countMissing(found, new Map()) - back;
      lines.push(`| ${name} | ${trouble} | ${kept} | ${fromCopy} | ${lost} | ${back} |`);
      // Nothing that was done is done again.
      if (!isOlder)
        expect([...readWaiting(repaired)].filter((row) => !waitedInTruth.has(row))).toEqual([]);
      expect(repaired.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    });
  }

  test("docs/recovery.md says of every damage what came of it", () => {
    const docs = readFileSync(DOCS, "utf8");
    const table = /(?<=\n\| damage .*\n\|[- |]+\|\n)(?:\|.*\|\n)*/;
    if (process.env["UPDATE_DOCS"] && PLAYED.length === ALL.length) {
      writeFileSync(DOCS, docs.replace(table, `${lines.join("\n")}\n`));
    }
    const rows = table.exec(readFileSync(DOCS, "utf8"))?.[0].trim().split("\n") ?? [];
    expect(rows).toHaveLength(ALL.length);
    const names = new Set(PLAYED.map(([name]) => `| ${name} |`));
    const isPlayed = (row: string) => [...names].some((name) => row.startsWith(name));
    expect(rows.filter(isPlayed)).toEqual(lines);
  });

  test("asks first, and changes nothing without a yes", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "");
    cpSync(crashed, sandbox.home, { recursive: true });
    openState(sandbox.home).close();
    zero(join(sandbox.home, "state.db"), 1);
    const before = readTree(sandbox.home);
    const { exitCode, stdout } = await sandbox.run("doctor", "--repair");
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/This can be kept:\n[^]* {2}routines +90 rows\n[^]*Nothing was changed/);
    const after = readTree(sandbox.home);
    for (const name of Object.keys(before)) expect(after[name]).toEqual(before[name]);
    expect(Object.keys(after).filter((name) => name.includes("repair-"))).toEqual([]);
  });

  test("says by its words and its exit code that the file was written to while it was replaced", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "");
    cpSync(crashed, sandbox.home, { recursive: true });
    openState(sandbox.home).close();
    overwrite(join(sandbox.home, "state.db"), 0, Buffer.alloc(100, 0xa5));
    const preload = Bun.fileURLToPath(import.meta.resolve("./late-row-preload.ts"));
    const main = join(import.meta.dir, "../../src/main.ts");
    const args = [process.execPath, "--preload", preload, main, "doctor", "--repair", "--yes"];
    const ran = Bun.spawnSync(args, { env: sandbox.env, cwd: dir.path });
    expect(ran.stdout.toString()).toMatch(/Repaired, but another program stored something/);
    expect(ran.exitCode).toBe(1);
  });

  test("refuses while a daemon runs, and for what is not in the file", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "");
    {
      await using daemon = await sandbox.start();
      const { exitCode, stderr } = await sandbox.run("doctor", "--repair", "--yes");
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 1 });
      expect(stderr).toMatch(new RegExp(`ERR_STORE_REPAIR: .*pid ${daemon.pid}.*papayu stop`));
    }
    const path = join(sandbox.home, "state.db");
    using holder = openBeside(path); // the daemon's last copy may still read
    holder.run("PRAGMA locking_mode = EXCLUSIVE");
    holder.run("BEGIN EXCLUSIVE");
    const locked = await sandbox.run("doctor", "--repair", "--yes");
    expect(locked).toMatchObject({ exitCode: 1 });
    expect(locked.stderr).toMatch(/ERR_STORE_REPAIR: .*another program holds it/);
    const looked = await sandbox.json("doctor");
    expect(JSON.stringify(looked.report)).toMatch(/"name":"database","state":"warning"/);
    holder.run("ROLLBACK");
    holder.close();
    execute(path, "PRAGMA user_version = 999");
    const newer = await sandbox.run("doctor", "--repair", "--yes");
    expect(newer.stderr).toMatch(/ERR_STORE_REPAIR: .*update papa-yu/);
    expect(existsSync(path)).toBe(true);
  });

  test("--adopt makes another home's database this home's after a yes; --repair goes back to a copy", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "");
    const path = join(sandbox.home, "state.db");
    const other = join(dir.path, "other");
    openState(other).close();
    const exchange = () => {
      rmSync(sandbox.home, { recursive: true, force: true });
      cpSync(crashed, sandbox.home, { recursive: true });
      openState(sandbox.home).close();
      cpSync(join(other, "state.db"), path);
    };
    exchange();
    expect(await sandbox.run("start")).toMatchObject({ exitCode: 1 });
    const asked = await sandbox.run("doctor", "--adopt");
    expect(asked).toMatchObject({ exitCode: 3 });
    expect(asked.stdout).toMatch(/ 0 paired people[^]*Nothing was changed/);
    expect(examine(sandbox.home)).toBe("other_home");
    expect(await sandbox.run("doctor", "--adopt", "--yes")).toMatchObject({ exitCode: 0 });
    expect(examine(sandbox.home)).toBe("whole");
    expect(existsSync(path)).toBe(true);
    exchange();
    const { exitCode, report } = await sandbox.json("doctor", "--repair", "--yes");
    expect(exitCode).toBe(0);
    expect(readdirSync(report["aside"] ?? "")).toContain("state.db");
    expect(examine(sandbox.home)).toBe("whole");
    using store = openState(sandbox.home);
    expect(store.query("SELECT count(*) AS n FROM paired_users").get()).toEqual({ n: 60 });
  });

  test("neither --adopt nor --repair mixes another home's database with the log of this one's", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "");
    const path = join(sandbox.home, "state.db");
    const log = `${path}-wal`;
    const other = join(dir.path, "other");
    {
      using store = openState(other);
      store.run("INSERT INTO settings (key, value) VALUES ('undo.tx', 'theirs')");
    }
    const theirs = readFileSync(join(other, "state.db"));
    const exchange = () => {
      rmSync(sandbox.home, { recursive: true, force: true });
      {
        using store = openState(sandbox.home);
        store.run("INSERT INTO settings (key, value) VALUES ('undo.tx', 'mine')");
        cpSync(log, join(dir.path, "log")); // as a kill leaves it
      }
      cpSync(join(other, "state.db"), path);
      cpSync(join(dir.path, "log"), log);
    };
    exchange();
    expect(await sandbox.run("start")).toMatchObject({ exitCode: 1 });
    expect(await sandbox.run("doctor", "--adopt")).toMatchObject({ exitCode: 3 });
    expect(readFileSync(path)).toEqual(theirs);
    expect(await sandbox.run("doctor", "--adopt", "--yes")).toMatchObject({ exitCode: 0 });
    const aside = readdirSync(sandbox.home).find((name) => name.startsWith("damaged-")) ?? "";
    const kept = readFileSync(join(sandbox.home, aside, "state.db-wal"));
    expect(kept).toEqual(readFileSync(join(dir.path, "log")));
    {
      using store = openState(sandbox.home);
      const row = store.query("SELECT value FROM settings WHERE key = 'undo.tx'").get();
      expect(row).toEqual({ value: "theirs" });
    }
    exchange();
    const { report } = await sandbox.json("doctor", "--repair", "--yes");
    expect(readFileSync(join(report["aside"] ?? "", "state.db"))).toEqual(theirs);
    expect(examine(sandbox.home)).toBe("whole");
  });

  test("is what a start names that finds its database damaged, emptied or gone", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "");
    const path = join(sandbox.home, "state.db");
    for (const [code, damage] of [
      ["ERR_STORE_DAMAGED", () => zero(path, leafOf(path, "messages"))],
      ["ERR_STORE_GONE", () => replace(path, "")],
      ["ERR_STORE_GONE", () => replace(path, undefined)],
    ] as const) {
      rmSync(sandbox.home, { recursive: true, force: true });
      cpSync(crashed, sandbox.home, { recursive: true });
      openState(sandbox.home).close();
      damage();
      const { exitCode, stderr } = await sandbox.run("start");
      expect(exitCode).toBe(1);
      expect(stderr).toContain(code);
      expect(stderr).toContain("papayu doctor --repair");
    }
  });
});

function examine(home: string): string {
  try {
    return examineState(home);
  } catch (error) {
    if (error instanceof StateError) return error.trouble;
    throw error;
  }
}

/** The keys of all rows, by table. */
function readKeys(store: Database): Contents {
  const entries = readShapes(store).map(({ table }) => {
    const keys = store
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?) WHERE pk > 0")
      .all(table)
      .map(({ name }) => quote(name));
    const rows = keys.length === 0 ? [] : store.query(`SELECT ${keys.join()} FROM ${table}`).all();
    return [table, new Set(rows.map((row) => JSON.stringify(row)))] as const;
  });
  return new Map(entries);
}

function countMissing(of: Contents, there: Contents): number {
  const missing = [...of].map(
    ([table, rows]) => [...rows].filter((row) => !there.get(table)?.has(row)).length,
  );
  return missing.reduce((sum, count) => sum + count, 0);
}

/** What would be worked on, or sent. */
function readWaiting(store: Database): ReadonlySet<string> {
  const sql = `SELECT 'in' AS way, update_id AS id FROM inbox WHERE state = 'waiting'
    UNION ALL SELECT 'out', id FROM outbox WHERE state = 'waiting'`;
  return new Set(
    store
      .query(sql)
      .all()
      .map((row) => JSON.stringify(row)),
  );
}

function execute(path: string, ...statements: readonly string[]): void {
  using database = openBeside(path);
  for (const sql of statements) database.run(sql);
}

/** Looked up in a copy: a look into the file itself would write its log into it. */
function rootOf(path: string, name: string): number {
  const { roots } = JSON.parse(readFileSync(join(path, "../state.begun"), "utf8"));
  return roots[name];
}

/** The first leaf of a table that has several pages. */
function leafOf(path: string, table: string): number {
  const root = readPage(path, rootOf(path, table));
  return root.readUInt32BE(root.readUInt16BE(12));
}

function readPage(path: string, page: number): Buffer {
  return readFileSync(path).subarray((page - 1) * PAGE, page * PAGE);
}

function zero(path: string, page: number): void {
  overwrite(path, (page - 1) * PAGE, Buffer.alloc(PAGE));
}

/** The same on every run. */
function noise(path: string, page: number): void {
  const bytes = Buffer.from(Array.from({ length: PAGE / 2 }, (_, n) => (n * 7919 + 13) % 251));
  overwrite(path, (page - 1) * PAGE + 512, bytes);
}

function swapPages(path: string): void {
  const [one, other] = [leafOf(path, "messages"), rootOf(path, "sessions")];
  const [first, second] = [readPage(path, one), readPage(path, other)];
  overwrite(path, (one - 1) * PAGE, second);
  overwrite(path, (other - 1) * PAGE, first);
}

function everyTenth(path: string): void {
  for (let page = 10; page <= statSync(path).size / PAGE; page += 10) zero(path, page);
}

function breakSchema(path: string): void {
  const bytes = readFileSync(path);
  const text = "CREATE TABLE settings";
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    overwrite(path, at, Buffer.from("CREATE TABLE ((((((((")); // as long
  }
}

/** The number is in front of the statement that makes the table. */
function wrongRoot(path: string): void {
  const bytes = readFileSync(path);
  const [from, to] = [rootOf(path, "routines"), rootOf(path, "search_cache")];
  const text = "CREATE TABLE routines (";
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    if (bytes[at - 1] === from) overwrite(path, at - 1, Buffer.from([to]));
  }
}

/** A trunk of the list that names itself as the next. */
function loopFreelist(path: string): void {
  const pages = statSync(path).size / PAGE;
  truncateSync(path, (pages + 1) * PAGE);
  const trunk = Buffer.alloc(PAGE);
  trunk.writeUInt32BE(pages + 1, 0);
  overwrite(path, pages * PAGE, trunk);
  const header = Buffer.alloc(12);
  header.writeUInt32BE(pages + 1, 0); // pages in all
  header.writeUInt32BE(pages + 1, 4); // the first trunk
  header.writeUInt32BE(9, 8);
  overwrite(path, 28, header);
}

function foreignLog(home: string, path: string): void {
  const other = join(home, "other.db");
  using database = openBeside(other);
  database.run("PRAGMA journal_mode = WAL");
  database.run("CREATE TABLE bookmarks (url TEXT)");
  for (let n = 0; n < 300; n++) database.run(`INSERT INTO bookmarks VALUES ('${"x".repeat(99)}')`);
  cpSync(`${other}-wal`, `${path}-wal`);
  for (const ending of ["", "-wal", "-shm"]) rmSync(other + ending);
}

/** Gives the path, for what is to be there. */
function replace(path: string, text: string | undefined): string {
  for (const ending of ["", "-wal"]) rmSync(path + ending, { force: true });
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

function foreignDatabase(path: string): void {
  replace(path, undefined);
  execute(path, "CREATE TABLE bookmarks (url TEXT)", "INSERT INTO bookmarks VALUES ('x')");
}

function halfACopy(home: string, path: string): void {
  replace(path, undefined);
  const [copy] = listCopies(home);
  cpSync(copy?.path ?? "", path);
  truncateSync(path, statSync(path).size / 2);
}

function deleteAll(home: string, path: string): void {
  replace(path, undefined);
  rmSync(join(home, "backups"), { recursive: true });
}
