import type { Database } from "bun:sqlite";
import type { Config } from "../../config/schema/schema.ts";
import { errorMessage } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { BytesByDay } from "./fit-days.ts";
import type { Part } from "./pass.ts";
import type { KnownPasses, PassNotes } from "./pass-notes.ts";

export {
  describePasses,
  isRetentionStatus,
  type RetentionStatus,
  renderPasses,
} from "./describe-passes.ts";
export { createPassNotes, findPasses, type KnownPasses, type PassNotes } from "./pass-notes.ts";

/** Behind the start and what waits by then: nothing of this is ever in front of a message. */
const SOON_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Between two steps others read and write. */
const PAUSE_MS = 100;

/** A home of which things grow, and what they are kept by: as it is configured when a pass begins. */
export interface GrowingHome {
  readonly home: string;
  readonly store: Database;
  readonly notes: PassNotes;
  readonly limits: () => Config["retention"];
  readonly workspaces: () => readonly Workspace[];
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Lets go what is over the limits of `[retention]` while the daemon runs, a step at a time; what a
 * step is about, no work needs any more. A part that fails is told in the log and comes again with
 * the next pass.
 */
export function keepRetention(home: GrowingHome): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const ended = keep(home, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function keep(home: GrowingHome, signal: AbortSignal): Promise<void> {
  let found: BytesByDay | undefined;
  await home.clock.sleep(SOON_MS, signal);
  for (;;) {
    found = await runPass(home, found, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return endFailed(home, [errorMessage(error)]);
    });
    await home.clock.sleep(EVERY_MS, signal);
  }
}

/**
 * Goes over everything once, by what the pass before found; gives what it found itself. How much of
 * that fits is for the next one to say: whoever allows more megabytes meanwhile keeps more. Where
 * the clock may be wrong, nothing is gone over.
 */
export async function runPass(
  home: GrowingHome,
  found: BytesByDay | undefined,
  signal: AbortSignal,
): Promise<BytesByDay | undefined> {
  const { notes, clock, log } = home;
  const now = clock.now();
  const heldSince = findHold(notes.read().last, now);
  if (heldSince === now) log("RETENTION_HELD", { until: new Date(now + HELD_MS).toISOString() });
  notes.hold(heldSince);
  if (heldSince !== undefined) return found;
  const { partsOf } = await import("./pass.ts");
  const { fitDays, sumBytes } = await import("./fit-days.ts");
  const configured = home.limits();
  const days: BytesByDay = new Map();
  const mostBytes = (configured.max_mb || Infinity) * 1024 * 1024;
  const within = { ...configured, ...tighten(configured, found && fitDays(found, mostBytes, now)) };
  notes.begin(now);
  const { store, workspaces } = home;
  const sources = { store, home: home.home, workspaces: workspaces(), limits: within, now };
  const failed = await goOver(partsOf(sources, days), home, signal);
  const fits = fitDays(days, mostBytes, now);
  const bytes = Math.round(sumBytes(days));
  end(home, { bytes, ...(fits !== undefined && { fits }) }, failed);
  return days;
}

/** One part after another; gives those that failed, for the next pass is soon enough. */
async function goOver(
  parts: readonly Part[],
  { clock, notes }: GrowingHome,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, steps } of parts) {
    try {
      for await (const count of steps()) {
        notes.went(count);
        await clock.sleep(PAUSE_MS, signal);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      failed.push(`${name}: ${errorMessage(error)}`);
    }
  }
  return failed;
}

/** For `status` and `doctor`, and the log. */
function end(
  { notes, log, clock }: GrowingHome,
  came: { readonly bytes: number; readonly fits?: number },
  failed: readonly string[],
): void {
  for (const each of failed) log("RETENTION_FAILED", { part: each });
  const failure = failed[0] && { failed: failed[0], failedParts: failed.length };
  notes.end({ ...came, endedAt: clock.now(), ...failure });
  const { removed = 0, bytes } = notes.read().last ?? {};
  if (removed > 0) log("RETENTION_DONE", { removed, kept_bytes: bytes });
}

/** A pass that could not even be made: how much there is, the one before said. */
function endFailed(home: GrowingHome, failed: readonly string[]): undefined {
  const { bytes = 0, fits } = home.notes.read().last ?? {};
  end(home, { bytes, ...(fits !== undefined && { fits }) }, failed);
}

/** Between two passes of a machine that is used; a clock that goes this far may be wrong. */
const FAR_MS = 7 * 86_400_000;
/** So long a wrong clock can be noticed and put right. */
const HELD_MS = 86_400_000;

/** Since when nothing may go; undefined: the clock is where it can be, or nobody put it right. */
function findHold(last: KnownPasses["last"], now: number): number | undefined {
  if (!last || now - last.at <= FAR_MS) return undefined;
  const since = last.heldSince;
  if (since === undefined || since > now) return now;
  return now - since < HELD_MS ? since : undefined;
}

/** Days as configured, or the fewer that fit. */
function tighten(
  limits: Config["retention"],
  fits: number | undefined,
): Partial<Config["retention"]> {
  if (fits === undefined) return {};
  const fewer = (days: number) => (days === 0 ? fits : Math.min(days, fits));
  return {
    messages_days: fewer(limits.messages_days),
    history_days: fewer(limits.history_days),
    traces_days: fewer(limits.traces_days),
    logs_days: fewer(limits.logs_days),
  };
}
