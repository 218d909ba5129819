import {
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { AppError, describeDiskError } from "../core/app-error.ts";
import { makePrivateDir } from "../system/make-private-dir.ts";
import { syncDirectory } from "../system/write-durably.ts";
import { verifyCopy } from "./make-copy.ts";
import { openStore } from "./open.ts";
import { salvage, type TableReport } from "./salvage.ts";
import { listCopies, type StateCopy, statePath } from "./state-files.ts";
import { readMark, writeMark } from "./state-mark.ts";

/** A database that was put together and can take the place of the damaged one. */
export interface Repair extends Disposable {
  readonly tables: readonly TableReport[];
  /** The copy that was at hand for what is missing. */
  readonly copy: StateCopy | undefined;
  /**
   * Moves the damaged files to a folder of their own, which it gives, and the new one in place.
   *
   * @throws AppError ERR_STORE_REPAIR when something was stored in them since; nothing changes then
   */
  commit(): string;
}

const WORK = "repair-";
const BESIDE = ["", "-wal", "-shm", "-journal"];
const RESERVE_BYTES = 64 * 1024 ** 2;

/**
 * Puts a new database together of what is left of a damaged one. Nothing takes its place before
 * `commit`; nobody else may work with the home meanwhile.
 *
 * @throws AppError ERR_STORE_REPAIR when there is no room, or the disk refuses
 */
export function prepareRepair(home: string, now: number): Repair {
  try {
    for (const name of readdirSync(home)) {
      if (name.startsWith(WORK)) rmSync(join(home, name), { recursive: true, force: true });
    }
    const copy = listCopies(home).find(({ path }) => isGood(path));
    assertRoom(home, copy);
    const work = mkdtempSync(join(home, WORK)); // for the owner alone
    const path = join(work, "state.db");
    const remove = () => rmSync(work, { recursive: true, force: true });
    try {
      const before = fingerprint(home);
      const damaged = isFile(statePath(home)) ? statePath(home) : undefined;
      const tables = salvage({ damaged, mark: readMark(home), copy: copy?.path }, path);
      const finish = () => {
        // A command that ran meanwhile, also while somebody thinks about the yes, has stored something.
        if (fingerprint(home) !== before) throw new AppError("ERR_STORE_REPAIR", CHANGED);
        return commit(home, path, now);
      };
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

/** Is another one as soon as anything was stored. */
function fingerprint(home: string): string {
  const files = ["", "-wal"].map((ending) => {
    const options = { bigint: true, throwIfNoEntry: false } as const;
    const found = lstatSync(statePath(home) + ending, options);
    return found && [found.ino, found.size, found.mtimeNs].join(" ");
  });
  return files.join("\n");
}

/** All is in the folder aside before anything leaves its place. */
function commit(home: string, repaired: string, now: number): string {
  const path = statePath(home);
  const aside = join(home, `damaged-${new Date(now).toISOString().replaceAll(":", "-")}`);
  try {
    makePrivateDir(aside);
    for (const ending of BESIDE) keep(path + ending, join(aside, `state.db${ending}`));
    syncDirectory(aside);
    // A log that stayed would be taken for the new database's.
    for (const ending of BESIDE.slice(1)) rmSync(path + ending, { force: true });
    renameSync(repaired, path);
    syncDirectory(home);
    using database = openStore(path);
    writeMark(home, database);
    return aside;
  } catch (error) {
    throw toRepairError(error, home);
  }
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

function isGood(path: string): boolean {
  try {
    verifyCopy(path);
    return true;
  } catch {
    return false;
  }
}

/** For the new database, and for the copy that is read while it is made. */
function assertRoom(home: string, copy: StateCopy | undefined): void {
  const sizes = [statePath(home), `${statePath(home)}-wal`, copy?.path ?? "", copy?.path ?? ""];
  const needed = sizes.filter(isFile).reduce((sum, path) => sum + statSync(path).size, 0);
  const { bavail, bsize } = statfsSync(home);
  if (bavail * bsize >= needed + RESERVE_BYTES) return;
  const megabytes = Math.ceil((needed + RESERVE_BYTES) / 1024 ** 2);
  throw new AppError(
    "ERR_STORE_REPAIR",
    `Cannot repair the database in "${home}": it needs ${megabytes} MB; free some space on the disk`,
  );
}

function toRepairError(error: unknown, home: string): AppError {
  if (error instanceof AppError && error.code === "ERR_STORE_REPAIR") return error;
  const message = `Cannot repair the database in "${home}": ${describeDiskError(error)}`;
  return new AppError("ERR_STORE_REPAIR", message, { cause: error });
}
