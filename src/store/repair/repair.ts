import { Database } from "bun:sqlite";
import { linkSync, lstatSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { AppError, describeDiskError } from "../../core/app-error.ts";
import { makePrivateDir } from "../../system/make-private-dir.ts";
import { makeScratch } from "../../system/processes/scratch.ts";
import { syncDirectory } from "../../system/write-durably.ts";
import {
  bindToHome,
  findLack,
  hasLogOfOtherHome,
  isFileOfOtherHome,
  listCopies,
  markHome,
  openStore,
  RESERVE_BYTES,
  readMark,
  type StateCopy,
  statePath,
  verifyCopy,
} from "../open/open.ts";
import { isLocked } from "../writer/writer.ts";
import { salvage, type TableReport } from "./salvage.ts";

export { closeWaiting, type TableReport } from "./salvage.ts";

/** A database that was put together and can take the place of the damaged one. */
export interface Repair extends Disposable {
  readonly tables: readonly TableReport[];
  /** The copy that was at hand for what is missing. */
  readonly copy: StateCopy | undefined;
  /**
   * Moves the damaged files to a folder of their own and the new one in place.
   *
   * @throws AppError ERR_STORE_REPAIR when something was stored in them since, or another program has
   *   them open; nothing changes then
   */
  commit(): Repaired;
}

/** What a repair came to. */
export interface Repaired {
  /** The folder with what was in place. */
  readonly aside: string;
  /** Something was stored in the damaged file while it was replaced; only `aside` has it. */
  readonly isStale: boolean;
}

const BESIDE = ["", "-wal", "-shm", "-journal"];

/**
 * Puts a new database together of what is left of a damaged one. Nothing takes its place before
 * `commit`, which waits so long for others to end; nobody else may work with the home meanwhile.
 *
 * @throws AppError ERR_STORE_REPAIR when there is no room, or the disk refuses
 */
export function prepareRepair(home: string, now: number, patienceMs = PATIENCE_MS): Repair {
  try {
    const copy = listCopies(home).find(({ path }) => isGood(path, home));
    assertRoom(home, copy);
    const { path: work, [Symbol.dispose]: remove } = makeScratch("repair", home);
    const path = join(work, "state.db");
    try {
      const before = fingerprint(statePath(home));
      // Another home's rows would let in its people and run its routines.
      const isOwn = isFile(statePath(home)) && !isFileOfOtherHome(statePath(home), home);
      const damaged = isOwn ? statePath(home) : undefined;
      const tables = salvage({ home, damaged, mark: readMark(home), copy: copy?.path }, path);
      const finish = () => commit(home, { repaired: path, before, now, patienceMs });
      return { tables, copy, commit: finish, [Symbol.dispose]: remove };
    } catch (error) {
      remove();
      throw error;
    }
  } catch (error) {
    throw toRepairError(error, home);
  }
}

const CHANGED =
  "Cannot finish the repair: something was stored in state.db meanwhile; nothing was changed; run papayu doctor --repair again";

const IN_USE =
  "Cannot finish the repair: another program has state.db open, and what it stores would be lost; nothing was changed; let it end, then run papayu doctor --repair again";

/** For a command that is about to end. */
const PATIENCE_MS = 2000;

/** Is another one as soon as anything was stored; a log without a frame holds nothing. */
function fingerprint(path: string): string {
  const files = ["", "-wal"].map((ending) => {
    const options = { bigint: true, throwIfNoEntry: false } as const;
    const found = lstatSync(path + ending, options);
    return found && found.size > 0n ? [found.ino, found.size, found.mtimeNs].join(" ") : "";
  });
  return files.join("\n");
}

/**
 * All is in the folder aside before anything leaves its place. From the last look at the damaged file
 * on nobody else can write to it, so that no row is stored in what is no longer in place.
 */
function commit(
  home: string,
  options: {
    readonly repaired: string;
    readonly before: string;
    readonly now: number;
    readonly patienceMs: number;
  },
): Repaired {
  const { repaired, before, now, patienceMs } = options;
  const path = statePath(home);
  const aside = join(home, `damaged-${new Date(now).toISOString().replaceAll(":", "-")}`);
  // A command that ran meanwhile, also while somebody thinks about the yes, has stored something.
  const assertSame = () => {
    if (fingerprint(path) !== before) throw new AppError("ERR_STORE_REPAIR", CHANGED);
  };
  try {
    assertSame();
    // Given back last: SQLite leaves a file alone then that is not in place any more.
    // Nobody of this home opens what is mixed, and giving it back would write the log into the file.
    using _others = hasLogOfOtherHome(path, home) ? undefined : shutOut(path, patienceMs);
    assertSame();
    makePrivateDir(aside);
    for (const ending of BESIDE) keep(path + ending, join(aside, `state.db${ending}`));
    syncDirectory(aside);
    // A log that stayed would be taken for the new database's.
    for (const ending of BESIDE.slice(1)) rmSync(path + ending, { force: true });
    renameSync(repaired, path);
    syncDirectory(home);
    using database = openStore(path);
    bindToHome(database, home);
    markHome(home, database);
    // Where SQLite cannot shut out: who had it open before it was damaged can write still.
    return { aside, isStale: fingerprint(join(aside, "state.db")) !== before };
  } catch (error) {
    throw toRepairError(error, home);
  }
}

/**
 * Keeps everybody else from the database at `path` until it is disposed of. What SQLite cannot open
 * nobody can open any more.
 *
 * @throws AppError ERR_STORE_REPAIR when another program has it open
 */
function shutOut(path: string, patienceMs: number): Disposable {
  if (!isFile(path) || statSync(path).size === 0) return { [Symbol.dispose]() {} };
  let database: Database | undefined;
  try {
    database = new Database(path, { readwrite: true });
    database.run(`PRAGMA busy_timeout = ${patienceMs}`);
    database.run("PRAGMA locking_mode = EXCLUSIVE"); // readers, too: one of them may write next
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    if (isLocked(error)) {
      database?.close();
      throw new AppError("ERR_STORE_REPAIR", IN_USE, { cause: error });
    }
  }
  return { [Symbol.dispose]: () => database?.close() };
}

/** By a second name, so that it never is without one; what cannot have two is moved. */
function keep(path: string, kept: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  try {
    if (!found.isFile()) throw new Error("a folder has one name");
    linkSync(path, kept);
  } catch {
    renameSync(path, kept);
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isGood(path: string, home: string): boolean {
  try {
    verifyCopy(path);
    return !isFileOfOtherHome(path, home, "or older");
  } catch {
    return false;
  }
}

/** For the new database, and for the copy that is read while it is made. */
function assertRoom(home: string, copy: StateCopy | undefined): void {
  const sizes = [statePath(home), `${statePath(home)}-wal`, copy?.path ?? "", copy?.path ?? ""];
  const needed = sizes.filter(isFile).reduce((sum, path) => sum + statSync(path).size, 0);
  const lack = findLack(home, needed + RESERVE_BYTES);
  if (lack === undefined) return;
  throw new AppError("ERR_STORE_REPAIR", `Cannot repair the database in "${home}": ${lack}`);
}

function toRepairError(error: unknown, home: string): AppError {
  if (error instanceof AppError && error.code === "ERR_STORE_REPAIR") return error;
  const message = `Cannot repair the database in "${home}": ${describeDiskError(error)}`;
  return new AppError("ERR_STORE_REPAIR", message, { cause: error });
}
