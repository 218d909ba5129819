import type { Update, UserFromGetMe } from "grammy/types";
import { errorMessage } from "../../core/app-error.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type { InboxRow, Lane } from "../../store/inbox.ts";
import type { Outbox } from "../../store/outbox.ts";
import { toBotSignal } from "./bot-signal.ts";
import type { Desk } from "./desk.ts";
import { acceptUpdates } from "./intake.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import { createMenus } from "./menu.ts";
import { type PollState, poll } from "./poll.ts";
import type { Audience } from "./route-update.ts";
import { sendRow } from "./send-row.ts";
import { createTurnstile } from "./turnstile.ts";
import { workUpdate } from "./work-update.ts";

const LANES: readonly Lane[] = ["turn", "press", "cancel"];
const MAX_PARALLEL = 16;
const DAY_MS = 24 * 3600_000;
/** Telegram redelivers for a day; a week is on the safe side. */
const KEEP_MS = 7 * DAY_MS;
/** How much longer than it was asked to wait a poll may take before its line counts as dead. */
const POLL_GRACE_S = 15;

/** A bot at work. */
export interface RunningBot {
  wakeOutbox(): void;
  /**
   * Receives no more, lets what runs finish and sends what waits, for as long as
   * `patience` lasts. What is unfinished then is taken up by the next start.
   */
  stop(patience: AbortSignal): Promise<void>;
}

/** Starts polling, working off and sending; what an earlier run left waiting goes first. */
export async function runBot(
  options: Omit<Desk, "api" | "audience" | "turnstile" | "signal"> & {
    readonly token: string;
    readonly apiRoot: string;
    readonly botId: number;
    readonly allowedUserIds: readonly number[];
    readonly outbox: Outbox;
    readonly pollSeconds: number;
    readonly requestSeconds: number;
    readonly enter: (state: PollState) => void;
  },
): Promise<RunningBot> {
  const { inbox, outbox, clock, log, allowedUserIds, botId } = options;
  // The build for browsers: it loads four times faster and uses the runtime's own fetch.
  const { Api } = await import("grammy/web");
  const apiRoot = options.apiRoot.replace(/\/+$/, "");
  const api = new Api(options.token, { apiRoot, timeoutSeconds: options.requestSeconds });
  const timeoutSeconds = options.pollSeconds + POLL_GRACE_S;
  const pollApi = new Api(options.token, { apiRoot, timeoutSeconds });

  const receiving = new AbortController();
  const life = new AbortController();
  const signal = toBotSignal(life.signal);
  const receivingSignal = toBotSignal(receiving.signal);
  let audience: Audience = { botId, username: "", allowedUserIds };
  let prunedAt = 0;
  const turnstile = createTurnstile();
  const desk: Desk = { ...options, api, audience: () => audience, turnstile, signal };

  const onError = (error: unknown) => {
    if (!signal.aborted) log("TELEGRAM_FAILED", { message: errorMessage(error) });
  };
  const outgoing = createLanes({
    heads: () => outbox.heads(),
    keyOf: (row) => row.chatId,
    run: (row) => sendRow(row, { api, outbox, clock, log, signal }),
    limit: MAX_PARALLEL,
    onError,
  });
  const incoming: Lanes[] = LANES.map((lane) =>
    createLanes<InboxRow>({
      heads: () => inbox.heads(lane),
      keyOf: (row) => row.sessionId,
      run: (row) => workUpdate(row, desk),
      limit: MAX_PARALLEL,
      onError,
    }),
  );
  const wakeInbox = () => incoming.forEach((lanes) => lanes.wake());

  /** Only now are commands like /plan@name of a group understood. */
  function connected(me: UserFromGetMe): void {
    audience = { ...audience, username: me.username };
    // Only a decoration: the commands work without it.
    for (const { commands, scope } of createMenus(options.texts())) {
      api.setMyCommands(commands, scope, receivingSignal).catch(() => undefined);
    }
    wakeInbox();
  }

  function accept(updates: readonly Update[]): void {
    const now = clock.now();
    const denied = acceptUpdates(updates, { ...desk, outbox, audience, now });
    for (const { queryId, text } of denied) {
      api.answerCallbackQuery(queryId, { text, show_alert: true }, signal).catch(() => undefined);
    }
    wakeInbox();
    if (now - prunedAt < DAY_MS) return;
    prunedAt = now;
    inbox.prune(now - KEEP_MS);
    outbox.prune(now - KEEP_MS);
  }

  outbox.recover();
  outgoing.wake();
  const polling = poll({
    api: pollApi,
    from: inbox.last(),
    waitSeconds: options.pollSeconds,
    connected,
    accept,
    enter: options.enter,
    clock,
    log,
    signal: receivingSignal,
  });

  return {
    wakeOutbox: () => outgoing.wake(),
    async stop(patience) {
      receiving.abort();
      for (const lanes of incoming) lanes.close();
      const finished = Promise.all([polling, ...incoming.map((lanes) => lanes.idle())]);
      await Promise.race([finished.then(() => outgoing.idle()), untilAborted(patience)]);
      outgoing.close();
      life.abort();
      await outgoing.idle();
    },
  };
}
