import type { Database } from "bun:sqlite";
import { copyFileSync, existsSync } from "node:fs";
import { indexMemories } from "../memories/memories.ts";
import type { StateMark } from "../open/open.ts";
import { checkWhole, IDENTITY_KEY, isOwnIdentity, openStore } from "../open/open.ts";
import { createSettings } from "../settings/settings.ts";
import { openPages, type Pages } from "./pages.ts";
import { readTree, type Value } from "./read-tree.ts";
import { quote, readShapes, type TableShape, toOwnRow } from "./table-shapes.ts";

/** What became of one table. */
export interface TableReport {
  readonly table: string;
  /** Read from the damaged file. */
  readonly kept: number;
  /** Only in the copy. */
  readonly fromCopy: number;
  /** As many rows as an index of the damaged file names besides those; undefined: nobody knows. */
  readonly lost: number | undefined;
}

/** What a new database is made of. */
export interface Remains {
  /** Whose rows are taken, and no other home's. */
  readonly home: string;
  /** The damaged file; none, where it is gone. */
  readonly damaged: string | undefined;
  readonly mark: StateMark;
  /** The newest good copy. */
  readonly copy: string | undefined;
}

/**
 * Makes a whole database at `target` of what can be read of a damaged one, row by row, and of a
 * copy where rows are missing. Of a table that could be read to its end nothing comes from the copy:
 * what was deleted since stays so. What only the copy has is never done again: no message of it is
 * worked on or sent, no question of it can be answered, no run of it goes on.
 *
 * `target` needs a folder of its own: other files are written next to it.
 */
export function salvage(remains: Remains, target: string): readonly TableReport[] {
  using database = openStore(target);
  database.run("PRAGMA foreign_keys = OFF"); // parents may come later
  if (remains.copy !== undefined) attachCopy(database, remains.copy, `${target}.copy`);
  const shapes = readShapes(database);
  using opened = new DisposableStack();
  const survey = remains.damaged === undefined ? undefined : choose(remains, shapes, opened);
  const fill = database.transaction(() => {
    const reports = shapes.map((shape) =>
      fillTable(database, shape, survey, remains.copy !== undefined),
    );
    dropOrphans(database);
    indexMemories(database);
    return reports;
  });
  const reports = fill.immediate();
  if (remains.copy !== undefined) database.run("DETACH copy");
  checkWhole(database, target);
  return reports;
}

/** A copy of the copy: it may be of an older version. */
function attachCopy(database: Database, copy: string, path: string): void {
  copyFileSync(copy, path);
  openStore(path).close();
  database.query("ATTACH ? AS copy").run(path);
}

interface Survey {
  readonly pages: Pages;
  readonly roots: ReadonlyMap<string, number>;
  readonly rows: number;
}

/**
 * With the write-ahead log, or without where that is damaged or another database's. A log counts as
 * this home's only if it says so itself: nothing else ties it to the file that it is beside. None,
 * where the file is another home's.
 */
function choose(
  { home, damaged = "", mark }: Remains,
  shapes: readonly TableShape[],
  opened: DisposableStack,
): Survey | undefined {
  const settings = shapes.find(({ table }) => table === "settings");
  const survey = (withLog: boolean): Survey => {
    const pages = opened.use(openPages(damaged, { withLog }));
    const roots = findRoots(pages, mark);
    const walks = shapes.map((shape) => {
      const root = roots.get(shape.table);
      const tree = { root: root ?? 0, isTable: shape.hasRowid };
      return root ? readTree(pages, tree, (row) => toOwnRow(shape, row) !== undefined).rows : 0;
    });
    return { pages, roots, rows: walks.reduce((sum, rows) => sum + rows, 0) };
  };
  const without = survey(false);
  const root = without.roots.get("settings");
  const ofFile = readIdentities(without.pages, settings, root === undefined ? [] : [root]);
  if (ofFile.some((said) => !isOwnIdentity(said, home))) return undefined;
  if (!existsSync(`${damaged}-wal`)) return without;
  const log = opened.use(openPages(damaged, { withLog: true, withFile: false }));
  const ofLog = readIdentities(log, settings, log.inLog);
  // From before homes had an id, neither has one.
  const isFromBefore = ofLog.length + ofFile.length === 0 && mark.homeId === undefined;
  const isOwn = ofLog.length > 0 && ofLog.every((said) => isOwnIdentity(said, home, ofFile[0]));
  if (!isOwn && !isFromBefore) return without;
  const withLog = survey(true);
  return withLog.rows >= without.rows ? withLog : without;
}

/** What the settings below these pages say whose they are. */
function readIdentities(
  pages: Pages,
  settings: TableShape | undefined,
  roots: readonly number[],
): readonly string[] {
  const said = new Set<string>();
  if (!settings) return [];
  const [keyAt, valueAt] = ["key", "value"].map((name) =>
    settings.columns.findIndex((column) => column.name === name),
  );
  for (const root of roots) {
    readTree(pages, { root, isTable: settings.hasRowid }, (row) => {
      const own = toOwnRow(settings, row);
      const value = own?.[valueAt ?? 0];
      if (own?.[keyAt ?? 0] === IDENTITY_KEY && typeof value === "string") said.add(value);
      return true;
    });
  }
  return [...said];
}

/**
 * Where tables and indexes begin: as the file says, and where the mark mostly says the same, as
 * that says. Two that begin on one page are both wrong.
 */
function findRoots(pages: Pages, mark: StateMark): ReadonlyMap<string, number> {
  const stored = new Map<string, number>();
  readTree(pages, { root: 1, isTable: true }, ({ values: [, name, , root] }) => {
    if (typeof name === "string" && typeof root === "number" && root > 1) stored.set(name, root);
    return true;
  });
  const known = Object.entries(mark.roots);
  const agreeing = known.filter(([name, root]) => stored.get(name) === root).length;
  const roots = new Map([...stored, ...(agreeing * 2 >= stored.size ? known : [])]);
  const uses = Map.groupBy(roots.values(), (root) => root);
  return new Map([...roots].filter(([, root]) => uses.get(root)?.length === 1));
}

function fillTable(
  database: Database,
  shape: TableShape,
  survey: Survey | undefined,
  hasCopy: boolean,
): TableReport {
  const { table, hasRowid } = shape;
  const root = survey?.roots.get(table);
  const walk = (take: (row: readonly Value[]) => boolean) => {
    if (!survey || root === undefined) return { isWhole: false, rows: 0 };
    return readTree(survey.pages, { root, isTable: hasRowid }, (row) => {
      const own = toOwnRow(shape, row);
      return own !== undefined && take(own);
    });
  };
  // First, so that what was read of the damaged file counts, and comes behind in order.
  if (hasCopy && !walk(() => true).isWhole) takeFromCopy(database, shape);
  const { isWhole, rows: kept } = walk((row) => insert(database, shape, row));
  const rows = countRows(database, table);
  const total = survey && isWhole ? kept : survey && countByIndexes(survey, shape);
  const lost = total === undefined ? undefined : Math.max(0, total - rows);
  return { table, kept, fromCopy: Math.max(0, rows - kept), lost };
}

function countByIndexes({ pages, roots }: Survey, { indexes }: TableShape): number | undefined {
  const counts = indexes.flatMap((index) => {
    const root = roots.get(index);
    const walk = root ? readTree(pages, { root, isTable: false }, () => true) : undefined;
    return walk?.isWhole ? [walk.rows] : [];
  });
  return counts.length === 0 ? undefined : Math.max(...counts);
}

/** False for what the table refuses. */
function insert(database: Database, shape: TableShape, values: readonly Value[]): boolean {
  // A row that is older than a column gets that column's default.
  const names = shape.columns.slice(0, values.length).map(({ name }) => quote(name));
  const places = names.map(() => "?").join(", ");
  const sql = `INSERT OR REPLACE INTO ${quote(shape.table)} (${names.join(", ")}) VALUES (${places})`;
  try {
    return database.query(sql).run(...values).changes > 0;
  } catch {
    return false;
  }
}

function takeFromCopy(database: Database, { table, columns }: TableShape): void {
  const names = columns.map((column) => quote(column.name)).join(", ");
  const name = quote(table);
  database.run(`INSERT OR IGNORE INTO ${name} (${names}) SELECT ${names} FROM copy.${name}`);
  close(database, table);
}

function close(database: Database, table: string): void {
  for (const sql of CLOSE[table] ?? []) database.run(sql);
  // How the daemon lived then says nothing of now.
  if (table === "settings") createSettings(database).of("daemon.life").remove("");
}

/** Ends what waits in a database of which nobody knows what was done since. */
export function closeWaiting(database: Database): void {
  for (const { table } of readShapes(database)) close(database, table);
}

/** In milliseconds. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** Since the copy was made, most of it was done, sent or answered. */
const CLOSE: Readonly<Record<string, readonly string[]>> = {
  approvals: [
    "UPDATE approvals SET state = 'replaced' WHERE state = 'waiting'",
    "UPDATE approvals SET state = 'interrupted' WHERE state = 'approved' AND tool IS NOT NULL",
  ],
  inbox: ["UPDATE inbox SET state = 'poison' WHERE state = 'waiting'"],
  outbox: [
    `UPDATE outbox SET state = 'failed', error = 'from a copy of the database'
     WHERE state = 'waiting' OR state = 'sending'`,
  ],
  pairing_codes: ["DELETE FROM pairing_codes"],
  routine_runs: [
    `UPDATE routine_runs SET state = 'unknown', error = 'from a copy of the database'
     WHERE state IN ('due', 'running')`,
  ],
  // What came due since the copy was made ran.
  routine_watch: [`UPDATE routine_watch SET since = ${NOW}, floor = ${NOW}`],
};

function countRows(database: Database, table: string): number {
  const sql = `SELECT count(*) AS count FROM ${quote(table)}`;
  return database.query<{ count: number }, []>(sql).get()?.count ?? 0;
}

/** Rows whose parent was lost cannot be used. */
function dropOrphans(database: Database): void {
  const orphans = database
    .query<{ table: string; rowid: number }, []>("PRAGMA foreign_key_check")
    .all();
  for (const { table, rowid } of orphans) {
    database.query(`DELETE FROM ${quote(table)} WHERE rowid = ?`).run(rowid);
  }
}
