import { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { AppError, orElse, systemErrorCode } from "../../core/app-error.ts";
import { makePrivateDir } from "../../system/make-private-dir.ts";
import { secureHome } from "../../system/secure-home.ts";
import { isOfStore } from "../writer/writer.ts";
import {
  bindToHome,
  hasLogOfOtherHome,
  isOfOtherHome,
  KEY_FILE,
  markHome,
  readHomeId,
} from "./home-identity.ts";
import { checkWhole, makeCopy } from "./make-copy.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openStore, readVersion } from "./open-database.ts";
import { begunPath, listCopies, statePath } from "./state-files.ts";
import { readMark } from "./state-mark.ts";
import { StateError, type StateTrouble, toStateError } from "./state-trouble.ts";

export {
  beginLog,
  bindToHome,
  checkpoint,
  hasLogOfOtherHome,
  IDENTITY_KEY,
  isFileOfOtherHome,
  isOfOtherHome,
  isOwnIdentity,
  KEY_FILE,
  markHome,
  openAlone,
  readHomeId,
} from "./home-identity.ts";
export { checkWhole, findLack, makeCopy, RESERVE_BYTES, verifyCopy } from "./make-copy.ts";
export { MIGRATIONS } from "./migrations.ts";
export { openStore } from "./open-database.ts";
export { copiesDir, listCopies, type StateCopy, statePath } from "./state-files.ts";
export { readMark, type StateMark } from "./state-mark.ts";
export { isRepairable, StateError, toStateError } from "./state-trouble.ts";

/**
 * Opens the database of a home, begins it where none ever was, and copies it before its shape
 * changes. One that was there and is missing or empty is reported, never created again.
 *
 * @throws StateError with advice for each case; nothing is changed then
 */
export function openState(home: string, now: () => number = Date.now): Database {
  try {
    return open(home, now);
  } catch (error) {
    throw error instanceof AppError ? error : toStateError(error, statePath(home));
  }
}

function open(home: string, now: () => number): Database {
  makePrivateDir(home);
  secureHome(home); // whoever made it
  const path = statePath(home);
  // Asked first: another process may begin it meanwhile, and marks that last.
  const wasBegun = hasTrace(home);
  const file = findFile(path);
  if (file !== "file" && wasBegun) throw lost(home, file);
  assertUnmixed(path, home);
  // A new file is for its owner alone, and SQLite gives the files next to it the same mode.
  if (file === "gone") closeSync(openSync(path, "a", 0o600));
  const database = openStore(path, {
    onEmpty() {
      if (wasBegun) throw lost(home, "empty");
    },
    onFound: (found) => assertOwn(found, home),
    onOlder: (older) => copyOlder(older, home, now()),
  });
  bind(database, home);
  const mark = readMark(home);
  const homeId = readHomeId(database);
  if (mark.version !== MIGRATIONS.length || mark.homeId !== homeId) {
    markHome(home, database);
  }
  return database;
}

/** @throws StateError */
function assertOwn(database: Database, home: string): void {
  if (isOfOtherHome(database, home)) throw new StateError("other_home", statePath(home), OTHER);
}

/**
 * Asked before it is opened at all: closing would already write the log into the file.
 *
 * @throws StateError
 */
function assertUnmixed(path: string, home: string): void {
  if (hasLogOfOtherHome(path, home)) throw new StateError("other_home", path, OTHER);
}

const OTHER = "it belongs to another home of papa-yu, or is older than this home";

/** A disk that is full, or a database that is held, must not keep it from being used. */
function bind(database: Database, home: string): void {
  orElse(
    () => bindToHome(database, home),
    isOfStore,
    () => {},
  );
}

/** Every command waits for this copy, an undo too, so it asks for no more room than it must. */
function copyOlder(older: Database, home: string, now: number): void {
  try {
    makeCopy(older, home, now, CHANGE_BYTES);
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof StateError) throw error;
    const why = "this papa-yu is newer than the database, and changes it only once there is a copy";
    throw new AppError(error.code, `${error.message}; ${why}`, { cause: error });
  }
}

/** For new tables and the log. */
const CHANGE_BYTES = 4 * 1024 ** 2;

/** Beyond this an index takes longer to compare than anybody waits. */
const LARGE_BYTES = 64 * 1024 ** 2;

/**
 * Whether the database of a home is whole; changes nothing. "pages": every page of a large one is,
 * and its indexes were not compared with its tables.
 *
 * @throws StateError
 */
export function examineState(home: string): "none" | "whole" | "pages" {
  const path = statePath(home);
  const wasBegun = hasTrace(home);
  const file = findFile(path);
  if (file !== "file" && wasBegun) throw lost(home, file);
  if (file !== "file") return "none";
  assertUnmixed(path, home);
  try {
    using database = new Database(path, { readonly: true });
    if (readVersion(database, path) > 0) {
      const isLarge = sizeOf(path) > LARGE_BYTES;
      checkWhole(database, path, isLarge ? "quick" : "integrity");
      assertOwn(database, home);
      if (isLarge) return "pages";
    } else if (wasBegun) throw lost(home, "empty");
    return "whole";
  } catch (error) {
    throw toStateError(error, path);
  }
}

/** A log without its database counts, too: opening would delete it. */
function hasTrace(home: string): boolean {
  const log = statSync(`${statePath(home)}-wal`, { throwIfNoEntry: false });
  const isLogAlone = (log?.size ?? 0) > 0 && sizeOf(statePath(home)) === 0;
  const isMarked = [begunPath(home), join(home, KEY_FILE)].some((path) => existsSync(path));
  return isMarked || isLogAlone || listCopies(home).length > 0 || hasDamaged(home);
}

/** What a repair once put aside. */
function hasDamaged(home: string): boolean {
  return existsSync(home) && readdirSync(home).some((name) => name.startsWith("damaged-"));
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * What is at the path of the database, as far as a look tells. What is no file must not even
 * be opened: a FIFO would be waited for.
 *
 * @throws StateError when it or what SQLite keeps next to it is no file, or cannot be seen
 */
function findFile(path: string): "file" | "empty" | "gone" {
  try {
    const found = statSync(path);
    if (found.isFile()) assertFilesNextTo(path);
    if (found.isFile()) return found.size === 0 ? "empty" : "file";
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return "gone";
    throw toStateError(error, path);
  }
  throw new StateError("no_file", path, "something that is not a file is in its place");
}

function lost(home: string, trouble: StateTrouble & ("gone" | "empty")): StateError {
  const [newest] = listCopies(home);
  const copy = newest
    ? `the newest copy is of ${new Date(newest.madeAt).toISOString()}`
    : "there is no copy";
  const found = trouble === "gone" ? "it is missing" : "it is empty";
  const reason = `${found}, though one was here before; ${copy}`;
  return new StateError(trouble, statePath(home), reason);
}

/** SQLite waits for a pipe there, writes into it what nobody reads, or names only the database. */
function assertFilesNextTo(path: string): void {
  for (const next of ["-wal", "-shm", "-journal"].map((ending) => path + ending)) {
    if (statSync(next, { throwIfNoEntry: false })?.isFile() !== false) continue;
    throw new StateError(
      "no_log",
      path,
      `something that is not a file is in the place of "${next}"`,
    );
  }
}
