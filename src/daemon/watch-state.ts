import type { Log } from "../core/log.ts";

const EVERY_MS = 60_000;

/** Looks again and again whether the database is still the file it was; its loss is told once. */
export function watchState(options: {
  readonly isInPlace: () => boolean;
  readonly log: Log;
  readonly tell: () => Promise<unknown>;
  readonly everyMs?: number;
}): { stop(): void } {
  const { isInPlace, log, tell, everyMs = EVERY_MS } = options;
  const stop = () => clearInterval(timer);
  const timer = setInterval(() => {
    if (isInPlace()) return;
    stop();
    log("STATE_GONE", { advice: "put a copy of state.db in its place, then papayu restart" });
    tell().catch(() => {}); // the log has it
  }, everyMs);
  return { stop };
}
