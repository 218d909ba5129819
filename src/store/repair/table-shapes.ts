import type { Database } from "bun:sqlite";
import type { StoredRow, Value } from "./read-tree.ts";

/** A column of a STRICT table. */
export interface Column {
  readonly name: string;
  readonly type: "TEXT" | "INTEGER" | "REAL" | "BLOB";
  readonly isRequired: boolean;
}

/** A table as its rows are stored. */
export interface TableShape {
  readonly table: string;
  /** In the order of a stored row. */
  readonly columns: readonly Column[];
  /** False for a table that is its own index. */
  readonly hasRowid: boolean;
  /** The column that is the row's number, which is not stored among the others. */
  readonly numberColumn: string | undefined;
  readonly indexes: readonly string[];
}

/** The tables of a database that hold what people would miss; what is made from them is left out. */
export function readShapes(database: Database): readonly TableShape[] {
  const sql = `SELECT name, wr FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`;
  const tables = database.query<{ name: string; wr: number }, []>(sql).all();
  return tables.map(({ name, wr }) => {
    const columns = database
      .query<{ name: string; type: Column["type"]; pk: number; notnull: number }, [string]>(
        'SELECT name, type, pk, "notnull" FROM pragma_table_info(?)',
      )
      .all(name)
      .map(({ name: column, type, pk, notnull }) => {
        return { name: column, type, pk, isRequired: notnull === 1 };
      });
    const keys = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    const [only, ...more] = keys;
    const isNumbered = wr === 0 && more.length === 0 && only?.type === "INTEGER";
    const rest = columns.filter(({ pk }) => pk === 0);
    return {
      table: name,
      columns: wr === 0 ? columns : [...keys, ...rest],
      hasRowid: wr === 0,
      numberColumn: isNumbered ? only.name : undefined,
      indexes: database
        .query<{ name: string }, [string]>("SELECT name FROM pragma_index_list(?)")
        .all(name)
        .map((index) => index.name),
    };
  });
}

/**
 * The row as the table takes it, its number among the values; undefined for one that the table
 * cannot have written: another table's, or one with other bytes in it.
 */
export function toOwnRow(
  { columns, numberColumn }: TableShape,
  { rowid, values }: StoredRow,
): readonly Value[] | undefined {
  if (values.length > columns.length) return undefined;
  const own = values.map((value, index) =>
    columns[index]?.name === numberColumn ? (rowid ?? null) : value,
  );
  return columns.every((column, index) => index >= own.length || fits(column, own[index] ?? null))
    ? own
    : undefined;
}

function fits({ name, type, isRequired }: Column, value: Value): boolean {
  if (value === null) return !isRequired;
  if (type === "BLOB") return value instanceof Uint8Array;
  if (type !== "TEXT") return typeof value === "number" || typeof value === "bigint";
  return typeof value === "string" && (!name.endsWith("_json") || value === "" || isJson(value));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A name of the schema in SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
