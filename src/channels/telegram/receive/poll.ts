import type { Api } from "grammy";
import type { BotSignal } from "../bot-signal.ts";
import { parseUpdates, parseUsername, type Received } from "./parse-update.ts";
import { ALLOWED_UPDATES, type PollState, type Receiver, waitAfter } from "./receiver.ts";

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

const PAUSE_MS = 1000;

/**
 * Receives updates until `signal` ends it; no failure does. `accept` must have stored the
 * updates when it resolves: only then the next request confirms them.
 *
 * Two pollers of one bot end each other's requests. So a conflict is over only when a request
 * was held to its end and nobody had ended it; until then tries grow rarer.
 */
export async function poll(
  options: Receiver & {
    readonly from: Position | undefined;
    readonly waitSeconds: number;
    readonly accept: (updates: readonly Received[]) => Promise<void>;
  },
): Promise<void> {
  const { api, clock, signal } = options;
  let position = options.from;
  let state: PollState = "connecting";
  let isConnected = false;
  let failures = 0;

  while (!signal.aborted) {
    try {
      if (!isConnected) options.connected(await connect(api, signal));
      // The first answer shall come at once: it says that polling works.
      const timeout = isConnected ? options.waitSeconds : 0;
      const request = { ...offset(position, clock.now()), timeout };
      const askedAt = performance.now();
      const updates = parseUpdates(
        await api.getUpdates({ ...request, allowed_updates: ALLOWED_UPDATES }, signal),
      );
      await options.accept(updates);
      const last = updates.findLast((update) => update.kind !== "nameless");
      if (last) position = { updateId: last.updateId, receivedAt: clock.now() };
      options.alive();
      // What has no number cannot be confirmed: it comes again at once.
      const isQuiet = isConnected && last === undefined;
      const wasHeld = isQuiet && performance.now() - askedAt > timeout * 500;
      // Something in between that holds no request must not be asked without a pause.
      if (isQuiet && !wasHeld) await clock.sleep(PAUSE_MS, signal);
      isConnected = true;
      if (state === "conflict" && !wasHeld) continue;
      failures = 0;
      state = "polling";
      options.enter(state);
    } catch (error) {
      if (signal.aborted) return;
      isConnected = false;
      state = await waitAfter(error, { state, failures: failures++ }, options);
    }
  }
}

/** Proves the token and gives polling the precedence over a webhook somebody set. */
async function connect(api: Api, signal: BotSignal): Promise<string> {
  const username = parseUsername(await api.getMe(signal));
  await api.deleteWebhook({}, signal);
  return username;
}

function offset(position: Position | undefined, now: number): { offset?: number } {
  const fresh = position !== undefined && now - position.receivedAt < OFFSET_LIFETIME_MS;
  return fresh ? { offset: position.updateId + 1 } : {};
}
