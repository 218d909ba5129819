import type { Database } from "bun:sqlite";
import { expect } from "bun:test";

/** What a column holds. */
export type Value = string | number | null;

/** A row as the database has it. */
export type Row = Readonly<Record<string, Value>>;

/** A value of each column. */
type Cross<Axes> = {
  readonly [Column in keyof Axes]: Axes[Column] extends readonly (infer V)[] ? V : never;
};

/**
 * A row for every combination of these values, and what `more` adds to it. Whatever condition a
 * statement forgets, two rows are there that only that one tells apart.
 */
export function cross<const Axes extends Readonly<Record<string, readonly Value[]>>, More>(
  axes: Axes,
  more: (row: Cross<Axes>, index: number, count: number) => More,
): readonly (Cross<Axes> & More)[] {
  let rows: Row[] = [{}];
  for (const [column, values] of Object.entries(axes)) {
    const longer: Row[] = [];
    for (const row of rows) for (const value of values) longer.push({ ...row, [column]: value });
    rows = longer;
  }
  const isWhole = (row: Row): row is Row & Cross<Axes> =>
    Object.keys(axes).every((column) => column in row);
  const made: (Cross<Axes> & More)[] = [];
  const whole = rows.filter(isWhole);
  for (const [index, row] of whole.entries()) {
    made.push({ ...row, ...more(row, index, whole.length) });
  }
  return made;
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

/** Every row that was written again. */
function sorted(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

function tablesOf(store: Database): readonly string[] {
  const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'";
  const names = store.query<{ name: string }, []>(sql).all();
  return names.map(({ name }) => name).filter((name) => !name.startsWith("memory_words"));
}
