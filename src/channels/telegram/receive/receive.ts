import { errorMessage } from "../../../core/app-error.ts";
import type { ErrorCode } from "../../../core/error-codes.ts";
import type { Inbox } from "../../../store/chats/chats.ts";
import type { LockResult } from "../../../system/locks/locks.ts";
import { backoffMs } from "../api-failure.ts";
import { openApi } from "./open-api.ts";
import type { Received } from "./parse-update.ts";
import { poll } from "./poll.ts";
import type { PollState, Receiver } from "./receiver.ts";
import { keepWebhook } from "./webhook.ts";

export { openApi } from "./open-api.ts";
export {
  parseMessageId,
  parseStored,
  type Received,
  toUnreadable,
  UNREADABLE,
  type Unreadable,
} from "./parse-update.ts";
export type { PollState } from "./receiver.ts";
export { answerWebhook, webhookSecret } from "./webhook.ts";

/** How a bot is reached, and who is notified about it. */
export interface Connection {
  readonly token: string;
  /** Without a slash at its end. */
  readonly apiRoot: string;
  /** Where Telegram is to bring updates; without it they are fetched. */
  readonly webhook: { readonly url: string; readonly secret: string } | undefined;
  readonly lock: BotLock | undefined;
  readonly limits: Limits;
  /** Called when the way updates come in changes. */
  readonly enter: (state: PollState) => void;
  /** Called when Telegram answered. */
  readonly alive: () => void;
}

/** Takes the bot for this process, or says who has it. */
export type BotLock = () => Promise<LockResult>;

/** How long calls may take, in seconds. */
export interface Limits {
  /** How long Telegram may hold a poll that has nothing to tell. */
  readonly poll: number;
  /** How much longer a poll may take before its line counts as dead. */
  readonly pollGrace: number;
  /** How long any other call may take. */
  readonly request: number;
}

/**
 * Receives updates until `signal` ends it: fetches them, or has them brought to `webhook`. One
 * process of a machine does so for a bot; the others wait for it to end.
 */
export async function receive(
  { token, apiRoot, webhook, lock, limits, enter, alive }: Connection,
  to: {
    readonly inbox: Inbox;
    /** Must have stored the updates when it resolves. */
    readonly accept: (updates: readonly Received[]) => Promise<void>;
  },
  run: Pick<Receiver, "connected" | "clock" | "log" | "signal">,
): Promise<void> {
  const timeoutSeconds = webhook ? limits.request : limits.poll + limits.pollGrace;
  const api = await openApi(token, { apiRoot, timeoutSeconds });
  const receiver: Receiver = { ...run, api, enter, alive };
  let release = () => {};
  try {
    if (lock) release = await holdBot(lock, receiver);
    if (webhook) await keepWebhook(receiver, webhook);
    else {
      const from = to.inbox.last();
      await poll(receiver, { from, waitSeconds: limits.poll, accept: to.accept });
    }
  } catch (error) {
    if (!run.signal.aborted) throw error;
  } finally {
    release();
  }
}

/**
 * Waits until no other papa-yu on this machine uses the bot, however long that takes; gives the
 * function that releases it. The kernel releases it with the process.
 *
 * @throws the signal's reason when it is aborted
 */
async function holdBot(
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
