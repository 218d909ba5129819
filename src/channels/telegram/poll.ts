import type { Api } from "grammy";
import type { Update, UserFromGetMe } from "grammy/types";
import type { Clock } from "../../core/clock.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import type { Log } from "../../core/log.ts";
import { type ApiFailure, backoffMs, toApiFailure } from "./api-failure.ts";
import type { BotSignal } from "./bot-signal.ts";

/** What `status` shows of the poller. */
export type PollState = "connecting" | "polling" | "offline" | "conflict" | "failed: token";

/** The newest update received and when. */
interface Position {
  readonly updateId: number;
  readonly receivedAt: number;
}

/**
 * Telegram numbers updates from a random number again after a week without any; an offset
 * from before would then skip what is new. The inbox knows what is a repetition.
 */
const OFFSET_LIFETIME_MS = 6 * 24 * 3600_000;

/**
 * Receives updates until `signal` ends it; no failure does. `accept` must have stored the
 * updates when it returns: only then the next request confirms them.
 */
export async function poll(options: {
  readonly api: Api;
  readonly from: Position | undefined;
  readonly waitSeconds: number;
  readonly connected: (me: UserFromGetMe) => void;
  readonly accept: (updates: readonly Update[]) => void;
  readonly enter: (state: PollState) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: BotSignal;
}): Promise<void> {
  const { api, clock, signal } = options;
  let position = options.from;
  let state: PollState = "connecting";
  let failures = 0;

  while (!signal.aborted) {
    try {
      if (state !== "polling") options.connected(await connect(api, signal));
      const updates = await api.getUpdates(
        {
          ...offset(position, clock.now()),
          // The first answer shall come at once: it says that polling works.
          timeout: state === "polling" ? options.waitSeconds : 0,
          allowed_updates: ["message", "callback_query"],
        },
        signal,
      );
      options.accept(updates);
      const last = updates.at(-1);
      if (last) position = { updateId: last.update_id, receivedAt: clock.now() };
      failures = 0;
      state = "polling";
      options.enter(state);
    } catch (error) {
      if (signal.aborted) return;
      const failure = toApiFailure(error);
      const before: PollState = state;
      state = stateAfter(failure);
      options.enter(state);
      if (state !== before) report(state, failure.reason, options.log);
      const retryAfterMs = failure.kind === "answered" ? failure.retryAfterMs : undefined;
      await clock.sleep(retryAfterMs ?? backoffMs(failures++), signal).catch(() => undefined);
    }
  }
}

/** Proves the token and gives polling the precedence over a webhook somebody set. */
async function connect(api: Api, signal: BotSignal): Promise<UserFromGetMe> {
  const me = await api.getMe(signal);
  await api.deleteWebhook({}, signal);
  return me;
}

function offset(position: Position | undefined, now: number): { offset?: number } {
  const fresh = position !== undefined && now - position.receivedAt < OFFSET_LIFETIME_MS;
  return fresh ? { offset: position.updateId + 1 } : {};
}

function stateAfter(failure: ApiFailure): PollState {
  if (failure.kind !== "answered") return "offline";
  if (failure.status === 409) return "conflict";
  return failure.status === 401 || failure.status === 404 ? "failed: token" : "offline";
}

function report(state: PollState, reason: string, log: Log): void {
  switch (state) {
    case "failed: token":
      return log("TELEGRAM_POLL_FAILED", {
        code: "ERR_TELEGRAM_TOKEN" satisfies ErrorCode,
        message: `Cannot log in to Telegram: ${reason}; check telegram.bot_token and telegram.api_root`,
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
      return;
    default:
      state satisfies never;
  }
}
