import { Database } from "bun:sqlite";
import { AppError, systemErrorCode } from "../../core/app-error.ts";
import { rememberFile } from "../../system/remember-file.ts";
import { MIGRATIONS } from "./migrations.ts";
import { StateError, toStateError } from "./state-trouble.ts";

/** How long another program's write is waited for. */
const PATIENCE_MS = 5000;
const PAUSE_MS = 5;

/**
 * More than there are in the sources: each is prepared once. Bun keeps the twenty that were asked for
 * last, and a message alone asks for twice as many, so that each would be prepared every time.
 */
const MOST_STATEMENTS = 500;

/** What opening may do besides opening. */
export interface OpenHooks {
  /** Is called on a database without tables before they are made; throws where one was lost. */
  readonly onEmpty?: () => void;
  /** Is called on one with tables before it is changed; throws where it must not be worked with. */
  readonly onFound?: (database: Database) => void;
  /** Is called before an older database is changed; what it throws leaves that as it was. */
  readonly onOlder?: (database: Database) => void;
}

/**
 * Opens `state.db` (or ":memory:") in WAL mode and brings it to the newest version.
 *
 * A commit is synced (`synchronous = FULL`) unless its writer says otherwise (`writer.ts`): a
 * row that says "received" or "approved" must survive a power cut.
 *
 * @throws StateError when it is no database of papa-yu, locked for long, or from a newer papa-yu,
 *   with advice for each; nothing is changed then
 */
export function openStore(path: string, hooks: OpenHooks = {}): Database {
  let database: Database | undefined;
  try {
    const isInPlace = rememberFile(path);
    database = openFile(path);
    let version = readVersion(database, path);
    if (!isInPlace()) {
      // A repair that was waited for has put another one there; from then on none can.
      database.close();
      database = openFile(path);
      version = readVersion(database, path);
    }
    if (version === 0) hooks.onEmpty?.();
    else hooks.onFound?.(database);
    if (version > 0 && version < MIGRATIONS.length) hooks.onOlder?.(database);
    keepLog(database);
    database.run("PRAGMA synchronous = FULL");
    database.run("PRAGMA foreign_keys = ON");
    if (version < MIGRATIONS.length) migrate(database, path);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof AppError ? error : toStateError(error, path);
  }
}

function openFile(path: string): Database {
  Database.MAX_QUERY_CACHE_SIZE = MOST_STATEMENTS;
  const database = new Database(path, { strict: true });
  database.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  return database;
}

/**
 * SQLite does not wait here for whoever writes: of two commands that begin one database at the same
 * moment, the second would be told that it is locked.
 */
function keepLog(database: Database): void {
  for (const end = performance.now() + PATIENCE_MS; ; Bun.sleepSync(PAUSE_MS)) {
    try {
      database.run("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (systemErrorCode(error) !== "SQLITE_BUSY" || performance.now() > end) throw error;
    }
  }
}

/**
 * The version of a database's shape, 0 for one without tables.
 *
 * @throws StateError when another program made it, or a newer papa-yu
 */
export function readVersion(database: Database, path: string): number {
  // Of one moment: another process may just be making the tables.
  return database.transaction(() => read(database, path))();
}

function read(database: Database, path: string): number {
  const [row] = database.query<{ user_version: number }, []>("PRAGMA user_version").all();
  const version = row?.user_version ?? 0;
  const sql = `SELECT count(*) AS tables, count(*) FILTER (
      WHERE name IN ('plans', 'approvals', 'sessions', 'messages', 'inbox', 'outbox', 'settings')
    ) AS own FROM sqlite_master WHERE type = 'table'`;
  const { tables, own } = database.query<{ tables: number; own: number }, []>(sql).get() ?? NONE;
  if (version === 0 ? tables > 0 : own < 7) {
    throw new StateError("foreign", path, "it is a database, but not papa-yu's");
  }
  if (version > MIGRATIONS.length) {
    const known = `it is of version ${version}, and this papa-yu knows up to ${MIGRATIONS.length}`;
    throw new StateError("newer", path, known);
  }
  return version;
}

const NONE = { tables: 0, own: 0 };

/** Again within the transaction: another process may have been faster. */
function migrate(database: Database, path: string): void {
  const step = database.transaction(() => {
    for (const sql of MIGRATIONS.slice(readVersion(database, path))) database.run(sql);
    database.run(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
  step.immediate();
}
