import type { Database } from "bun:sqlite";
import { expect } from "bun:test";

/** What a column holds. */
export type Value = string | number | null;

/** A row as the database has it. */
export type Row = Readonly<Record<string, Value>>;

/**
 * A row for every combination of these values. Whatever condition a statement forgets, two rows are
 * there that only that one tells apart.
 */
export function cross<Axes extends Readonly<Record<string, readonly Value[]>>>(
  axes: Axes,
): readonly { readonly [Column in keyof Axes]: Axes[Column][number] }[] {
  let rows: readonly Row[] = [{}];
  for (const [column, values] of Object.entries(axes)) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [column]: value })));
  }
  // Each row got a value of every axis.
  return rows as readonly { readonly [Column in keyof Axes]: Axes[Column][number] }[];
}

/** Puts rows into a table as they are. */
export function fill(store: Database, table: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const signs = columns.map(() => "?").join(", ");
  const insert = store.query(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${signs})`);
  const all = store.transaction(() => {
    for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
  });
  all.immediate();
}

/** All rows of a table. */
export function rowsOf(store: Database, table: string): readonly Row[] {
  return store.query<Row, []>(`SELECT * FROM ${table}`).all();
}

/**
 * Expects of what `act` does that each row of the table becomes what `become` says of it alone,
 * undefined for gone, and that no other table is touched.
 */
export function expectEach(
  store: Database,
  table: string,
  act: () => unknown,
  become: (row: Row) => Row | undefined,
): void {
  const others = tablesOf(store).filter((name) => name !== table);
  const read = () => others.map((name) => rowsOf(store, name));
  const before = read();
  const expected = rowsOf(store, table)
    .map(become)
    .filter((row) => row !== undefined);
  act();
  expect(sorted(rowsOf(store, table))).toEqual(sorted(expected));
  expect(read()).toEqual(before);
}

/** Whatever row was written anew. */
function sorted(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

function tablesOf(store: Database): readonly string[] {
  const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'";
  const names = store.query<{ name: string }, []>(sql).all();
  return names.map(({ name }) => name).filter((name) => !name.startsWith("memory_words"));
}
