import { AppError } from "../core/app-error.ts";
import { sha256 } from "../core/sha256.ts";
import type { RoutineTable, StoredJob } from "../store/routines/routines.ts";
import { type Routine, type RoutineJob, readStoredJob } from "./routine.ts";

/** The entry of a routine that was added, and the mark of it as it is. */
export interface Entry {
  readonly job: RoutineJob;
  readonly mark: string;
}

/** Changes of routines that were added. */
export interface EntryChanges {
  /** Throws ERR_ROUTINE_UNKNOWN, and ERR_ROUTINE_INVALID for one of config.toml. */
  entry(name: string): Entry;
  /**
   * Gives keys of a routine other values; its runs and its switch stay. Throws as `entry` does, and
   * ERR_ROUTINE_INVALID for values that cannot be, and where it is not the one of the mark any more.
   */
  change(name: string, keys: Readonly<Record<string, unknown>>, mark: string): Promise<void>;
}

/** Over the table that holds them; `check` says what of them cannot be, `clock` when one is changed. */
export function createEntryChanges(
  catalog: { readonly find: (name: string) => Routine },
  table: Pick<RoutineTable, "jobs" | "replace">,
  check: (job: Readonly<Record<string, unknown>>) => Promise<RoutineJob>,
  clock: () => number,
): EntryChanges {
  function stored(name: string): StoredJob {
    const { source } = catalog.find(name);
    const found = source === "dynamic" && table.jobs().find((each) => each.name === name);
    if (found) return found;
    throw invalid(name, "it is in config.toml; change it there");
  }
  return {
    entry: (name) => toEntry(stored(name)),
    async change(name, keys, mark) {
      const before = stored(name);
      const { job, mark: now } = toEntry(before);
      const next = now === mark && (await check({ ...job, ...keys, name }));
      const after = { name, jobJson: JSON.stringify(next) };
      const isDone = next && table.replace(after, before.jobJson, clock());
      if (!isDone)
        throw invalid(name, "it is another by now than the one that was shown; look again");
    },
  };
}

/** Nobody learns from the mark what a secret is that stands in an entry. */
function toEntry(stored: StoredJob): Entry {
  const job = readStoredJob(stored);
  const { trigger_secret: _, ...shown } = job;
  return { job, mark: sha256(JSON.stringify(shown)) };
}

function invalid(name: string, why: string): AppError {
  return new AppError("ERR_ROUTINE_INVALID", `Cannot change the routine "${name}": ${why}`);
}
