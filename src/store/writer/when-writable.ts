import type { Database } from "bun:sqlite";
import { systemErrorCode } from "../../core/app-error.ts";
import { type Clock, onceATick } from "../../core/clock.ts";
import { untilAborted } from "../../core/until-aborted.ts";

/**
 * Undefined when nobody else writes to the database; else it resolves when nobody does, or when
 * `signal` aborts.
 */
export type Ready = (signal?: AbortSignal) => Promise<void> | undefined;

/**
 * How long a write of a daemon may block everything else it does: long enough for a command's
 * commit on a slow disk.
 */
const GLANCE_MS = 100;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
/** Whoever waits longer goes on, and is told what the database says. */
const MOST_PAUSES = 120;

/**
 * From now on no write waits long for another program, and whoever can wait without blocking asks
 * `ready` first. To be asked wherever work begins, and wherever something comes back that took long:
 * what follows at once is a few short writes. In a tick in which this process wrote, as `isWritten`
 * says, nobody else does.
 */
export function stopBlocking(
  database: Database,
  clock: Clock,
  isWritten: () => boolean = () => false,
): Ready {
  database.run(`PRAGMA busy_timeout = ${GLANCE_MS}`);
  const isFreeNow = onceATick(() => isFree(database));
  let waiting: Promise<void> | undefined;
  const wait = async () => {
    // What goes wrong is said by the write itself.
    await untilWritten(() => probe(database), { clock }).catch(() => undefined);
    waiting = undefined;
  };
  return (signal) => {
    if (!waiting && (isWritten() || isFreeNow())) return undefined;
    waiting ??= wait();
    return signal ? Promise.race([waiting, untilAborted(signal)]) : waiting;
  };
}

/** How long is waited for who else writes. */
export interface Patience {
  readonly clock: Clock;
  readonly signal?: Pick<AbortSignal, "aborted">;
  readonly isLasting?: boolean;
}

/**
 * What `write` gives, once nobody else writes. It is called again as long as it throws that the
 * database is locked; a transaction that could not begin has done nothing. With `isLasting` nothing
 * but `signal` ends that, not even a full disk: for what must not be forgotten.
 *
 * @throws what `write` throws else, and that it is locked when it stays so or `signal` aborts
 */
export async function untilWritten<T>(
  write: () => T | Promise<T>,
  { clock, signal, isLasting = false }: Patience,
): Promise<T> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let pauses = 0; ; pauses++) {
    try {
      return await write();
    } catch (error) {
      const passes = isLasting ? isOfStore(error) : isLocked(error) && pauses < MOST_PAUSES;
      if (!passes || signal?.aborted) throw error;
      await clock.sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
}

function isFree(database: Database): boolean {
  try {
    probe(database);
    return true;
  } catch (error) {
    return !isLocked(error);
  }
}

/** Takes the lock for writing and gives it back, without waiting. */
function probe(database: Database): void {
  database.run("PRAGMA busy_timeout = 0");
  try {
    database.run("BEGIN IMMEDIATE");
    database.run("ROLLBACK");
  } finally {
    database.run(`PRAGMA busy_timeout = ${GLANCE_MS}`);
  }
}

/** Whether another program was writing: it passes by itself. */
export function isLocked(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(systemErrorCode(error) ?? "");
}

/** Whether the database refused, whatever the reason. */
export function isOfStore(error: unknown): boolean {
  return systemErrorCode(error)?.startsWith("SQLITE_") === true;
}
