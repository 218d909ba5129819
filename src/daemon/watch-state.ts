import { errorMessage } from "../core/app-error.ts";
import { makeCopy } from "../store/open/open.ts";
import type { App } from "./app/app.ts";

/** How often is looked, in milliseconds. */
export const LOOK_MS = 60_000;
/** So many looks are between two copies of a database that has no place any more. */
export const LOOKS_A_COPY = 10;

type Watched = Pick<App, "clock" | "log" | "texts" | "isStateInPlace" | "store"> & {
  readonly loaded: { readonly home: string };
};

/**
 * Looks again and again whether the database is still the file it was. Its loss is told once, and
 * what this process still has of it is copied, now and from time to time.
 */
export function watchState(
  app: Watched,
  { tell }: { readonly tell: (text: string) => Promise<unknown> },
): { stop(): void } {
  let looksLost = 0;
  const timer = setInterval(() => {
    if (app.isStateInPlace()) return checkpoint(app.store);
    const isFirst = looksLost === 0;
    const failure = looksLost++ % LOOKS_A_COPY === 0 ? rescueState(app) : undefined;
    if (!isFirst) return;
    app.log("STATE_GONE", { advice: "papayu stop, then papayu doctor --repair" });
    const { stateGone, stateTrouble } = app.texts().status;
    const text = failure === undefined ? stateGone : `${stateGone}\n${stateTrouble(failure)}`;
    tell(text).catch(() => {}); // the log has it
  }, LOOK_MS);
  return { stop: () => clearInterval(timer) };
}

/**
 * Brings what is in the write-ahead log into the file, as far as nobody is in the way: whoever loses
 * the log loses a minute, not the days that it takes a quiet bot to fill it.
 */
function checkpoint(store: Watched["store"]): void {
  try {
    store.run("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // a full disk says so where something is written
  }
}

/** Copies a database whose file was deleted or replaced while it was open; gives why it could not. */
export function rescueState(app: Watched): string | undefined {
  if (app.isStateInPlace()) return undefined;
  try {
    const { path } = makeCopy(app.store, app.loaded.home, app.clock.now());
    app.log("STATE_COPIED", { path });
    return undefined;
  } catch (error) {
    const message = errorMessage(error);
    app.log("STATE_COPY_FAILED", { message });
    return message;
  }
}
