import { describe, expect, test } from "bun:test";
import {
  quote,
  readShapes,
  type TableShape,
  toOwnRow,
} from "../../src/store/repair/table-shapes.ts";
import { memoryStore } from "../support/fresh-store.ts";

const TABLES = `
  CREATE TABLE a_own (b TEXT, n INTEGER NOT NULL, v REAL, PRIMARY KEY (n, b)) STRICT, WITHOUT ROWID;
  CREATE TABLE a_number (id INTEGER PRIMARY KEY, "x_json" TEXT, raw BLOB NOT NULL) STRICT;
  CREATE TABLE a_pair (i INTEGER, j INTEGER, t TEXT NOT NULL, PRIMARY KEY (i, j)) STRICT;
  CREATE TABLE a_text (name TEXT PRIMARY KEY, big INTEGER) STRICT;
  CREATE INDEX a_by_big ON a_text (big)`;

function shapes(unordered?: "backwards"): ReadonlyMap<string, TableShape> {
  using store = memoryStore(unordered);
  store.run(TABLES);
  return new Map(readShapes(store).map((shape) => [shape.table, shape]));
}

describe("readShapes()", () => {
  test.each([[undefined], ["backwards"]] as const)("gives tables by name, %s too", (unordered) => {
    const names = [...shapes(unordered).keys()];
    expect(names).toEqual(names.toSorted());
    expect(names).toContain("messages");
    // Made from others, or SQLite's own.
    for (const name of ["memory_words", "sqlite_sequence", "sqlite_schema"]) {
      expect(names).not.toContain(name);
    }
  });

  test("says how each stores its rows", () => {
    const of = shapes();
    const columns = (table: string) => of.get(table)?.columns.map(({ name }) => name);
    const facts = ["a_own", "a_number", "a_pair", "a_text"].map((table) => {
      const { hasRowid, numberColumn, indexes = [] } = of.get(table) ?? {};
      return [
        table,
        columns(table)?.join(" "),
        hasRowid,
        numberColumn,
        indexes.includes("a_by_big"),
      ];
    });
    expect(facts).toEqual([
      ["a_own", "n b v", false, undefined, false],
      ["a_number", "id x_json raw", true, "id", false],
      ["a_pair", "i j t", true, undefined, false],
      ["a_text", "name big", true, undefined, true],
    ]);
  });
});

describe("toOwnRow()", () => {
  const bytes = new Uint8Array([1]);
  const ROWS = [
    ["a_number", [null, "{}", bytes], [7, "{}", bytes]],
    ["a_number", [null, "", bytes], [7, "", bytes]],
    ["a_number", [null, null, bytes], [7, null, bytes]],
    ["a_number", [null], [7]], // a column that came later
    ["a_number", [null, "{", bytes], undefined],
    ["a_number", [null, "{}", null], undefined],
    ["a_number", [null, "{}", "text"], undefined],
    ["a_number", [null, "{}", 1], undefined],
    ["a_number", [null, "{}", bytes, 1], undefined],
    ["a_number", [null, 1, bytes], undefined],
    ["a_text", ["a", 9n], ["a", 9n]],
    ["a_text", ["{", 9], ["{", 9]],
    ["a_text", ["a", "9"], undefined],
    ["a_text", ["a", bytes], undefined],
    ["a_text", [bytes, 9], undefined],
    ["a_own", [1, "b", 0.5], [1, "b", 0.5]],
    ["a_own", [1, "b", "0.5"], undefined],
  ] as const;

  test("takes what a table can have written, its number among the values", () => {
    const of = shapes();
    for (const [table, values, expected] of ROWS) {
      const shape = of.get(table);
      if (!shape) throw new Error("there is no such table");
      const row = toOwnRow(shape, { rowid: 7, values });
      expect({ values, row }).toEqual({ values, row: expected });
    }
  });

  test("quotes any name of a table", () => {
    using store = memoryStore();
    const name = `a"b"; DROP TABLE messages; --`;
    store.run(`CREATE TABLE ${quote(name)} (x)`);
    const sql = "SELECT count(*) AS n FROM sqlite_schema WHERE name IN (?, 'messages')";
    expect(store.query(sql).get(name)).toEqual({ n: 2 });
  });
});
