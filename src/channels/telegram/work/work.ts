import { errorMessage } from "../../../core/app-error.ts";
import { sha256 } from "../../../core/sha256.ts";
import type { InboxRow } from "../../../store/chats/chats.ts";
import { unsynced } from "../../../store/unsynced.ts";
import { isLocked, untilWritten } from "../../../store/when-writable.ts";
import { type AgentEvent, assertAnswer, InterruptedError } from "../../channel.ts";
import { type Inbound, isSpoken, routeUpdate, type Spoken, toSessionId } from "../intake/intake.ts";
import { escapeHtml, type Message, textMessage } from "../message/message.ts";
import { paceMs } from "../pace.ts";
import { parseStored } from "../receive/receive.ts";
import type { SharedExclusiveLock } from "../shared-exclusive-lock.ts";
import { answerPress, refuseOldCopy } from "./answer-press.ts";
import { handleMessage } from "./handle-message.ts";
import { createReply, type Reply } from "./reply.ts";
import type { UpdateContext } from "./update-context.ts";

export type { SaveFile, Transcribe, UpdateContext } from "./update-context.ts";

const MAX_TRIES = 3;
/** Telegram shows "typing" for five seconds. */
const TYPING_LASTS_MS = 4000;

type Work = Spoken | Extract<Inbound, { readonly kind: "press" | "cancel" }>;

/**
 * Works off one row: three tries, each counted on disk before it begins, then it is set aside
 * with a notice. The last part of the answer and the end of the row are one transaction.
 */
export async function workUpdate(row: InboxRow, desk: UpdateContext): Promise<void> {
  const inbound = readWork(row.updateJson, desk);
  if (!inbound) return desk.inbox.finish(row.updateId, "done");
  for (let tries = row.tries; tries < MAX_TRIES; tries++) {
    try {
      return await pass(inbound, tries, desk.lock, () => tryOnce(row, desk));
    } catch (error) {
      if (error instanceof InterruptedError) {
        desk.inbox.giveBack(row.updateId);
        throw error; // the row is left for the next start
      }
      if (desk.signal.aborted) return;
      const reason = errorMessage(error);
      desk.log("TELEGRAM_UPDATE_FAILED", { update: row.updateId, try: tries + 1, reason });
      if (isLocked(error)) tries--; // the message is not at fault
      await desk.clock.sleep(1000 * (tries + 1), desk.signal);
      await desk.ready();
    }
  }
  setAside(row, inbound, desk);
}

/**
 * A message that was under way whenever the daemon died is worked on with no other, so that only the
 * guilty one is set aside, and not its neighbours. Buttons wait for nobody.
 */
function pass(
  work: Work,
  tries: number,
  { shared, exclusive }: SharedExclusiveLock,
  run: () => Promise<void>,
): Promise<void> {
  if (!isSpoken(work)) return run();
  return tries < MAX_TRIES - 1 ? shared(run) : exclusive(run);
}

/** Reads the row only now: it may have been edited, or withdrawn, while it waited. */
async function tryOnce(row: InboxRow, desk: UpdateContext): Promise<void> {
  const updateJson = await untilWritten(() => desk.inbox.beginTry(row.updateId), desk);
  const work = updateJson === undefined ? undefined : readWork(updateJson, desk);
  if (!work) return desk.inbox.finish(row.updateId, "done");
  using reply = openReply(row, work, desk);
  const others = await answer(work, row, reply, desk);
  await untilWritten(() => finish([row.updateId, ...others], desk, reply), desk);
}

/** Whoever was taken off the list since is nobody now. */
function readWork(updateJson: string, desk: UpdateContext): Work | undefined {
  const update = parseStored(updateJson);
  if (!update) return undefined;
  const inbound = routeUpdate(update, desk.audience());
  const isWork = isSpoken(inbound) || inbound.kind === "press" || inbound.kind === "cancel";
  return isWork ? inbound : undefined;
}

/** Gives the other rows that are done with this one. */
async function answer(
  work: Work,
  row: InboxRow,
  reply: Reply,
  desk: UpdateContext,
): Promise<readonly number[]> {
  const { conversation } = desk;
  const sessionId = toSessionId(work.place);
  const speaker = { sessionId, userId: `telegram:${work.userId}` };
  const messageId = `telegram:${desk.audience().botId}:${row.updateId}`;
  const origin = { messageId, receivedAt: row.receivedAt };
  switch (work.kind) {
    case "text":
    case "file":
    case "voice": {
      const { words, answer: text, others } = await handleMessage(work, row, desk);
      if (text !== undefined) reply.show({ kind: "content", text });
      if (words === undefined) return others;
      const show = (event: AgentEvent) => {
        assertAnswer(event);
        const wait = desk.ready();
        return wait ? wait.then(() => reply.show(event)) : reply.show(event);
      };
      await conversation.message(speaker, words, show, origin);
      return others;
    }
    case "press":
      // One that was begun before goes on: the copy was the newest when it was pressed.
      if (row.tries === 0 && (await refuseOldCopy(work, reply, desk))) return [];
      await answerPress(work, { speaker, origin }, reply, desk);
      return [];
    case "cancel": {
      const { cancelling, nothingRuns } = desk.texts().telegram;
      const listening = desk.listening.get(sessionId);
      listening?.abort();
      const text = conversation.cancel(sessionId) || listening ? cancelling : nothingRuns;
      reply.show({ kind: "content", text });
      return [];
    }
    default:
      return work satisfies never;
  }
}

function openReply({ updateId }: InboxRow, { place, userId }: Work, desk: UpdateContext): Reply {
  let typedAt = Number.NEGATIVE_INFINITY;
  // The same at the next try, which goes on with the messages of this one.
  const turn = `${desk.audience().botId}:${updateId}`;
  const nameOf = createNames(turn);
  const isListed = () => desk.audience().allowedUserIds.includes(userId);
  const isHeard = () => !desk.signal.aborted && isListed();
  return createReply({
    ...desk,
    paceMs: paceMs(place.chatId),
    post(message) {
      if (isHeard()) desk.post(place, message, nameOf(message));
    },
    put(part, html) {
      if (isHeard()) desk.put(turn, part, place, html);
    },
    withdraw(part) {
      if (isHeard()) desk.withdraw(turn, part, place);
    },
    busy() {
      // Whoever was taken off the list meanwhile is nobody now, and nothing goes on for them.
      if (!isListed()) return void desk.conversation.cancel(toSessionId(place));
      if (desk.clock.now() - typedAt < TYPING_LASTS_MS) return;
      typedAt = desk.clock.now();
      const topic = place.threadId === undefined ? {} : { message_thread_id: place.threadId };
      // Only a decoration: nobody misses it when it fails.
      desk.api.sendChatAction(place.chatId, "typing", topic, desk.signal).catch(() => undefined);
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

function finish(updateIds: readonly number[], desk: UpdateContext, reply: Reply): void {
  if (desk.signal.aborted) return;
  const end = desk.store.transaction(() => {
    reply.finish();
    for (const updateId of updateIds) desk.inbox.finish(updateId, "done");
  });
  // The send that follows is synced, and this with it.
  unsynced(desk.store, () => end.immediate());
}

function setAside(row: InboxRow, work: Work, desk: UpdateContext): void {
  const said = "text" in work && work.text !== "" ? work.text : `[${work.kind}]`;
  const text = desk.texts().telegram.setAside(MAX_TRIES, said.slice(0, 100));
  desk.store
    .transaction(() => {
      desk.post(work.place, textMessage(escapeHtml(text)));
      desk.inbox.finish(row.updateId, "poison");
    })
    .immediate();
}
