import type { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { writeWhole } from "../../system/write-durably.ts";
import { MIGRATIONS } from "./migrations.ts";
import { begunPath } from "./state-files.ts";

/**
 * What is kept next to the database: that one was here, and where in the file its tables begin, so
 * that they are found when the page that says so is gone.
 */
export interface StateMark {
  /** Of the home that the database belongs to; an older papa-yu wrote none. */
  readonly homeId?: string;
  readonly version: number;
  readonly roots: Readonly<Record<string, number>>;
}

/** Of no version and without roots when no database was begun here, or the mark cannot be read. */
export function readMark(home: string): StateMark {
  try {
    const { version, roots, homeId } = JSON.parse(readFileSync(begunPath(home), "utf8"));
    const known = { version: Number(version), roots: Object(roots) };
    return typeof homeId === "string" ? { ...known, homeId } : known;
  } catch {
    return { version: 0, roots: {} };
  }
}

/** Says for ever that a database was here; tells nobody when the disk refuses: the next start does it. */
export function writeMark(home: string, database: Database, homeId: string | undefined): void {
  const sql = "SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0";
  const rows = database.query<{ name: string; rootpage: number }, []>(sql).all();
  const roots = Object.fromEntries(rows.map(({ name, rootpage }) => [name, rootpage]));
  const known = { version: MIGRATIONS.length, roots };
  const mark: StateMark = homeId === undefined ? known : { homeId, ...known };
  const about =
    "state.db is papa-yu's database; where it is missing, this file says that one was here";
  try {
    writeWhole(begunPath(home), `${JSON.stringify({ about, ...mark }, undefined, 1)}\n`);
  } catch {
    // A full disk must not keep a database from being used.
  }
}
