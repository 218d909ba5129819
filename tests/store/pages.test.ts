import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPages } from "../../src/store/repair/pages.ts";
import { readTree, type Value } from "../../src/store/repair/read-tree.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { tempDir } from "../support/temp.ts";

const COMMITS = 3;

/** A database whose commits are in its log, each with a row that takes several pages. */
function crash(dir: string, pageBytes = 512): string {
  const path = join(dir, "live.db");
  using database = new Database(path);
  database.run(`PRAGMA page_size = ${pageBytes}`);
  database.run("PRAGMA journal_mode = WAL");
  database.run("CREATE TABLE t (id INTEGER PRIMARY KEY, text)");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const insert = database.query("INSERT INTO t (text) VALUES (?)");
  for (let id = 1; id <= COMMITS; id++) insert.run(`${id}`.padEnd(3 * pageBytes, "-"));
  // Not committed: too much for the cache, so that its pages are in the log, too.
  database.run("PRAGMA cache_size = 1");
  database.run("BEGIN");
  for (let id = 1; id <= 40; id++) insert.run("never".padEnd(3 * pageBytes, "-"));
  const crashed = join(dir, "crashed.db");
  for (const ending of ["", "-wal"]) copyFileSync(path + ending, crashed + ending);
  database.run("ROLLBACK");
  return crashed;
}

function readTexts(path: string, withLog = true): readonly (Value | undefined)[] {
  using pages = openPages(path, { withLog });
  const texts: (Value | undefined)[] = [];
  readTree(pages, { root: 2, isTable: true }, ({ values }) => texts.push(values[1]) > 0);
  return texts;
}

/** What SQLite makes of the same two files. */
function askSqlite(path: string): readonly (Value | undefined)[] {
  using database = new Database(path);
  const query = database.query<{ text: string }, []>("SELECT text FROM t ORDER BY id");
  return query.all().map(({ text }) => text);
}

/** Both readings of a database whose log is this one. */
function readBoth(dir: string, crashed: string, log: Uint8Array) {
  const path = join(dir, "damaged.db");
  copyFileSync(crashed, path);
  writeFileSync(`${path}-wal`, log);
  const texts = readTexts(path);
  return { texts, expected: askSqlite(path) };
}

test.each([512, 1024, 65_536])(
  "openPages() reads what was committed, at %d bytes a page",
  (bytes) => {
    using dir = tempDir();
    const path = crash(dir.path, bytes);
    expect(readTexts(path, false)).toEqual([]);
    const texts = readTexts(path);
    expect(texts).toHaveLength(COMMITS);
    expect(texts).toEqual(askSqlite(path));
  },
);

test("openPages() closes what it opened", () => {
  using dir = tempDir();
  const path = crash(dir.path);
  for (let times = 0; times < 3; times++) readTexts(path);
  expect(countOpenFiles(dir.path)).toBe(0);
});

test("openPages() believes a log that is cut off as far as SQLite does", () => {
  using dir = tempDir();
  const path = crash(dir.path);
  const log = readFileSync(`${path}-wal`);
  const seen = new Set<number>();
  for (let length = 0; length <= log.length; length += length < 9_000 ? 131 : 4_001) {
    const { texts, expected } = readBoth(dir.path, path, log.subarray(0, length));
    expect({ length, texts }).toEqual({ length, texts: expected });
    seen.add(texts.length);
  }
  expect(seen.size).toBe(COMMITS + 1);
});

test("openPages() believes a log with a wrong byte as far as SQLite does", () => {
  using dir = tempDir();
  const path = crash(dir.path);
  const log = readFileSync(`${path}-wal`);
  const places = Array.from({ length: 32 }, (_, at) => at);
  const inFrame = [0, 3, 7, 8, 12, 16, 23, 24, 300, 535];
  for (let frame = 0; frame < 24; frame++) {
    for (const at of [0, 5]) places.push(32 + frame * 536 + (inFrame[(frame + at) % 10] ?? 0));
  }
  for (const at of places) {
    const damaged = Buffer.from(log);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    const { texts, expected } = readBoth(dir.path, path, damaged);
    expect({ at, texts }).toEqual({ at, texts: expected });
  }
});

test("openPages() takes the usual size of a page where the header says none, and gives no half a page", () => {
  using dir = tempDir();
  const path = join(dir.path, "a.db");
  const page = Buffer.alloc(4096, 7);
  for (const [stored, usable] of [
    [0, 4096],
    [511, 4096],
    [513, 4096],
    [256, 4096],
    [512, 512 - 9],
    [1, 65_536 - 9],
    [32_768, 32_768 - 9],
  ] as const) {
    const header = Buffer.from("SQLite format 3\0".padEnd(4096, "\0"), "latin1");
    header.writeUInt16BE(stored, 16);
    header[20] = 9;
    writeFileSync(path, Buffer.concat([header, page]));
    using pages = openPages(path, { withLog: true });
    expect({ stored, usable: pages.usableBytes }).toEqual({
      stored,
      usable: usable === 4096 ? 4096 - 9 : usable,
    });
  }
  writeFileSync(path, Buffer.concat([page, page]));
  truncateSync(path, 8191);
  using pages = openPages(path, { withLog: true });
  expect(pages.usableBytes).toBe(4096);
  expect([0, 1, 2, 3].map((number) => pages.page(number)?.length)).toEqual([
    undefined,
    4096,
    undefined,
    undefined,
  ]);
});
