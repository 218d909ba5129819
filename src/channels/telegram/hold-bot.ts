import { errorMessage } from "../../core/app-error.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { type LockResult, takeLock } from "../../system/kernel-lock.ts";
import { backoffMs } from "./api-failure.ts";
import type { Receiver } from "./receiver.ts";

/** Where the lock of a bot is, and what to tell others about who holds it. */
export interface BotLock {
  readonly path: string;
  /** The daemon's folder. */
  readonly home: string;
}

/**
 * Waits until no other papa-yu on this machine uses the bot, however long that takes; gives what
 * lets it go again. The kernel lets it go with the process.
 *
 * @throws the signal's reason when it is aborted
 */
export async function holdBot(
  lock: BotLock,
  { enter, log, clock, signal }: Receiver,
): Promise<() => void> {
  for (let tries = 0; ; tries++) {
    const taken = tryLock(lock, log);
    if (taken.ok) return taken.release;
    enter("conflict");
    if (tries === 0) {
      const { pid, what } = taken.holder ?? { pid: "unknown", what: "unknown" };
      log("TELEGRAM_POLL_FAILED", {
        code: "ERR_TELEGRAM_CONFLICT" satisfies ErrorCode,
        message: `Cannot poll Telegram: another papa-yu on this machine uses this bot (pid ${pid}, home "${what}"); stop it or make a bot for this one alone`,
      });
    }
    await clock.sleep(backoffMs(tries), signal);
  }
}

/** A lock that cannot be used at all must not make the bot deaf. */
function tryLock({ path, home }: BotLock, log: Receiver["log"]): LockResult {
  try {
    return takeLock(path, home);
  } catch (error) {
    log("TELEGRAM_LOCK_FAILED", { message: errorMessage(error) });
    return { ok: true, release: () => {} };
  }
}
