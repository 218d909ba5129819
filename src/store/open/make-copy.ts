import { Database } from "bun:sqlite";
import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type StatsFs,
  statfsSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { AppError, describeDiskError } from "../../core/app-error.ts";
import { makePrivateDir } from "../../system/make-private-dir.ts";
import { syncDirectory } from "../../system/write-durably.ts";
import { readVersion } from "./open-database.ts";
import { copiesDir, copyPath, listCopies, type StateCopy } from "./state-files.ts";
import { StateError } from "./state-trouble.ts";

const MOST_COPIES = 7;
/** Of all copies together; the newest stays whatever its size. */
const MOST_BYTES = 1024 ** 3;
/** 64 MB: what is left free on the disk, for the database itself to go on. */
export const RESERVE_BYTES = 67_108_864;
const MEGABYTE = 1_048_576;
const PART = ".part";
/** What SQLite keeps next to one as long as it is written. */
const LEFT_OVERS = [PART, `${PART}-journal`];
const LEFT_OVER_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Makes a verified copy of an open database in `HOME/backups/`. It has its name, and older copies
 * go, only once it is whole, on the disk, and was read from end to end. `leaveBytes` stay free.
 *
 * @throws AppError ERR_STORE_COPY when there is no room or the disk refuses; no copy is lost then
 * @throws StateError when what was copied is damaged: then the database is
 */
export function makeCopy(
  database: Database,
  home: string,
  now: number,
  leaveBytes = RESERVE_BYTES,
): StateCopy {
  const dir = copiesDir(home);
  try {
    makePrivateDir(dir);
    removeParts(dir);
    assertRoom(database, dir, leaveBytes);
    const version = readVersion(database, database.filename);
    checkWhole(database, database.filename); // a damaged one must push out no good copy
    const path = copyPath(home, now, version);
    const part = `${path}${PART}`;
    // Before SQLite, which would make it readable for others.
    closeSync(openSync(part, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
    try {
      database.query("VACUUM INTO ?").run(part);
      verifyCopy(part);
      syncFile(part);
      renameSync(part, path);
      syncDirectory(dir);
    } finally {
      rmSync(part, { force: true });
    }
    prune(home, path);
    return { path, madeAt: now, version };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = `Cannot copy the database to "${dir}": ${describeDiskError(error)}`;
    throw new AppError("ERR_STORE_COPY", message, { cause: error });
  }
}

/**
 * Reads a copy from end to end.
 *
 * @throws StateError when it is damaged or not papa-yu's
 */
export function verifyCopy(path: string): void {
  using copy = new Database(path, { readonly: true });
  readVersion(copy, path);
  checkWhole(copy, path);
  const tables = copy
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all();
  for (const { name } of tables) copy.query(`SELECT count(*) FROM "${name}" NOT INDEXED`).get();
}

/** Whether an index is also compared with its table, which takes several times as long. */
type Thoroughness = "quick" | "integrity";

/**
 * Looks at every page of a database.
 *
 * @throws StateError when one is damaged
 */
export function checkWhole(database: Database, path: string, how: Thoroughness = "quick"): void {
  const [row] = database.query<Record<string, string>, []>(`PRAGMA ${how}_check(1)`).all();
  const found = row?.[`${how}_check`] ?? "no answer";
  if (found !== "ok") throw new StateError("damaged", path, found.replace(/\s*\n\s*/g, " "));
}

/** What a copy that was cut off left; one that is still written to is another process's. */
function removeParts(dir: string): void {
  const parts = readdirSync(dir).filter((name) => LEFT_OVERS.some((end) => name.endsWith(end)));
  for (const path of parts.map((name) => join(dir, name))) {
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > LEFT_OVER_MS) rmSync(path, { force: true });
  }
}

function assertRoom(database: Database, dir: string, leaveBytes: number): void {
  const sql = `SELECT (page_count - freelist_count) * page_size AS bytes
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;
  const needed = database.query<{ bytes: number }, []>(sql).get()?.bytes ?? 0;
  const lack = findLack(dir, needed + leaveBytes);
  if (lack === undefined) return;
  throw new AppError("ERR_STORE_COPY", `Cannot copy the database to "${dir}": ${lack}`);
}

/** What is missing for so many bytes on the disk of a folder; undefined where there is room. */
export function findLack(dir: string, neededBytes: number): string | undefined {
  return describeLack(statfsSync(dir), neededBytes);
}

/** {@link findLack} by what is known of the disk. */
export function describeLack(
  { bavail, bsize }: Pick<StatsFs, "bavail" | "bsize">,
  neededBytes: number,
): string | undefined {
  const free = bavail * bsize;
  if (free >= neededBytes) return undefined;
  const megabytes = (bytes: number) => Math.ceil(bytes / MEGABYTE);
  return `it needs ${megabytes(neededBytes)} MB, ${megabytes(free)} MB are free; free some space on the disk`;
}

function syncFile(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Of a day and a version the newest, so that many starts in a row push out nothing older. */
function prune(home: string, newest: string): void {
  const seen = new Set<string>();
  let bytes = 0;
  for (const { path, madeAt, version } of listCopies(home)) {
    const key = `${Math.floor(madeAt / DAY_MS)} ${version}`;
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const isSpare = seen.has(key) || seen.size >= MOST_COPIES || bytes + size > MOST_BYTES;
    if (isSpare && path !== newest) {
      rmSync(path, { force: true });
      continue;
    }
    seen.add(key);
    bytes += size;
  }
}
