import { errorMessage } from "../../../core/app-error.ts";
import { shorten } from "../../../core/cut-text.ts";
import { sha256 } from "../../../core/sha256.ts";
import type { InboxRow } from "../../../store/chats/chats.ts";
import { isLocked } from "../../../store/writer/writer.ts";
import { type AgentEvent, assertAnswer, InterruptedError } from "../../channel.ts";
import {
  albumRows,
  type Inbound,
  isSpoken,
  routeUpdate,
  type Spoken,
  toSessionId,
} from "../intake/intake.ts";
import { escapeHtml, type Message, textMessage } from "../message/message.ts";
import { parseStored } from "../receive/receive.ts";
import { isShown } from "../render/render.ts";
import { paceMs } from "../send.ts";
import { answerPress } from "./answer-press.ts";
import { handleMessage } from "./handle-message.ts";
import { createReply, type Reply, type TextTarget } from "./reply.ts";
import type { Suspects } from "./suspects.ts";
import type { Bot, UpdateContext } from "./update-context.ts";

export { type Company, createSuspects } from "./suspects.ts";
export type {
  Storage,
  Transcribe,
  UpdateContext,
} from "./update-context.ts";

/** Telegram shows "typing" for five seconds; nobody sees it before an answer that comes at once. */
const TYPING_LASTS_MS = 4000;
const TYPING_AFTER_MS = 1000;

type Work = Spoken | Extract<Inbound, { readonly kind: "press" | "cancel" }>;

/** Processes rows that were stored. */
export function createUpdateWorker(
  context: UpdateContext,
  suspects: Suspects,
): (row: InboxRow) => Promise<"gone" | void> {
  const told = { isLocked: false };
  return (row) => suspects.watch(row, () => workUpdate(row, context, suspects, told));
}

/** What was logged of the database: that it is locked, once until an update gets through again. */
interface LockNotice {
  isLocked: boolean;
}

/**
 * Processes one row. What fails again and again, or brings the daemon down, is set aside with a
 * notice. The last part of the answer and the end of the row are one transaction.
 */
async function workUpdate(
  row: InboxRow,
  context: UpdateContext,
  suspects: Suspects,
  told: LockNotice,
): Promise<"gone" | void> {
  const { bot, storage, clock } = context;
  const inbound = readWork(row.updateJson, bot);
  if (!inbound) return storage.inbox.finish(row.updateId, "done");
  let { blame, tries } = row;
  let failures = 0;
  while (!suspects.isGuilty(blame)) {
    tries++;
    try {
      await tryOnce(row, tries === 1, context, suspects);
      told.isLocked = false;
      suspects.done(row.updateId);
      return bot.signal.aborted ? undefined : "gone";
    } catch (error) {
      const isOver = error instanceof InterruptedError || bot.signal.aborted;
      if (isOver || isLocked(error)) suspects.acquit(row.updateId);
      else {
        blame += suspects.failed(row.updateId);
        failures++;
      }
      if (error instanceof InterruptedError) throw error; // the row is left for the next start
      if (isOver) return;
      logFailure(error, { update: row.updateId, try: tries }, context, told);
      await clock.sleep(1000 * Math.max(1, failures), bot.signal);
      await storage.ready();
    }
  }
  setAside(row, inbound, tries, context);
}

function logFailure(
  error: unknown,
  which: { readonly update: number; readonly try: number },
  { log }: Pick<UpdateContext, "log">,
  told: LockNotice,
): void {
  const isKnown = told.isLocked;
  if (isLocked(error)) told.isLocked = true;
  if (isLocked(error) && isKnown) return;
  log("TELEGRAM_UPDATE_FAILED", { ...which, reason: errorMessage(error) });
}

/** One try to answer an update. */
interface Try {
  readonly reply: Reply;
  /** Nothing of the answer can be on the phone, or stored. */
  readonly isFirst: boolean;
  /** Whoever asked is on the list no more. */
  readonly ending: AbortSignal;
}

/** Reads the row only now: it may have been edited, or withdrawn, while it waited. */
async function tryOnce(
  row: InboxRow,
  isFirst: boolean,
  context: UpdateContext,
  suspects: Suspects,
): Promise<void> {
  const { bot, storage } = context;
  const { commit } = storage;
  const how = { isSynced: false, signal: bot.signal };
  const updateJson = await commit(() => suspects.begin(row.updateId), how);
  const work = updateJson === undefined ? undefined : readWork(updateJson, bot);
  if (!work) return storage.inbox.finish(row.updateId, "done");
  const ending = new AbortController();
  using reply = openReply(row, work, context, () => ending.abort());
  const now = { ...row, updateJson: updateJson ?? row.updateJson };
  const one = { reply, isFirst, ending: ending.signal };
  const others = await answer(work, now, one, context);
  // The send that follows is synced, and this with it.
  await commit(() => finish([row.updateId, ...others], one, context), how);
}

/** Somebody who was taken off the list since is unknown now. */
function readWork(updateJson: string, { audience }: Bot): Work | undefined {
  const update = parseStored(updateJson);
  if (!update) return undefined;
  const inbound = routeUpdate(update, audience());
  const isWork = isSpoken(inbound) || inbound.kind === "press" || inbound.kind === "cancel";
  return isWork ? inbound : undefined;
}

/** Gives the other rows that are done with this one. */
async function answer(
  work: Work,
  row: InboxRow,
  { reply, isFirst, ending }: Try,
  context: UpdateContext,
): Promise<readonly number[]> {
  const { bot, agent, storage, outgoing, wording, downloads } = context;
  const sessionId = toSessionId(work.place, bot.audience());
  const speaker = { sessionId, userId: `telegram:${work.userId}` };
  const id = `telegram:${bot.audience().botId}:${row.updateId}`;
  const origin = { messageId: id, receivedAt: row.receivedAt, isFirst, ending };
  switch (work.kind) {
    case "text":
    case "file":
    case "voice": {
      const { said, answer: text, others } = await handleMessage(work, row, context);
      if (text !== undefined) reply.show({ kind: "content", text });
      if (said === undefined) return others;
      const show = (event: AgentEvent) => {
        assertAnswer(event);
        const wait = isShown(event) ? storage.ready() : undefined;
        return wait ? wait.then(() => reply.show(event)) : reply.show(event);
      };
      const messageId = parseStored(row.updateJson)?.message?.message_id ?? 0;
      const at = { chatId: work.place.chatId, messageId };
      const saw = (ref: string) => outgoing.saw(ref, at);
      await agent.conversation.message(speaker, said, show, { ...origin, saw });
      return others;
    }
    case "press":
      await answerPress(work, { speaker, origin }, reply, context);
      return [];
    case "cancel": {
      const { cancelling, nothingRuns } = wording.texts().telegram;
      const download = downloads.get(sessionId);
      download?.abort();
      const text = agent.conversation.cancel(sessionId) || download ? cancelling : nothingRuns;
      reply.show({ kind: "content", text });
      return [];
    }
    default:
      return work satisfies never;
  }
}

function openReply(
  { updateId }: InboxRow,
  { place, userId }: Work,
  { bot, storage, outgoing, wording, clock }: UpdateContext,
  end: () => void,
): Reply {
  const { api, audience, signal } = bot;
  let typedAt = clock.now() - TYPING_LASTS_MS + TYPING_AFTER_MS;
  // The same at the next try, which goes on with the messages of this one.
  const turn = `${audience().botId}:${updateId}`;
  const nameOf = createNames(turn);
  const isListed = () => audience().allowedUserIds.includes(userId);
  const isWanted = () => !signal.aborted && isListed();
  const target: TextTarget = {
    ...wording,
    clock,
    paceMs: paceMs(place.chatId),
    post(message) {
      if (isWanted()) outgoing.post(place, message, nameOf(message));
    },
    put(part, html) {
      if (isWanted()) outgoing.put(turn, part, place, html);
    },
    withdraw(part) {
      if (isWanted()) outgoing.withdraw(turn, part, place);
    },
  };
  return createReply(target, {
    ready: storage.ready,
    signal,
    busy() {
      // Nothing goes on for somebody who was taken off the list meanwhile, and all for the others.
      if (!isListed()) return end();
      if (clock.now() - typedAt < TYPING_LASTS_MS) return;
      typedAt = clock.now();
      const topic = place.threadId === undefined ? {} : { message_thread_id: place.threadId };
      // Only a decoration: nobody misses it when it fails.
      api.sendChatAction(place.chatId, "typing", topic, signal).catch(() => undefined);
    },
  });
}

/**
 * Names for the messages of one try of a turn: the same for the same message, however often the
 * turn is tried, so that nobody reads it twice; another one when a try itself says it again.
 */
function createNames(turn: string): (message: Message) => string {
  const counts = new Map<string, number>();
  return (message) => {
    const hash = sha256(JSON.stringify(message));
    const count = counts.get(hash) ?? 0;
    counts.set(hash, count + 1);
    return `${turn}:${hash}:${count}`;
  };
}

function finish(
  updateIds: readonly number[],
  { reply, isFirst }: Try,
  { bot, storage: { inbox } }: Pick<UpdateContext, "bot" | "storage">,
): void {
  if (bot.signal.aborted) return;
  reply.finish(isFirst);
  for (const updateId of updateIds) inbox.finish(updateId, "done");
}

function setAside(
  row: InboxRow,
  work: Work,
  tries: number,
  { bot, storage: { store, inbox }, outgoing, wording }: UpdateContext,
): void {
  // Files sent together count as one message.
  const message = parseStored(row.updateJson)?.message;
  const album = albumRows(message, inbox.waitingTurns(row.sessionId)).map((one) => one.row);
  const works = album.flatMap(({ updateJson }) => readWork(updateJson, bot) ?? []);
  const words = (works.length === 0 ? [work] : works).map((one) => ("text" in one ? one.text : ""));
  const said = words.filter((each) => each !== "").join("\n") || `[${work.kind}]`;
  const text = wording.texts().telegram.setAside(tries, shorten(said, 100));
  store
    .transaction(() => {
      outgoing.post(work.place, textMessage(escapeHtml(text)));
      inbox.finish(row.updateId, "poison");
      for (const { updateId } of album) inbox.finish(updateId, "poison");
    })
    .immediate();
}
