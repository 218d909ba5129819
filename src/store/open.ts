import { Database } from "bun:sqlite";
import { AppError, errorMessage, systemErrorCode } from "../core/app-error.ts";
import { diskAdvice } from "../core/disk-advice.ts";
import { MIGRATIONS } from "./migrations.ts";

/**
 * Opens `state.db` (or ":memory:") in WAL mode and brings it to the newest version.
 *
 * A commit is synced (`synchronous = FULL`) unless its writer says otherwise (`unsynced.ts`): a
 * row that says "received" or "approved" must survive a power cut.
 *
 * @throws AppError ERR_STORE when the file is no database, locked for long, or from a newer papa-yu.
 */
export function openStore(path: string): Database {
  try {
    const database = new Database(path, { create: true, strict: true });
    database.run("PRAGMA busy_timeout = 5000");
    database.run("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = FULL");
    database.run("PRAGMA foreign_keys = ON");
    migrate(database);
    return database;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const advice =
      diskAdvice(systemErrorCode(error)) ?? "move the file away to start with an empty one";
    const message = `Cannot open the database "${path}": ${errorMessage(error)}; ${advice}`;
    throw new AppError("ERR_STORE", message, { cause: error });
  }
}

function migrate(database: Database): void {
  const step = database.transaction(() => {
    const row = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
    const version = row?.user_version ?? 0;
    if (version > MIGRATIONS.length) {
      throw new AppError(
        "ERR_STORE",
        `Cannot read a database of version ${version}: this papa-yu knows up to ${MIGRATIONS.length}; update papa-yu`,
      );
    }
    for (const sql of MIGRATIONS.slice(version)) database.run(sql);
    database.run(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
  step.immediate();
}
