import type { Database } from "bun:sqlite";
import { errorMessage } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import type { Timers } from "../core/deadline.ts";
import type { Log } from "../core/log.ts";
import { pruneSettings } from "../store/settings/settings.ts";

const EVERY_MS = 3_600_000;
/** Between two steps others read and write. */
const PAUSE_MS = 100;

/** A database whose rows expire. */
export interface ExpiringState {
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Forgets what has expired while the daemon runs, a step at a time until nothing is left; never at
 * a start, which may come after weeks, with messages that wait and are worked off first.
 */
export function forgetExpired(
  { store, clock, log }: ExpiringState,
  after: Timers["after"] = afterReal,
): { stop(): void } {
  let cancel = after(EVERY_MS, step);
  function step(): void {
    cancel = after(tryStep() ? PAUSE_MS : EVERY_MS, step);
  }

  /** Whether there may be more. */
  function tryStep(): boolean {
    try {
      return pruneSettings(store, clock.now());
    } catch (error) {
      log("SETTINGS_NOT_PRUNED", { error: errorMessage(error) }); // the next time is soon enough
      return false;
    }
  }

  return { stop: () => cancel() };
}

function afterReal(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
