import type { Database } from "bun:sqlite";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { createInbox } from "../../store/inbox.ts";
import { createOutbox } from "../../store/outbox.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Channel, Conversation } from "../channel.ts";
import type { Redact } from "./hand.ts";
import {
  type Message,
  type Place,
  type Send,
  textMessage,
  toSends,
  toTextSend,
} from "./message.ts";
import type { PollState } from "./poll.ts";
import { type RunningBot, runBot } from "./run-bot.ts";
import { toAnswer } from "./to-answer.ts";

/** What the channel is built from; nothing is contacted before `start`. */
export interface TelegramOptions {
  /** From BotFather: `<bot id>:<secret>`. */
  readonly token: string;
  readonly apiRoot: string;
  /** Numeric user ids; empty: nobody. */
  readonly allowedUserIds: readonly number[];
  readonly conversation: Conversation;
  readonly store: Database;
  readonly clock: Clock;
  /** The interface's words. */
  readonly texts: () => Texts;
  readonly log: Log;
  /** Masks secrets in everything that goes out. */
  readonly redact?: Redact;
  /** How long Telegram may hold a poll that has nothing to tell; 30. */
  readonly pollSeconds?: number;
  /** How long any other call may take; 30. */
  readonly requestSeconds?: number;
}

/**
 * A Telegram bot as a channel. Every update is on disk before it is confirmed, every message
 * before it is sent. Sessions run side by side, each in order; buttons and /cancel overtake.
 */
export function createTelegramChannel(options: TelegramOptions): Channel {
  const { clock, store, allowedUserIds } = options;
  const outbox = createOutbox(store);
  const botId = Number.parseInt(options.token, 10) || 0;
  const inbox = createInbox(store, botId);
  let state: PollState | "stopped" = "stopped";
  let lastPollAt: number | null = null;
  let running: RunningBot | undefined;

  function enqueue(send: Send): void {
    outbox.add(toCall(send), clock.now());
    running?.wakeOutbox();
  }

  function put(turn: string, part: number, place: Place, html: string): void {
    outbox.put({ ...toCall(toTextSend(place, html)), turn, part }, clock.now());
    running?.wakeOutbox();
  }

  function withdraw(turn: string, part: number, { chatId }: Place): void {
    const remove: Send = { method: "deleteMessage", payload: { chat_id: chatId } };
    outbox.withdraw(turn, part, toCall(remove));
    running?.wakeOutbox();
  }

  function post(place: Place, message: Message): void {
    toSends(place, message).forEach(enqueue);
  }

  return {
    name: "telegram",
    async start() {
      running ??= await runBot({
        redact: (text) => text,
        pollSeconds: 30,
        requestSeconds: 30,
        ...options,
        botId,
        inbox,
        outbox,
        post,
        put,
        withdraw,
        enqueue,
        enter(next) {
          state = next;
          if (next === "polling") lastPollAt = clock.now();
        },
      });
    },
    async stop(signal) {
      await running?.stop(signal);
      running = undefined;
      state = "stopped";
    },
    async deliver(text) {
      const { parts, file } = toAnswer(options.redact?.(text) ?? text, options.texts().answer);
      const messages = [...parts.map(textMessage), ...(file ? [file] : [])];
      // A private chat has the id of its user.
      for (const chatId of allowedUserIds) {
        for (const message of messages) post({ chatId, threadId: undefined }, message);
      }
      return allowedUserIds.length > 0 ? "queued" : "nobody";
    },
    status: () => ({
      state,
      last_poll_at: lastPollAt === null ? null : new Date(lastPollAt).toISOString(),
      inbox: inbox.waitingCount(),
      outbox: outbox.waitingCount(),
    }),
  };
}

function toCall({ method, payload }: Send) {
  return { chatId: String(payload.chat_id), method, payloadJson: JSON.stringify(payload) };
}
