import type { Api } from "grammy";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Outbox, OutboxRow } from "../../store/chats/chats.ts";
import { type Commit, isOfStore } from "../../store/writer/writer.ts";
import type { Texts } from "../../texts/texts.ts";
import { backoffMs, boundWait, toApiFailure } from "./api-failure.ts";
import type { BotSignal } from "./bot-signal.ts";
import { notesOf, parseSend, type Send, shownBy, toCodeEntities } from "./message/message.ts";
import { toPlainer } from "./plainer.ts";
import { parseMessageId } from "./receive/receive.ts";
import {
  doubtOf,
  type SentPart,
  sendStoredFile,
  sendTextFile,
  sentAbove,
  stampedButtons,
} from "./send-files.ts";
import type { createUnsentNotices } from "./tell-unsent.ts";

/** What Telegram says of a message that somebody deleted, or that is too old to be changed. */
const GONE = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/;

/** The chat takes nothing from the bot. */
const FORBIDDEN = 403;

/** What rows are sent with. */
interface SendTo extends WriteTo {
  /** For what takes long a client that is more patient. */
  readonly apis: { readonly usual: Api; readonly uploads: Api };
  readonly commit: Commit;
  readonly signal: BotSignal;
}

/** What is written down with how a try ended. */
interface WriteTo {
  readonly outbox: Outbox;
  /** Notes that the chat became another; false: it is the one that this was sent to. */
  readonly moved: (from: number, to: number) => boolean;
  /** Says where it is read that this was given up. */
  readonly tellUnsent: ReturnType<typeof createUnsentNotices>;
  readonly words: () => Texts["telegram"];
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Tries once to send the row and writes down how it ended. A row that is to be tried again
 * stays the first of its chat, so that nothing overtakes it.
 *
 * When `signal` ends the request under way the row stays "sending": nobody knows whether it
 * arrived, and the next start says so. "gone": it was sent, and nothing else is to be done of it.
 */
export async function sendRow(row: OutboxRow, to: SendTo): Promise<"gone" | void> {
  const { outbox, commit, clock, signal } = to;
  const lasting = { signal, isLasting: true };
  const current = await commit(() => outbox.beginSend(row.id), { signal });
  if (current === undefined) return;
  const send = parseSend(current);
  if (!send) {
    const reason = "what is stored of it cannot be read";
    to.log("TELEGRAM_SEND_GIVEN_UP", { method: current.method, reason });
    return commit(() => outbox.markFailed(current, reason), { signal });
  }
  try {
    const sent = await callApi(to, send, current);
    const { messageId, next, isCut } =
      typeof sent === "object" ? sent : { messageId: sent, next: undefined, isCut: false };
    if (next || isCut) {
      return await commit(() => goOn(current, next, to), { ...lasting, isSynced: false });
    }
    const notBefore = nextChangeAt(current, clock.now());
    // What was sent must not be sent again because the disk is full. A power cut here is a doubt, and
    // is said to be one.
    const mark = () => outbox.markSent(current, messageId, notBefore);
    const isSent = await commit(mark, { ...lasting, isSynced: false });
    return isSent ? "gone" : undefined;
  } catch (error) {
    if (signal.aborted) return;
    if (isOfStore(error)) throw error;
    await commit(() => writeDown(error, current, send, to), lasting);
  }
}

/**
 * The next message of a row. Where there is none although not all was shown, the row did not get
 * through: no yes may count for it.
 */
function goOn(row: OutboxRow, next: Send | undefined, { outbox, clock }: WriteTo): void {
  if (!next) return outbox.markFailed(row, "it was not shown to its end");
  const notBefore = clock.now() + paceMs(Number(row.chatId));
  outbox.goOn(row, { method: next.method, payloadJson: JSON.stringify(next.payload) }, notBefore);
}

/** Milliseconds until the row may be sent, within reason. */
export function sendsInMs({ notBefore }: OutboxRow, now: number): number {
  return boundWait(notBefore - now);
}

/** A message that grows is changed at a pace people can read, and Telegram allows. */
function nextChangeAt({ turn, chatId }: OutboxRow, now: number): number {
  return turn === null ? 0 : now + paceMs(Number(chatId));
}

async function callApi(
  { apis: { usual: api, uploads }, words, signal }: Pick<SendTo, "apis" | "words" | "signal">,
  { method, payload }: Send,
  row: OutboxRow,
): Promise<SentPart | number | undefined> {
  const { messageId } = row;
  switch (method) {
    case "sendMessage": {
      const { after: _, ...plain } = payload;
      const text = doubtOf(row, words) + plain.text;
      const message = {
        ...plain,
        ...stampedButtons(payload, row),
        text,
        ...(payload.parse_mode === undefined && { entities: toCodeEntities(text) }),
        link_preview_options: { is_disabled: true },
      };
      if (messageId === null) {
        return sentAbove(payload, parseMessageId(await api.raw.sendMessage(message, signal)));
      }
      await api.raw.editMessageText({ ...message, message_id: messageId }, signal);
      return messageId;
    }
    case "sendDocument":
      return sendTextFile({ method, payload }, row, { uploads, words, signal });
    case "sendFile":
      return sendStoredFile({ method, payload }, row, { uploads, words, signal });
    case "editMessageReplyMarkup":
      await api.raw.editMessageReplyMarkup(payload, signal);
      return undefined;
    case "deleteMessage":
      if (messageId !== null) {
        await api.raw.deleteMessage({ ...payload, message_id: messageId }, signal);
      }
      return undefined;
    default:
      return method satisfies never;
  }
}

function writeDown(error: unknown, row: OutboxRow, send: Send, to: WriteTo): void {
  const { outbox, moved, clock, log } = to;
  const failure = toApiFailure(error);
  const fields = { method: row.method, chat: row.chatId, reason: failure.reason };
  const movedTo = failure.kind === "answered" ? failure.movedTo : undefined;
  if (movedTo !== undefined && moved(Number(row.chatId), movedTo)) {
    log("TELEGRAM_SEND_RETRY", fields);
    // What is in the old chat stays as it is.
    if (ofMessage(send)) return void outbox.markSent(row, undefined);
    return outbox.retry(row.id, { notBefore: 0, inDoubt: false });
  }
  if (failure.kind === "answered" && isFinal(failure.status)) {
    if (repair(failure, row, send, to)) return;
    log("TELEGRAM_SEND_GIVEN_UP", fields);
    outbox.markFailed(row, failure.reason);
    // Nobody waits for a change of what is there.
    if (!ofMessage(send)) to.tellUnsent(row, failure);
    return;
  }
  log("TELEGRAM_SEND_RETRY", fields);
  const retryAfterMs = failure.kind === "answered" ? failure.retryAfterMs : undefined;
  outbox.retry(row.id, {
    notBefore: clock.now() + (retryAfterMs ?? backoffMs(row.tries)),
    // A change has the same effect once or twice.
    inDoubt: failure.kind === "unknown" && row.messageId === null,
  });
}

/** Whether it only changes something on a message that is there. */
function ofMessage({ method }: Send): boolean {
  return method === "editMessageReplyMarkup" || method === "deleteMessage";
}

/** Telegram has one status for every bad request and tells them apart in words only. */
function repair(
  { reason, status }: { readonly reason: string; readonly status: number },
  row: OutboxRow,
  send: Send,
  { outbox, words, clock }: Pick<WriteTo, "outbox" | "words" | "clock">,
): boolean {
  const isDeleted = send.method === "deleteMessage";
  if (isDeleted || reason.includes("message is not modified")) {
    const messageId = isDeleted ? undefined : (row.messageId ?? undefined);
    outbox.markSent(row, messageId, nextChangeAt(row, clock.now()));
    return true;
  }
  if (row.messageId !== null && GONE.test(reason)) {
    outbox.forgetMessage(row.id);
    return true;
  }
  if (status === FORBIDDEN && send.method === "sendMessage") return false;
  const plainer = toPlainer(reason, send, notesOf({ asks: shownBy(row) !== undefined }, words()));
  if (plainer) outbox.replacePayload(row, JSON.stringify(plainer.payload));
  // What can be changed no more can be sent below.
  else if (row.messageId !== null) outbox.forgetMessage(row.id);
  return plainer !== undefined || row.messageId !== null;
}

/** 401 and 404 speak about the token, not about the message; the owner can repair that. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 404, 408, 429].includes(status);
}

/**
 * How far apart changes of a message are at least. Telegram allows about one message a second in
 * a chat and twenty a minute in a group, whose ids are negative.
 */
export function paceMs(chatId: number): number {
  return chatId < 0 ? 3000 : 1000;
}
