import type { Clock } from "../core/clock.ts";
import { fileState } from "../system/remember-file.ts";

/** How often is looked: so seldom that it costs nothing, so often that a save counts in a second. */
const LOOK_MS = 450;
/** A save has come to its end when nothing has moved for so long … */
const SETTLED_MS = 100;
/** … and this long while a file is empty or gone, as it is in the middle of many editors' saves. */
const SETTLED_EMPTY_MS = 400;
/** Files that move all the time are looked at all the same: they must not hold up each other. */
const MOST_MS = 500;
const STEP_MS = 50;

/** Time, and when to stop. */
interface Watch {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How often is looked, in milliseconds; each look wakes an idle machine. */
  readonly everyMs?: number;
}

/**
 * Calls `saved` once for each save: when one of the files was written, replaced, removed or came
 * back. Looks at the files themselves instead of waiting for events, which goes through links,
 * survives editors that rename, and works on every file system.
 *
 * Resolves when the signal aborts.
 */
export async function watchFiles(
  files: () => readonly string[],
  saved: () => Promise<void>,
  watch: Watch,
): Promise<void> {
  const { signal, everyMs = LOOK_MS } = watch;
  const read = () => files().map(fileState).join("\n");
  let seen = read();
  while (!signal.aborted) {
    await rest(everyMs, watch);
    const state = await readSettled(read, seen, watch);
    if (state !== seen && !signal.aborted) await saved();
    seen = state;
  }
}

/** The state of the files; one that is not `seen` when it does not move, or has moved long enough. */
async function readSettled(read: () => string, seen: string, watch: Watch): Promise<string> {
  let state = read();
  let quietMs = 0;
  for (let ms = 0; state !== seen && ms < MOST_MS && !watch.signal.aborted; ms += STEP_MS) {
    if (quietMs >= (/(^| )0$/mu.test(state) ? SETTLED_EMPTY_MS : SETTLED_MS)) break;
    await rest(STEP_MS, watch);
    const next = read();
    quietMs = next === state ? quietMs + STEP_MS : 0;
    state = next;
  }
  return state;
}

async function rest(ms: number, { clock, signal }: Watch): Promise<void> {
  await clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
