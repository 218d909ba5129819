import { AppError, errorMessage, systemErrorCode } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Journal } from "../journal/journal.ts";

/** Longer than any command writes. */
const PATIENCE_MS = 2_000;
const AGAIN_MS = 50;

/**
 * Nothing is committed that the home cannot be told of before. Another program may hold the database
 * for a while: what else this process does goes on meanwhile.
 */
export async function announceEnd(
  journal: Pick<Journal, "announce">,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): Promise<void> {
  // By its waits: a clock that somebody sets back would lengthen them.
  for (let leftMs = PATIENCE_MS; ; leftMs -= AGAIN_MS, await clock.sleep(AGAIN_MS, signal)) {
    try {
      return journal.announce({ status: "committed" });
    } catch (error) {
      const isHeld = systemErrorCode(error)?.startsWith("SQLITE_BUSY") === true;
      if (isHeld && leftMs > 0) continue;
      const message = `Cannot note in state.db that the change is made: ${errorMessage(error)}`;
      throw new AppError("APPLY_FAILED_ROLLED_BACK", message, { cause: error });
    }
  }
}
