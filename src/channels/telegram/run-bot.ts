import { errorMessage } from "../../core/app-error.ts";
import { cutText } from "../../core/cut-text.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type {
  ChatMoves,
  InboxHead,
  InboxRow,
  Lane,
  Outbox,
  OutboxHead,
  Pairing,
} from "../../store/chats/chats.ts";
import type { KnownRows } from "../../store/known-rows.ts";
import { InterruptedError } from "../channel.ts";
import { toBotSignal } from "./bot-signal.ts";
import { acceptUpdates, type FollowUps, toSessionId } from "./intake/intake.ts";
import { createKeyedWorkers, type KeyedWorkers } from "./keyed-workers.ts";
import { createMenus } from "./menu.ts";
import { escapeHtml, toCodeEntities } from "./message/message.ts";
import { type Connection, openApi, type Received, receive } from "./receive/receive.ts";
import { sendRow, sendsInMs } from "./send.ts";
import { createUnsentNotices } from "./tell-unsent.ts";
import { createTroubleNotice } from "./trouble-notice.ts";
import {
  type Company,
  createSuspects,
  createUpdateWorker,
  type Storage,
  type UpdateContext,
} from "./work/work.ts";

/** Messages that are sent at a time, and cancels worked on. */
const MAX_PARALLEL = 16;
/** The agent says which of them wait for each other, and refuses too many of a session. */
const MAX_PRESSES = 256;

/** A message is said to be queued only when it still waits then. */
const QUEUED_AFTER_MS = 2000;

/** Telegram takes 4096. */
const MOST_NOTICE_CHARS = 4000;

/** How much longer than any other call a file may take: 50 MB on a slow line. */
const UPLOAD = 20;

/** A running bot. */
export interface RunningBot {
  /** Looks for what a chat is to be sent. */
  wakeOutbox(chatId: string): void;
  /** Stores updates that came in by a webhook; throws when it cannot. */
  readonly accept: (updates: readonly Received[]) => Promise<void>;
  /** Sends a text past the outbox, for when that cannot be written. */
  readonly sendNow: (text: string) => Promise<void>;
  /**
   * Receives no more, lets what runs finish and sends what waits, for as long as
   * `patience` lasts. What is unfinished then is taken up by the next start.
   */
  stop(patience: AbortSignal): Promise<void>;
}

/** Whom a bot answers. */
export interface People {
  readonly botId: number;
  readonly allowedUserIds: () => readonly number[];
  readonly pairing: Pairing;
}

/** A row, and whether others wait behind it, where that was looked at. */
type MaybeHead = InboxRow & Partial<InboxHead>;

/** Starts receiving, processing and sending; what an earlier run left waiting goes first. */
export async function runBot(
  options: Pick<UpdateContext, "agent" | "outgoing" | "wording" | "clock" | "log"> & {
    readonly connection: Connection;
    readonly people: People;
    readonly company: Company;
    /** How many sessions are answered at a time. */
    readonly maxTurns: () => number;
    readonly storage: Storage & {
      readonly outbox: Outbox;
      readonly known: KnownRows;
      readonly moves: ChatMoves;
    };
  },
): Promise<RunningBot> {
  const { connection, people, storage, wording, clock, log } = options;
  const { inbox, outbox, commit, moves } = storage;
  const { token, apiRoot } = connection;
  const { botId } = people;
  const timeoutSeconds = connection.limits.request;
  const api = await openApi(token, { apiRoot, timeoutSeconds });
  const uploads = await openApi(token, { apiRoot, timeoutSeconds: timeoutSeconds * UPLOAD });

  const receiving = new AbortController();
  const life = new AbortController();
  const signal = toBotSignal(life.signal);
  const receivingSignal = toBotSignal(receiving.signal);
  let username = "";
  let seenVersion = storage.known.version();
  const audience = () => ({
    botId,
    username,
    texts: wording.texts().telegram,
    allowedUserIds: people.allowedUserIds(),
    moves,
  });
  const suspects = createSuspects(inbox, options.company, wakeInbox);
  const bot = { api, apiRoot, token, audience, signal };
  const work = createUpdateWorker({ ...options, bot, downloads: new Map() }, suspects);

  const trouble = createTroubleNotice({ send: sendNow, texts: wording.texts, log });
  const onError = (error: unknown) => {
    if (signal.aborted || error instanceof InterruptedError) return;
    log("TELEGRAM_FAILED", { message: errorMessage(error) });
    trouble.tell(error);
  };
  const moved = (from: number, to: number) => {
    moves.note(from, to);
    senders.wake();
    return moves.now(from) !== from;
  };
  const owner = () => people.allowedUserIds()[0];
  const { texts } = wording;
  const tell = createUnsentNotices({ post: options.outgoing.post, outbox, owner, texts, clock });
  const tellUnsent: typeof tell = (row, failure) => {
    tell(row, failure);
    senders.wake();
  };
  const apis = { usual: api, uploads };
  const words = () => texts().telegram;
  const sendTo = { apis, words, tellUnsent, outbox, moved, commit, clock, log, signal };
  const senders = createKeyedWorkers<OutboxHead>({
    heads: () => outbox.heads(),
    next: (chatId) => outbox.head(chatId),
    keyOf: (row) => row.chatId,
    idOf: (row) => row.id,
    isLast: ({ hasMore }) => hasMore === 0,
    // A chat that Telegram slows down must not hold up the others.
    due: { inMs: (row) => sendsInMs(row, clock.now()), sleep: clock.sleep },
    run: (row) => sendRow(row, sendTo),
    limit: () => MAX_PARALLEL,
    onError,
  });
  const mayBegin = (row: InboxRow) => suspects.mayBegin(row);
  const idOf = (row: InboxRow) => row.updateId;
  const shared = { idOf, run: work, limit: () => MAX_PARALLEL, onError };
  const isLast = ({ hasMore = true }: MaybeHead) => !hasMore;
  const incoming: Readonly<Record<Lane, KeyedWorkers>> = {
    turn: createKeyedWorkers<MaybeHead>({
      ...shared,
      isLast,
      heads: () => inbox.heads("turn"),
      next: (sessionId) => inbox.head("turn", sessionId),
      keyOf: (row) => row.sessionId,
      mayBegin,
      limit: options.maxTurns,
    }),
    cancel: createKeyedWorkers<MaybeHead>({
      ...shared,
      isLast,
      heads: () => inbox.heads("cancel"),
      next: (sessionId) => inbox.head("cancel", sessionId),
      keyOf: (row) => row.sessionId,
    }),
    press: createKeyedWorkers<InboxRow>({
      ...shared,
      heads: () => inbox.waitingPresses(MAX_PRESSES),
      keyOf: (row) => String(row.updateId),
      mayBegin,
      limit: () => MAX_PRESSES,
    }),
  };
  function wakeInbox(): void {
    for (const workers of Object.values(incoming)) workers.wake();
  }

  /** Only now are commands like /plan@name of a group understood. */
  function connected(name: string): void {
    username = name;
    // Only a decoration: the commands work without it.
    for (const { commands, scope } of createMenus(wording.texts())) {
      api.setMyCommands(commands, scope, receivingSignal).catch(() => undefined);
    }
    wakeInbox();
  }

  async function sendNow(text: string): Promise<void> {
    const chatId = owner();
    if (chatId === undefined) return;
    const notice = cutText(wording.redact(text), MOST_NOTICE_CHARS);
    await api.sendMessage(chatId, notice, { entities: toCodeEntities(notice) }, signal);
  }

  async function accept(updates: readonly Received[]): Promise<void> {
    const now = clock.now();
    const followUps = await store(updates, now);
    for (const { queryId, text } of followUps.denied) {
      api.answerCallbackQuery(queryId, { text, show_alert: true }, signal).catch(() => undefined);
    }
    for (const message of followUps.queued) void sayQueued(message).catch(onError);
    for (const { lane, sessionId } of followUps.stored) incoming[lane].wake(sessionId);
    if (followUps.isMoved) {
      wakeInbox();
      senders.wake();
    }
    wakeSenders();
  }

  /** The command line writes messages, too. */
  function wakeSenders(): void {
    const version = storage.known.version();
    if (version === seenVersion) return senders.wakeLeft();
    seenVersion = version;
    senders.wake();
  }

  /** Telegram keeps what is not stored. */
  async function store(updates: readonly Received[], now: number): Promise<FollowUps> {
    const take = () =>
      acceptUpdates(updates, {
        store: storage.store,
        moves,
        inbox,
        pairing: people.pairing,
        audience: audience(),
        isBusy: (sessionId) => incoming.turn.isBusy(sessionId),
        outgoing: options.outgoing,
        now,
        log,
      });
    try {
      const followUps = await commit(take, { signal: receivingSignal });
      if (updates.length > 0) trouble.isOver();
      return followUps;
    } catch (error) {
      trouble.tell(error);
      throw error;
    }
  }

  /** One notice for all that waits by then; what comes while the first of it waits counts there. */
  async function sayQueued({ updateId, place }: FollowUps["queued"][number]): Promise<void> {
    await clock.sleep(QUEUED_AFTER_MS, receivingSignal).catch(() => undefined);
    if (receivingSignal.aborted || !inbox.isUntouched(updateId)) return;
    const waiting = inbox
      .waitingTurns(toSessionId(place, { moves }))
      .filter(({ tries }) => tries === 0);
    const text = wording.texts().telegram.queued(waiting.length);
    options.outgoing.put(`queued:${botId}:${waiting[0]?.updateId}`, 0, place, escapeHtml(text));
  }

  outbox.recover();
  senders.wake();
  const received = receive(
    connection,
    { inbox, accept },
    { connected, clock, log, signal: receivingSignal },
  );
  received.catch(onError);

  return {
    wakeOutbox: (chatId) => senders.wake(chatId),
    accept,
    sendNow,
    async stop(patience) {
      receiving.abort();
      const lanes = Object.values(incoming);
      for (const workers of lanes) workers.close();
      const finished = Promise.all([received, ...lanes.map((workers) => workers.idle())]);
      await Promise.race([finished.then(() => senders.idle()), untilAborted(patience)]);
      senders.close();
      life.abort();
      suspects.acquitAll(); // what is still in progress did not end this process
      await senders.idle();
    },
  };
}
