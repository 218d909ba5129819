import { errorMessage } from "../core/app-error.ts";
import { pruneSettings } from "../store/settings/settings.ts";
import type { App } from "./app/app.ts";

const EVERY_MS = 3_600_000;

/**
 * Forgets what has expired, a step at a time while the daemon runs; never at a start, which may
 * come after weeks, with messages that wait and are worked off first.
 */
export function forgetExpired(
  { store, clock, log }: Pick<App, "store" | "clock" | "log">,
  { everyMs = EVERY_MS }: { readonly everyMs?: number } = {},
): { stop(): void } {
  const timer = setInterval(() => {
    try {
      pruneSettings(store, clock.now());
    } catch (error) {
      log("SETTINGS_NOT_PRUNED", { error: errorMessage(error) }); // the next time is soon enough
    }
  }, everyMs);
  return { stop: () => clearInterval(timer) };
}
