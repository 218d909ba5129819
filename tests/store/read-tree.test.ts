import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openPages, type Pages } from "../../src/store/repair/pages.ts";
import { readTree, type StoredRow, type Value } from "../../src/store/repair/read-tree.ts";
import { tempDir } from "../support/temp.ts";

type Cell = string | number | bigint | Uint8Array | null;

const TABLE = "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)";
const INDEX_LIKE = "CREATE TABLE t (a, b, PRIMARY KEY (a)) WITHOUT ROWID";

/** Writes rows by SQLite; gives where the tree begins. */
function write(
  path: string,
  shape: string,
  rows: readonly (readonly Cell[])[],
  pageBytes = 512,
): number {
  using database = new Database(path);
  database.run(`PRAGMA page_size = ${pageBytes}`);
  database.run(shape);
  const insert = database.query(
    shape === TABLE ? "INSERT INTO t VALUES (?, ?, ?)" : "INSERT INTO t VALUES (?, ?)",
  );
  const all = database.transaction(() => {
    for (const row of rows) insert.run(...row);
  });
  all.immediate();
  const sql = "SELECT rootpage AS root FROM sqlite_master WHERE name = 't'";
  return database.query<{ root: number }, []>(sql).get()?.root ?? 0;
}

function read(pages: Pages, root: number, isTable = true) {
  const rows: StoredRow[] = [];
  const walk = readTree(pages, { root, isTable }, (row) => rows.push(row) > 0);
  return { ...walk, found: rows };
}

function readFile(path: string, root: number, isTable = true, withLog = false) {
  using pages = openPages(path, { withLog });
  return read(pages, root, isTable);
}

/** A number where it can be one. */
function plain(value: Cell): Value {
  if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) return Number(value);
  return value;
}

/** The limits of what SQLite stores in so many bytes, and what is just beyond. */
const NUMBERS: readonly (number | bigint)[] = [
  ...[7n, 15n, 23n, 31n, 47n, 53n, 63n].flatMap((bits) => {
    const limit = 1n << bits;
    const all = [limit - 1n, limit, -limit, -limit - 1n];
    return all.filter((value) => value === BigInt.asIntN(64, value));
  }),
  0,
  1,
  -1,
  2,
  0.5,
  -1e300,
];

describe("readTree() reads what SQLite wrote:", () => {
  test("every kind of value, and any number of a row", () => {
    using dir = tempDir();
    const path = join(dir.path, "a.db");
    const others: readonly Cell[] = ["", "ü\u{1f44d}", new Uint8Array(), new Uint8Array([0, 255])];
    const values: readonly Cell[] = [...NUMBERS, ...others, null];
    const ids = NUMBERS.filter((value) => typeof value === "bigint");
    const rows = values.map(
      (value, index) => [ids[index] ?? BigInt(1_000 + index), value] as const,
    );
    const unique = [...new Map(rows.map((row) => [row[0], row])).values()];
    const root = write(
      path,
      TABLE,
      unique.map(([id, value]) => [id, value, "end"]),
    );
    const { found, isWhole, rows: count } = readFile(path, root);
    expect({ isWhole, count }).toEqual({ isWhole: true, count: unique.length });
    const sorted = unique.toSorted(([one], [other]) => (one < other ? -1 : 1));
    const expected: StoredRow[] = sorted.map(([id, value]) => {
      const rowid = Number.isSafeInteger(Number(id)) ? Number(id) : id;
      return { rowid, values: [null, plain(value), "end"] };
    });
    expect(found).toEqual(expected);
  });

  /** Every size of row about where one more page is needed, and where all of it moves there. */
  const sizesOf = (pageBytes: number, most: number) => {
    const pages = [1, 2, 3].map((times) => times * (pageBytes - 4));
    const least = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
    const limits = [most, least, ...pages, ...pages.flatMap((at) => [at + most, at + least])];
    return [...new Set(limits.flatMap((at) => Array.from({ length: 24 }, (_, i) => at - 14 + i)))];
  };

  test.each([512, 1024, 4096, 65_536])("rows of any size, at %d bytes a page", (pageBytes) => {
    using dir = tempDir();
    for (const isTable of [true, false]) {
      const most = isTable ? pageBytes - 35 : Math.floor(((pageBytes - 12) * 64) / 255) - 23;
      const sizes = sizesOf(pageBytes, most).filter((size) => size > 0);
      const rows = sizes.map((size, id) => {
        const text = `${id} `.padEnd(size, String(id % 10));
        return isTable ? [id, text, id] : [id, text];
      });
      const path = join(dir.path, `${isTable}.db`);
      const root = write(path, isTable ? TABLE : INDEX_LIKE, rows, pageBytes);
      const { isWhole, found } = readFile(path, root, isTable);
      expect(isWhole).toBe(true);
      expect(found.length).toBe(rows.length);
      for (const [index, { values }] of found.entries()) {
        const row = rows[index] ?? [];
        expect(values).toEqual(isTable ? [null, ...row.slice(1)] : row);
      }
    }
  });

  test("the schema, which begins behind the header", () => {
    using dir = tempDir();
    const path = join(dir.path, "a.db");
    const root = write(path, TABLE, []);
    const { found, isWhole } = readFile(path, 1);
    expect(isWhole).toBe(true);
    expect(found.map(({ values }) => values)).toEqual([["table", "t", "t", root, TABLE]]);
  });
});

/** Pages in memory. */
function pagesOf(bytes: Buffer, pageBytes = 512): Pages {
  return {
    usableBytes: pageBytes,
    inLog: [],
    page(number) {
      const page = bytes.subarray((number - 1) * pageBytes, number * pageBytes);
      return number > 0 && page.length === pageBytes ? page : undefined;
    },
    [Symbol.dispose]() {},
  };
}

const ROWS = Array.from({ length: 600 }, (_, id) => [id, `row ${id}`.padStart(8), id % 7]);

function writeRows(path: string, shape: string, count = ROWS.length) {
  const all = shape === TABLE ? ROWS : ROWS.map(([id = 0, text = ""]) => [text, id]);
  const rows = all.slice(0, count);
  const root = write(path, shape, rows);
  return { root, bytes: readFileSync(path), isTable: shape === TABLE };
}

describe.each([TABLE, INDEX_LIKE])("readTree() of a damaged %s", (shape) => {
  test("says that rows are missing exactly when some are, whichever page is gone", () => {
    using dir = tempDir();
    const { root, bytes, isTable } = writeRows(join(dir.path, "a.db"), shape);
    const whole = new Set(read(pagesOf(bytes), root, isTable).found.map(toText));
    expect(whole.size).toBe(ROWS.length);
    let incomplete = 0;
    for (let at = 512; at < bytes.length; at += 512) {
      const damaged = Buffer.from(bytes).fill(0, at, at + 512);
      const { found, isWhole, rows } = read(pagesOf(damaged), root, isTable);
      expect(rows).toBe(found.length);
      expect({ at, isWhole }).toEqual({ at, isWhole: rows === ROWS.length });
      for (const row of found) expect(whole.has(toText(row))).toBe(true);
      if (!isWhole) incomplete++;
    }
    expect(incomplete).toBeGreaterThan(10);
  });

  test("gives no row twice and comes to an end, wherever its root leads back to", () => {
    using dir = tempDir();
    const { root, bytes, isTable } = writeRows(join(dir.path, "a.db"), shape);
    for (let page = 0; page <= bytes.length / 512 + 1; page++) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt32BE(page, (root - 1) * 512 + 8);
      const { found, isWhole } = read(pagesOf(damaged), root, isTable);
      expect(new Set(found.map(toText)).size).toBe(found.length);
      if (page === root || page === 0) expect(isWhole).toBe(false);
    }
  });

  test("misreads no value of any byte", () => {
    using dir = tempDir();
    const { root, bytes, isTable } = writeRows(join(dir.path, "a.db"), shape, 40);
    for (let at = 512; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = at % 2 === 0 ? 0xff : (damaged[at] ?? 0) ^ 1;
      const { rows, found } = read(pagesOf(damaged), root, isTable);
      expect(rows).toBe(found.length);
    }
  });
});

function toText(row: StoredRow): string {
  return JSON.stringify(row);
}

describe("readTree()", () => {
  test("says that rows are missing where a cell is beyond its page", () => {
    using dir = tempDir();
    const { root, bytes } = writeRows(join(dir.path, "a.db"), TABLE);
    const leaf = Array.from({ length: bytes.length / 512 }, (_, index) => index * 512).findLast(
      (at) => bytes[at] === 0x0d,
    );
    for (const page of [(root - 1) * 512 + 12, (leaf ?? 0) + 8]) {
      for (const place of [511, 512, 0xffff]) {
        const damaged = Buffer.from(bytes);
        damaged.writeUInt16BE(place, page);
        const { isWhole, rows } = read(pagesOf(damaged), root);
        expect(isWhole).toBe(false);
        expect(rows).toBeLessThan(ROWS.length);
        expect(rows).toBeGreaterThan(0);
      }
    }
  });

  test("counts a row that is not taken as one that is missing", () => {
    using dir = tempDir();
    const { root, bytes } = writeRows(join(dir.path, "a.db"), TABLE);
    const walk = readTree(pagesOf(bytes), { root, isTable: true }, ({ rowid }) => rowid !== 5);
    expect(walk).toEqual({ isWhole: false, rows: ROWS.length - 1 });
  });

  test("gives no row whose parts do not add up, or are of no kind that there is", () => {
    const rowOf = (...payload: readonly number[]) => {
      const bytes = Buffer.alloc(1024);
      bytes[512] = 0x0d;
      bytes.writeUInt16BE(1, 512 + 3);
      bytes.writeUInt16BE(100, 512 + 8);
      bytes.set([payload.length, 7, ...payload], 512 + 100);
      return read(pagesOf(bytes), 2).found.map(({ values }) => values);
    };
    expect(rowOf(3, 1, 9, 5)).toEqual([[5, 1]]);
    expect(rowOf(3, 1, 9, 5, 5)).toEqual([]);
    expect(rowOf(3, 1, 9)).toEqual([]);
    expect([10, 11].map((type) => rowOf(2, type))).toEqual([[], []]);
    const negative = Array.from({ length: 9 }, () => 0xff);
    expect(rowOf(11, ...negative, 26)).toEqual([]); // seven bytes back and forth again
    const beyond = Array.from({ length: 58 }, () => 0);
    expect(rowOf(2, 0x81, ...beyond)).toEqual([]); // the kind reaches over the end of its list
  });

  test("goes no deeper than any tree is", () => {
    const rowsAt = (depth: number) => {
      // Page after page with nothing but the next, behind them a leaf with one row: number 7, NULL.
      const bytes = Buffer.alloc(512 * (depth + 1));
      for (let page = 1; page <= depth; page++) {
        bytes[page * 512] = 0x05;
        bytes.writeUInt32BE(page + 2, page * 512 + 8);
      }
      const leaf = Buffer.concat([bytes, Buffer.alloc(512)]);
      const at = bytes.length;
      leaf[at] = 0x0d;
      leaf.writeUInt16BE(1, at + 3);
      leaf.writeUInt16BE(100, at + 8);
      leaf.set([2, 7, 2, 0], at + 100);
      return read(pagesOf(leaf), 2).found;
    };
    const row = { rowid: 7, values: [null] };
    expect([0, 1, 24, 25].map(rowsAt)).toEqual([[row], [row], [row], []]);
  });

  test("gives no row whose overflow pages lead back, or are not there", () => {
    using dir = tempDir();
    const path = join(dir.path, "a.db");
    const root = write(path, TABLE, [[1, "x".repeat(3_000), 0]]);
    const bytes = readFileSync(path);
    expect(read(pagesOf(bytes), root)).toMatchObject({ isWhole: true, rows: 1 });
    const overflow = Array.from({ length: bytes.length / 512 - root }, (_, i) => root + 1 + i);
    expect(overflow.length).toBeGreaterThan(4);
    for (const page of overflow.slice(0, -1)) {
      for (const next of [0, page, root + 1, 9_999]) {
        const damaged = Buffer.from(bytes);
        damaged.writeUInt32BE(next, (page - 1) * 512);
        const found = read(pagesOf(damaged), root);
        const isLast = damaged.equals(bytes);
        if (!isLast) expect({ page, next, ...found }).toMatchObject({ isWhole: false, rows: 0 });
      }
    }
  });
});
