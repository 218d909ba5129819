import { statSync } from "node:fs";
import { checkWhole, readHomeId, statePath, writeMark } from "../store/open/open.ts";
import { isCopyDue, tendState } from "../store/tend/tend.ts";
import type { App } from "./app/app.ts";

const EVERY_MS = 3_600_000;
/** Up to this size a look at every page takes a few milliseconds, and a start can wait for it. */
const SMALL_BYTES = 4 * 1024 ** 2;

/**
 * Refuses to start on a damaged database, and marks where the tables of a whole one begin. A large
 * one is looked at while the daemon runs.
 *
 * @throws StateError
 */
export function assertWhole({ store, loaded: { home } }: App): void {
  if (isSmall(home)) checkWhole(store, statePath(home));
  writeMark(home, store, readHomeId(store));
}

/**
 * Has the database looked at after a start and copied once a day, whatever the machine slept
 * through. What goes wrong is told once until it goes right again.
 */
export function keepCopies(
  app: Pick<App, "clock" | "log" | "texts" | "isStateInPlace"> & { loaded: { home: string } },
  { tell }: { readonly tell: (text: string) => Promise<unknown> },
): { stop(): Promise<void> } {
  const { clock, log, texts, isStateInPlace } = app;
  const { home } = app.loaded;
  const stopping = new AbortController();
  let told: string | undefined;
  let looking = look(!isSmall(home));

  async function look(isCheckDue: boolean): Promise<void> {
    if (!isStateInPlace()) return; // what stands there now is none of ours
    const copyAt = isCopyDue(home, clock.now()) ? clock.now() : undefined;
    if (copyAt === undefined && !isCheckDue) return;
    const tended = await tendState(home, { copyAt, signal: stopping.signal });
    if (stopping.signal.aborted) return;
    if (tended.ok) {
      if (tended.copy !== undefined) log("STATE_COPIED", { path: tended.copy });
      told = undefined;
      return;
    }
    const { code, message } = tended;
    log("STATE_COPY_FAILED", { code, message });
    if (code === told) return;
    told = code;
    await tell(texts().status.stateTrouble(message)).catch(() => undefined); // the log has it
  }

  const timer = setInterval(() => {
    looking = looking.then(() => look(false));
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await looking;
    },
  };
}

function isSmall(home: string): boolean {
  return (statSync(statePath(home), { throwIfNoEntry: false })?.size ?? 0) <= SMALL_BYTES;
}
