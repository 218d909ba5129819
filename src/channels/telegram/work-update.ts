import type { Update } from "grammy/types";
import { errorMessage } from "../../core/app-error.ts";
import type { InboxRow } from "../../store/inbox.ts";
import { answerPress } from "./answer-press.ts";
import type { Desk } from "./desk.ts";
import { escapeHtml } from "./html.ts";
import { type Place, textMessage } from "./message.ts";
import { paceMs } from "./pace.ts";
import { createReply, type Reply } from "./reply.ts";
import { type Inbound, routeUpdate, toSessionId } from "./route-update.ts";
import type { Turnstile } from "./turnstile.ts";

const MAX_TRIES = 3;
/** Telegram shows "typing" for five seconds. */
const TYPING_LASTS_MS = 4000;

type Work = Extract<Inbound, { readonly kind: "text" | "press" | "cancel" }>;

/**
 * Works off one row: three tries, each counted on disk before it begins, then it is set aside
 * with a notice. The last part of the answer and the end of the row are one transaction.
 */
export async function workUpdate(row: InboxRow, desk: Desk): Promise<void> {
  const update: Update = JSON.parse(row.updateJson);
  const inbound = routeUpdate(update, desk.audience(), desk.texts().telegram);
  // Whoever was taken off the list since is nobody now.
  if (!isWork(inbound)) return desk.inbox.finish(row.updateId, "done");
  for (let tries = row.tries; tries < MAX_TRIES; tries++) {
    try {
      return await pass(inbound, tries, desk.turnstile, () => tryOnce(row, inbound, desk));
    } catch (error) {
      if (desk.signal.aborted) return;
      const reason = errorMessage(error);
      desk.log("TELEGRAM_UPDATE_FAILED", { update: row.updateId, try: tries + 1, reason });
      await desk.clock.sleep(1000 * (tries + 1), desk.signal);
    }
  }
  setAside(row, inbound, desk);
}

/**
 * A message that was under way whenever the daemon died is worked on alone, so that only the
 * guilty one is set aside, and not its neighbours. Buttons wait for nobody.
 */
function pass(
  { kind }: Work,
  tries: number,
  { alone, together }: Turnstile,
  work: () => Promise<void>,
): Promise<void> {
  if (kind !== "text") return work();
  return tries < MAX_TRIES - 1 ? together(work) : alone(work);
}

async function tryOnce(row: InboxRow, inbound: Work, desk: Desk): Promise<void> {
  desk.inbox.beginTry(row.updateId);
  using reply = openReply(row, inbound.place, desk);
  await answer(inbound, row, reply, desk);
  finish(row, desk, reply);
}

function isWork(inbound: Inbound): inbound is Work {
  return inbound.kind === "text" || inbound.kind === "press" || inbound.kind === "cancel";
}

async function answer(work: Work, row: InboxRow, reply: Reply, desk: Desk): Promise<void> {
  const { conversation } = desk;
  const sessionId = toSessionId(work.place);
  const speaker = { sessionId, userId: `telegram:${work.userId}` };
  const messageId = `telegram:${desk.audience().botId}:${row.updateId}`;
  const origin = { messageId, receivedAt: row.receivedAt };
  switch (work.kind) {
    case "text":
      return conversation.message(speaker, work.text, (event) => reply.show(event), origin);
    case "press":
      return answerPress(work, { speaker, origin }, reply, desk);
    case "cancel": {
      const { cancelling, nothingRuns } = desk.texts().telegram;
      const text = conversation.cancel(sessionId) ? cancelling : nothingRuns;
      return reply.show({ kind: "content", text });
    }
    default:
      return work satisfies never;
  }
}

function openReply({ updateId }: InboxRow, place: Place, desk: Desk): Reply {
  let typedAt = Number.NEGATIVE_INFINITY;
  // The same at the next try, which goes on with the messages of this one.
  const turn = `${desk.audience().botId}:${updateId}`;
  return createReply({
    ...desk,
    paceMs: paceMs(place.chatId),
    post(message) {
      if (!desk.signal.aborted) desk.post(place, message);
    },
    put(part, html) {
      if (!desk.signal.aborted) desk.put(turn, part, place, html);
    },
    withdraw(part) {
      if (!desk.signal.aborted) desk.withdraw(turn, part, place);
    },
    busy() {
      if (desk.clock.now() - typedAt < TYPING_LASTS_MS) return;
      typedAt = desk.clock.now();
      const topic = place.threadId === undefined ? {} : { message_thread_id: place.threadId };
      // Only a decoration: nobody misses it when it fails.
      desk.api.sendChatAction(place.chatId, "typing", topic, desk.signal).catch(() => undefined);
    },
  });
}

function finish(row: InboxRow, desk: Desk, reply: Reply): void {
  if (desk.signal.aborted) return;
  desk.store
    .transaction(() => {
      reply.finish();
      desk.inbox.finish(row.updateId, "done");
    })
    .immediate();
}

function setAside(row: InboxRow, work: Work, desk: Desk): void {
  const said = work.kind === "text" ? work.text : `[${work.kind}]`;
  const text = desk.texts().telegram.setAside(MAX_TRIES, said.slice(0, 100));
  desk.store
    .transaction(() => {
      desk.post(work.place, textMessage(escapeHtml(text)));
      desk.inbox.finish(row.updateId, "poison");
    })
    .immediate();
}
