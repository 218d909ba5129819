import type { Database } from "bun:sqlite";
import type { Config } from "../../config/schema/schema.ts";
import { errorMessage } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { RetentionPass, Settings } from "../../store/settings/settings.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { BytesByDay } from "./fit-days.ts";

/** Behind the start and what waits by then: nothing of this is ever in front of a message. */
const SOON_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Between two steps others read and write. */
const PAUSE_MS = 100;

/** A home of which things grow, and what they are kept by: as it is configured when a pass begins. */
export interface GrowingHome {
  readonly home: string;
  readonly store: Database;
  readonly settings: Settings;
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
    found = await runPass(home, found, signal);
    await home.clock.sleep(EVERY_MS, signal);
  }
}

/**
 * Goes over everything once, by what the pass before found; gives what it found itself. How much of
 * that fits is for the next one to say: whoever allows more megabytes meanwhile keeps more.
 */
export async function runPass(
  { home, store, settings, limits, workspaces, clock, log }: GrowingHome,
  found: BytesByDay | undefined,
  signal: AbortSignal,
): Promise<BytesByDay> {
  const { partsOf } = await import("./pass.ts");
  const { fitDays, sumBytes } = await import("./fit-days.ts");
  const now = clock.now();
  const configured = limits();
  const days = new Map<number, number>();
  const mostBytes = (configured.max_mb || Infinity) * 1024 * 1024;
  const fitted = found && fitDays(found, mostBytes, now);
  const within = { ...configured, ...tighten(configured, fitted) };
  const failed: string[] = [];
  let removed = 0;
  const sources = { store, home, workspaces: workspaces(), limits: within, now };
  for (const { name, steps } of partsOf(sources, days)) {
    try {
      for await (const count of steps()) {
        removed += count;
        await clock.sleep(PAUSE_MS, signal);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      failed.push(`${name}: ${errorMessage(error)}`); // the next pass is soon enough
    }
  }
  const bytes = Math.round(sumBytes(days));
  const fits = fitDays(days, mostBytes, now);
  const more = {
    ...(fits !== undefined && { fits }),
    ...(failed[0] && { failed: failed[0] }),
  };
  tell({ settings, log }, { at: now, removed, bytes, ...more }, failed);
  return days;
}

/** For `status` and `doctor`, and the log. */
function tell(
  { settings, log }: Pick<GrowingHome, "settings" | "log">,
  pass: RetentionPass,
  failed: readonly string[],
): void {
  for (const each of failed) log("RETENTION_FAILED", { part: each });
  if (pass.removed > 0) log("RETENTION_DONE", { removed: pass.removed, kept_bytes: pass.bytes });
  try {
    settings.of("retention.pass").set("", pass);
  } catch (error) {
    log("RETENTION_FAILED", { part: errorMessage(error) }); // a full disk: the log has it
  }
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
