import type { Database } from "bun:sqlite";
import type { Config } from "../../config/schema/schema.ts";
import { errorMessage } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { KnownRows } from "../../store/known-rows.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Found } from "./fit-days.ts";
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
const DAY_MS = 86_400_000;
/** Between two steps others read and write. */
const PAUSE_MS = 100;

/** A home of which things grow, and what they are kept by: as it is configured when a pass begins. */
export interface GrowingHome {
  readonly home: string;
  readonly store: Database;
  readonly known: KnownRows;
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
  let known: PassResult | undefined;
  await home.clock.sleep(SOON_MS, signal);
  for (;;) {
    const before = known;
    known = await tryPass(home, known?.found, signal);
    // After a start nothing was known yet: who starts every day would never keep to the megabytes.
    if (!before && known?.isOver) known = await tryPass(home, known.found, signal);
    await home.clock.sleep(EVERY_MS, signal);
  }
}

async function tryPass(
  home: GrowingHome,
  found: Found | undefined,
  signal: AbortSignal,
): Promise<PassResult | undefined> {
  try {
    return await runPass(home, found, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return endFailed(home, [errorMessage(error)]);
  }
}

/** What a pass came to. */
export interface PassResult {
  readonly found: Found;
  /** Whether something of it has to go that did not go yet. */
  readonly isOver: boolean;
}

/**
 * Goes over everything once, by what the pass before found; gives what it found itself. How much of
 * that fits is for the next one to say: whoever allows more megabytes meanwhile keeps more. Where
 * the clock may be wrong, nothing is gone over.
 */
export async function runPass(
  home: GrowingHome,
  before: Found | undefined,
  signal: AbortSignal,
): Promise<PassResult | undefined> {
  const { notes, clock, log } = home;
  const now = clock.now();
  const heldSince = findHold(notes.read().last, now);
  if (heldSince === now) log("RETENTION_HELD", { until: new Date(now + HELD_MS).toISOString() });
  notes.hold(heldSince);
  if (heldSince !== undefined) return before && { found: before, isOver: false };
  const { partsOf } = await import("./pass.ts");
  const { fitAll, keptBy, sumAll } = await import("./fit-days.ts");
  const limits = home.limits();
  const mostBytes = (limits.max_mb || Infinity) * 1024 * 1024;
  const fitting = before ? fitAll(before, mostBytes, now) : { traces: new Map() };
  const found: Found = { own: new Map(), traces: new Map() };
  notes.begin(now);
  const { store, known, workspaces } = home;
  const within = keptBy(limits, fitting, now);
  const sources = { store, known, home: home.home, workspaces: workspaces(), ...within, now };
  const failed = await goOver(partsOf(sources, found), home, signal);
  const left = fitAll(found, mostBytes, now);
  const fits = left.own === undefined ? {} : { fits: left.own };
  end(home, { bytes: Math.round(sumAll(found)), ...fits }, failed);
  return { found, isOver: left.own !== undefined || left.traces.size > 0 };
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
const FAR_MS = 7 * DAY_MS;
/** So long a wrong clock can be noticed and put right. */
const HELD_MS = DAY_MS;

/** Since when nothing may go; undefined: the clock is where it can be, or nobody put it right. */
function findHold(last: KnownPasses["last"], now: number): number | undefined {
  if (!last || now - last.at <= FAR_MS) return undefined;
  const since = last.heldSince;
  if (since === undefined || since > now) return now;
  return now - since < HELD_MS ? since : undefined;
}
