import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { checkWhole, markHome, statePath } from "../store/open/open.ts";
import { isCopyDue, tendHere, tendState } from "../store/tend/tend.ts";
import type { WatchedState } from "./watch-state.ts";

const EVERY_MS = 3_600_000;
/** Whoever starts a daemon waits for it; the first look comes when that is over. */
const SOON_MS = 1000;
/** Up to this size a look at every page takes a few milliseconds, and a start can wait for it. */
const SMALL_BYTES = 4 * 1024 ** 2;
/** Up to this size a copy takes less than the start of a process that makes it. */
const TINY_BYTES = 1024 ** 2;

/**
 * Refuses to start on a damaged database, and marks where the tables of a whole one begin. A large
 * one is looked at while the daemon runs.
 *
 * @throws StateError
 */
export function assertWhole(store: Database, home: string): void {
  if (isUpTo(SMALL_BYTES, home)) checkWhole(store, statePath(home));
  markHome(home, store);
}

/**
 * Has the database looked at after a start and copied once a day, whatever the machine slept
 * through. What goes wrong is reported once until it goes right again.
 */
export function keepCopies(
  { home, store, isInPlace, texts, clock, log }: WatchedState,
  { tell }: { readonly tell: (text: string) => Promise<unknown> },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let reported: string | undefined;
  async function look(isCheckDue: boolean): Promise<void> {
    if (!isInPlace()) return; // what is there now is not ours
    const copyAt = isCopyDue(home, clock.now()) ? clock.now() : undefined;
    if (copyAt === undefined && !isCheckDue) return;
    const here = isUpTo(TINY_BYTES, home) ? tendHere(store, home, copyAt) : undefined;
    // The other process can wait for who holds the database.
    const tended = here?.ok ? here : await tendState(home, { copyAt, signal: stopping.signal });
    if (stopping.signal.aborted) return;
    if (tended.ok) {
      if (tended.copy !== undefined) log("STATE_COPIED", { path: tended.copy });
      reported = undefined;
      return;
    }
    const { code, message } = tended;
    log("STATE_COPY_FAILED", { code, message });
    if (code === reported) return;
    reported = code;
    await tell(texts().status.stateTrouble(message)).catch(() => undefined); // the log has it
  }

  async function keep(): Promise<void> {
    await clock.sleep(SOON_MS, stopping.signal);
    await look(!isUpTo(SMALL_BYTES, home));
    for (;;) {
      await clock.sleep(EVERY_MS, stopping.signal);
      await look(false);
    }
  }

  const ended = keep().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

function isUpTo(sizeBytes: number, home: string): boolean {
  return (statSync(statePath(home), { throwIfNoEntry: false })?.size ?? 0) <= sizeBytes;
}
