import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { errorMessage } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { beginLog, checkpoint, makeCopy } from "../store/open/open.ts";
import type { Texts } from "../texts/texts.ts";

/** How often is looked, in milliseconds. */
export const LOOK_MS = 60_000;
/** So many looks are between two copies of a database that has no place any more. */
export const LOOKS_A_COPY = 10;

/** A database in use, and what its state is reported with. */
export interface WatchedState {
  readonly home: string;
  readonly store: Database;
  /** False when its file was deleted or replaced. */
  readonly isInPlace: () => boolean;
  readonly texts: () => Texts;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Looks again and again whether the database is still the file it was. Its loss is reported once, and
 * what this process still has of it is copied, now and from time to time.
 */
export function watchState(
  state: WatchedState,
  { tell }: { readonly tell: (text: string) => Promise<unknown> },
): { stop(): void } {
  let looksLost = 0;
  let writtenAt: bigint | undefined;
  const timer = setInterval(() => {
    if (state.isInPlace()) return void (writtenAt = emptyLog(state.store, writtenAt));
    const isFirst = looksLost === 0;
    const failure = looksLost++ % LOOKS_A_COPY === 0 ? rescueState(state) : undefined;
    if (!isFirst) return;
    state.log("STATE_GONE", { advice: "papayu stop, then papayu doctor --repair" });
    const { stateGone, stateTrouble } = state.texts().status;
    const text = failure === undefined ? stateGone : `${stateGone}\n${stateTrouble(failure)}`;
    tell(text).catch(() => {}); // the log has it
  }, LOOK_MS);
  return { stop: () => clearInterval(timer) };
}

/**
 * Brings what is in the write-ahead log into the file, as far as nobody is in the way: whoever loses
 * the log loses a minute, not the days that it takes a quiet bot to fill it. The log begins anew
 * with whose it is, and is left alone until something is written to it.
 */
function emptyLog(store: Database, writtenAt: bigint | undefined): bigint | undefined {
  const lookAt = () =>
    statSync(`${store.filename}-wal`, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  try {
    if (lookAt() === writtenAt) return writtenAt;
    const done = checkpoint(store);
    if (done?.busy !== 0 || done.log !== done.checkpointed) return undefined;
    beginLog(store);
    return lookAt();
  } catch {
    return undefined; // a full disk says so where something is written
  }
}

/** Copies a database whose file was deleted or replaced while it was open; gives why it could not. */
export function rescueState(state: WatchedState): string | undefined {
  if (state.isInPlace()) return undefined;
  try {
    const { path } = makeCopy(state.store, state.home, state.clock.now());
    state.log("STATE_COPIED", { path });
    return undefined;
  } catch (error) {
    const message = errorMessage(error);
    state.log("STATE_COPY_FAILED", { message });
    return message;
  }
}
