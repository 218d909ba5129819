import { errorMessage } from "../../../core/app-error.ts";
import type { ErrorCode } from "../../../core/error-codes.ts";
import type { LockResult } from "../../../system/locks/locks.ts";
import { backoffMs } from "../api-failure.ts";
import type { Receiver } from "./receiver.ts";

/** Takes the bot for this process, or says who has it. */
export type BotLock = () => Promise<LockResult>;

/**
 * Waits until no other papa-yu on this machine uses the bot, however long that takes; gives the
 * function that releases it. The kernel releases it with the process.
 *
 * @throws the signal's reason when it is aborted
 */
export async function holdBot(
  lock: BotLock,
  { enter, log, clock, signal }: Receiver,
): Promise<() => void> {
  for (let tries = 0; ; tries++) {
    const taken = await tryLock(lock, log);
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

/** A lock that cannot be used at all must not stop the bot from receiving. */
async function tryLock(lock: BotLock, log: Receiver["log"]): Promise<LockResult> {
  try {
    return await lock();
  } catch (error) {
    log("TELEGRAM_LOCK_FAILED", { message: errorMessage(error) });
    return { ok: true, release: () => {} };
  }
}
