import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The database of a home. */
export function statePath(home: string): string {
  return join(home, "state.db");
}

/** Where verified copies of it are kept. */
export function copiesDir(home: string): string {
  return join(home, "backups");
}

/**
 * Is next to the database from its first day on. Where it is and the database is not,
 * one was lost.
 */
export function begunPath(home: string): string {
  return join(home, "state.begun");
}

/** A verified copy of the database. */
export interface StateCopy {
  readonly path: string;
  /** When it was made, by the clock of that moment. */
  readonly madeAt: number;
  /** Of the database's shape. */
  readonly version: number;
}

const NAME = /^state-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)-v(\d+)\.db$/;

/** The name says when it was made, so that a person sees it, too; it sorts by age. */
export function copyPath(home: string, madeAt: number, version: number): string {
  const time = new Date(madeAt).toISOString().replaceAll(":", "-");
  return join(copiesDir(home), `state-${time}-v${version}.db`);
}

/** The copies there are, the newest first; only a whole and verified one has such a name. */
export function listCopies(home: string): readonly StateCopy[] {
  const dir = copiesDir(home);
  return namesIn(dir)
    .flatMap((name) => {
      const [, hours, minutes, seconds, version] = NAME.exec(name) ?? [];
      // A FIFO of that name would be waited for.
      if (version === undefined || !isFile(join(dir, name))) return [];
      const madeAt = Date.parse(`${hours}:${minutes}:${seconds}`);
      return [{ path: join(dir, name), madeAt, version: Number(version) }];
    })
    .toSorted((a, b) => b.madeAt - a.madeAt || b.version - a.version);
}

/** None, too, where the folder cannot be read: there is nothing to go back to then. */
function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
