import type { Api } from "grammy";
import { describeDiskError } from "../../../core/app-error.ts";
import type { Clock } from "../../../core/clock.ts";
import type { ErrorCode } from "../../../core/error-codes.ts";
import type { Log } from "../../../core/log.ts";
import { isOfStore } from "../../../store/writer/writer.ts";
import { type ApiFailure, backoffMs, toApiFailure } from "../api-failure.ts";
import type { BotSignal } from "../bot-signal.ts";

/** What `status` shows of how updates come in. */
export type PollState =
  | "connecting"
  | "polling"
  | "webhook"
  | "offline"
  | "conflict"
  | "failed: token"
  | "failed: database";

/** What receives updates, by whichever way they come. */
export interface Receiver {
  readonly api: Api;
  /** Called with the name of the bot. */
  readonly connected: (username: string) => void;
  readonly enter: (state: PollState) => void;
  /** Telegram answered: the connection works. */
  readonly alive: () => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: BotSignal;
}

/** What is asked for; Telegram keeps this list until it gets another. */
export const ALLOWED_UPDATES = ["message", "edited_message", "callback_query"] as const;

/**
 * Shows what went wrong, tells it when it is something new, and waits: as long as Telegram says,
 * else longer with each failure in a row. Gives the state to be in.
 */
export async function waitAfter(
  error: unknown,
  before: { readonly state: PollState; readonly failures: number },
  { enter, clock, log, signal }: Receiver,
): Promise<PollState> {
  const failure = toApiFailure(error);
  const state = isOfStore(error) ? "failed: database" : stateAfter(failure);
  enter(state);
  const reason = isOfStore(error) ? describeDiskError(error) : failure.reason;
  if (state !== before.state) reportState(state, reason, log);
  const retryAfterMs = failure.kind === "answered" ? failure.retryAfterMs : undefined;
  await clock.sleep(retryAfterMs ?? backoffMs(before.failures), signal).catch(() => undefined);
  return state;
}

/** What a failed call says about the connection. */
function stateAfter(failure: ApiFailure): PollState {
  if (failure.kind !== "answered") return "offline";
  if (failure.status === 409) return "conflict";
  return failure.status === 401 || failure.status === 404 ? "failed: token" : "offline";
}

/** Says what is wrong and what to do about it. */
function reportState(state: PollState, reason: string, log: Log): void {
  switch (state) {
    case "failed: token":
      return log("TELEGRAM_POLL_FAILED", {
        code: "ERR_TELEGRAM_TOKEN" satisfies ErrorCode,
        message: `Cannot log in to Telegram: ${reason}; check telegram.bot_token and telegram.api_root`,
      });
    case "failed: database":
      return log("TELEGRAM_POLL_FAILED", {
        code: "ERR_STORE" satisfies ErrorCode,
        message: `Cannot store what Telegram brings, which keeps it: ${reason}`,
      });
    case "conflict":
      return log("TELEGRAM_POLL_FAILED", {
        code: "ERR_TELEGRAM_CONFLICT" satisfies ErrorCode,
        message: `Cannot poll Telegram: ${reason}; stop the other program or make a bot for this one alone`,
      });
    case "offline":
      return log("TELEGRAM_POLL_FAILED", { message: `Cannot receive from Telegram: ${reason}` });
    case "connecting":
    case "polling":
    case "webhook":
      return;
    default:
      state satisfies never;
  }
}
