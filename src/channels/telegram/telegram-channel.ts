import type { Database } from "bun:sqlite";
import type { Clock } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import {
  createChatMoves,
  createInbox,
  createOutbox,
  createPairing,
  type Pairing,
} from "../../store/chats/chats.ts";
import { createKnownRows, type KnownRows } from "../../store/known-rows.ts";
import { type Commit, createWriter, isOfStore } from "../../store/writer/writer.ts";
import type { Texts } from "../../texts/texts.ts";
import type { AgentEvent, Channel, Conversation, SaveFile, WebPage } from "../channel.ts";
import {
  type Message,
  nameShowing,
  type Place,
  type Send,
  textMessage,
  toSends,
  toShowingPrefix,
  toTextSend,
  wasSeen,
  withoutButtons,
} from "./message/message.ts";
import type { BotLock, Limits, PollState } from "./receive/receive.ts";
import { answerWebhook, webhookSecret } from "./receive/receive.ts";
import type { Redact } from "./render/render.ts";
import { isShown, renderEvent, toAnswer } from "./render/render.ts";
import { type RunningBot, runBot } from "./run-bot.ts";
import type { Company, Transcribe } from "./work/work.ts";

export type { BotLock } from "./receive/receive.ts";
export type { Company, Transcribe } from "./work/work.ts";

/** What the channel is built from; nothing is contacted before `start`. */
export interface TelegramOptions {
  readonly connection: ConnectionOptions;
  /** Numeric user ids; only they and people who were paired are answered. */
  readonly allowedUserIds: () => readonly number[];
  readonly agent: {
    readonly conversation: Conversation;
    readonly saveFile: SaveFile;
    /** Without it voice messages are declined. */
    readonly transcribe?: Transcribe;
  };
  /** How many chats are answered at a time; without it 16. */
  readonly maxTurns?: () => number;
  /** More than so many this process cannot keep waiting for their models, whatever is asked for. */
  readonly mostTurns?: number;
  /** Without it, what else the daemon works on is not seen. */
  readonly company?: Company;
  readonly storage: {
    readonly store: Database;
    /** Without it the channel writes by itself. */
    readonly commit?: Commit;
    /** Without it the channel keeps by itself what it has read. */
    readonly known?: KnownRows;
    /** Waits for other programs that write to the database; without it they are not waited for. */
    readonly ready?: () => Promise<void> | undefined;
  };
  readonly wording: {
    /** The interface's words. */
    readonly texts: () => Texts;
    /** Masks secrets in everything that goes out. */
    readonly redact?: Redact;
    /** Where a question is read as a page that Telegram opens; without it nowhere. */
    readonly reviewPage?: (approvalId: string) => WebPage | undefined;
  };
  readonly clock: Clock;
  readonly log: Log;
}

/** How the bot is reached. */
export interface ConnectionOptions {
  /** From BotFather: `<bot id>:<secret>`. */
  readonly token: string;
  readonly apiRoot: string;
  /** Where Telegram is to bring updates; without it they are fetched. */
  readonly webhookUrl?: string;
  /** Without it other processes of this machine are not looked at. */
  readonly lock?: BotLock;
  /** 30 seconds for a poll and 15 more for its line, 30 for any other call. */
  readonly limits?: Partial<Limits>;
}

/** The channel, and the entry point for Telegram's webhook calls. */
export interface TelegramChannel extends Channel {
  /** Answers a request to the webhook. */
  readonly receive: (request: Request) => Promise<Response>;
  /** What an earlier start took in and did not answer. */
  readonly unanswered: () => readonly string[];
  /** Whether somebody is answered now. */
  readonly isListed: (userId: number) => boolean;
  /** Tells somebody in their private chat; undefined: the session is no such chat of who is answered. */
  readonly toldIn: (sessionId: string) => Channel["deliver"] | undefined;
  /** Sends a text as a file into such a chat; false: it is none. */
  readonly sendText: (sessionId: string, name: string, text: string) => boolean;
}

/**
 * A Telegram bot as a channel. Every update is on disk before it is confirmed, every message
 * before it is sent. Sessions run concurrently, each in order; buttons and /cancel overtake.
 */
export function createTelegramChannel(options: TelegramOptions): TelegramChannel {
  const { clock, log } = options;
  const { store, commit = createWriter(store, clock), ready = () => undefined } = options.storage;
  const { known = createKnownRows(store) } = options.storage;
  const { texts, redact = (text: string) => text, reviewPage } = options.wording;
  const { token, apiRoot, webhookUrl: url, lock, limits } = options.connection;
  const outbox = createOutbox(store);
  const pairing = createPairing(store, known);
  const moves = createChatMoves(store, known);
  const secret = webhookSecret(token);
  const botId = Number.parseInt(token, 10) || 0;
  const inbox = createInbox(store, botId);
  const { maxTurns = () => USUAL_TURNS, mostTurns = Number.POSITIVE_INFINITY } = options;
  let state: PollState | "stopped" = "stopped";
  let lastPollAt: number | null = null;
  let running: RunningBot | undefined;
  let starting: Promise<RunningBot> | undefined;

  /** Looked up each time: the command line pairs while the daemon runs. */
  const allowedUserIds = createAllowed(options.allowedUserIds, () => pairing.paired());

  /** The chat may have become another since it was read. */
  function nowOf({ chatId, threadId }: Place): Place {
    return { chatId: moves.now(chatId), threadId };
  }

  function dropButtons(place: Place, messageId: number): void {
    // Nothing can be changed any more in a chat that became another.
    if (moves.now(place.chatId) === place.chatId) add(withoutButtons(place, messageId));
  }

  function put(turn: string, part: number, place: Place, html: string): void {
    const call = toCall(toTextSend(nowOf(place), html));
    outbox.put({ ...call, turn, part }, clock.now());
    running?.wakeOutbox(call.chatId);
  }

  function withdraw(turn: string, part: number, place: Place): void {
    const { chatId } = nowOf(place);
    const remove: Send = { method: "deleteMessage", payload: { chat_id: chatId } };
    outbox.withdraw(turn, part, toCall(remove));
    running?.wakeOutbox(String(chatId));
  }

  function post(place: Place, message: Message, name?: string): void {
    const { showing } = message;
    const turn = showing ? nameShowing(showing, name ?? newId("told")) : name;
    for (const [part, send] of toSends(nowOf(place), message, reviewPage).entries()) {
      add(send, turn === undefined ? turn : { turn, part });
    }
  }

  function add(send: Send, part?: Parameters<typeof outbox.add>[2]): void {
    const call = toCall(send);
    outbox.add(call, clock.now(), part);
    running?.wakeOutbox(call.chatId);
  }

  function tell(chatId: number, text: string, events: readonly AgentEvent[]): void {
    const said = toAnswer(redact(text), texts().answer);
    const { parts, file } = text === "" ? { parts: [] } : said;
    const place = { chatId, threadId: undefined };
    for (const part of [...parts.map(textMessage), ...(file ? [file] : [])]) post(place, part);
    for (const event of events.filter(isShown)) {
      const told = newId("told"); // the messages of one question are lost together
      for (const message of renderEvent(event, texts(), redact)) {
        post(place, message, message.showing && told);
      }
    }
  }

  return {
    name: "telegram",
    async start() {
      starting ??= runBot({
        connection: {
          token,
          apiRoot: apiRoot.replace(/\/+$/, ""),
          webhook: url ? { url, secret } : undefined,
          lock,
          limits: { poll: 30, pollGrace: 15, request: 30, ...limits },
          enter(next) {
            state = next;
          },
          alive() {
            lastPollAt = clock.now();
          },
        },
        people: { botId, allowedUserIds, pairing },
        company: options.company ?? NOBODY,
        maxTurns: () => Math.min(maxTurns(), mostTurns),
        agent: { transcribe: undefined, ...options.agent },
        storage: { store, commit, known, ready, inbox, outbox, moves },
        outgoing: {
          post,
          put,
          withdraw,
          dropButtons,
          newerCopy: (copy) => outbox.newerCopy(copy),
          saw: (ref, said) =>
            wasSeen(outbox.named(toShowingPrefix(ref)), said, (id) => moves.now(id)),
        },
        wording: { texts, redact },
        clock,
        log,
      });
      running = await starting;
    },
    async stop(signal) {
      const stopping = await starting?.catch(() => undefined);
      await stopping?.stop(signal);
      starting = undefined;
      running = undefined;
      state = "stopped";
    },
    async deliver(text, events = []) {
      // What the others said and do goes to the owner only: the first on the list. A
      // private chat has the id of its user.
      const [chatId] = allowedUserIds();
      if (chatId === undefined) return "nobody";
      try {
        tell(chatId, text, events);
        return "queued";
      } catch (error) {
        if (!running || !isOfStore(error)) throw error;
        // A full disk is reported by what still works.
        await running.sendNow(text);
        return "delivered";
      }
    },
    toldIn(sessionId) {
      const chatId = allowedUserIds().find((id) => sessionId === `telegram:${id}`);
      if (chatId === undefined) return undefined;
      return async (text, events = []) => {
        tell(chatId, text, events);
        return "queued";
      };
    },
    sendText(sessionId, filename, text) {
      const chatId = allowedUserIds().find((id) => sessionId === `telegram:${id}`);
      if (chatId === undefined) return false;
      const content = redact(text);
      const file = { kind: "document", filename, content, caption: filename, buttons: [] } as const;
      post({ chatId, threadId: undefined }, file);
      return true;
    },
    async receive(request) {
      if (!running || !url) return new Response("the webhook is closed", { status: 503 });
      return answerWebhook(request, { secret, accept: running.accept, log });
    },
    unanswered: () => inbox.waitingTexts(),
    isListed: (userId) => allowedUserIds().includes(userId),
    owner() {
      const [id] = allowedUserIds();
      return id === undefined
        ? undefined
        : { sessionId: `telegram:${id}`, userId: `telegram:${id}` };
    },
    status: () => ({
      state,
      last_poll_at: lastPollAt === null ? null : new Date(lastPollAt).toISOString(),
      inbox: inbox.waitingCount(),
      outbox: outbox.waitingCount(),
      ...(maxTurns() > mostTurns && { turns_at_most: mostTurns }),
    }),
  };
}

/** Who is listed or was let in; put together again when one of both lists is another. */
function createAllowed(
  listed: () => readonly number[],
  paired: Pairing["paired"],
): () => readonly number[] {
  let made: { readonly of: readonly unknown[]; readonly ids: readonly number[] } | undefined;
  return () => {
    const [own, people] = [listed(), paired()];
    if (made?.of[0] !== own || made.of[1] !== people) {
      const ids = [...new Set([...own, ...people.map(({ userId }) => userId)])];
      made = { of: [own, people], ids };
    }
    return made.ids;
  };
}

const USUAL_TURNS = 16;
const NOBODY: Company = { isThere: () => false, onJoin() {} };

function toCall({ method, payload }: Send) {
  return { chatId: String(payload.chat_id), method, payloadJson: JSON.stringify(payload) };
}
