import type { Api } from "grammy";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Outbox, OutboxRow } from "../../store/outbox.ts";
import { backoffMs, toApiFailure } from "./api-failure.ts";
import type { BotSignal } from "./bot-signal.ts";
import { DOUBT, parseSend, type Send, withoutMarkup } from "./message.ts";
import { paceMs } from "./pace.ts";

/** What Telegram says of a message that somebody deleted, or that is too old to be changed. */
const GONE = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/;

/**
 * Tries once to send the row and writes down how it ended. A row that is to be tried again
 * stays the first of its chat, so that nothing overtakes it.
 *
 * When `signal` ends the request under way the row stays "sending": nobody knows whether it
 * arrived, and the next start says so.
 */
export async function sendRow(
  row: OutboxRow,
  to: {
    readonly api: Api;
    readonly outbox: Outbox;
    readonly clock: Clock;
    readonly log: Log;
    readonly signal: BotSignal;
  },
): Promise<void> {
  const { outbox, clock, signal } = to;
  if (row.notBefore > clock.now()) await clock.sleep(row.notBefore - clock.now(), signal);
  const current = outbox.beginSend(row.id);
  if (current === undefined) return;
  const send = parseSend(current);
  try {
    const messageId = await callApi(to.api, send, current, signal);
    outbox.markSent(current, messageId, nextChangeAt(current, clock.now()));
  } catch (error) {
    if (!signal.aborted) writeDown(error, current, send, to);
  }
}

/** A message that grows is changed at a pace people can read, and Telegram allows. */
function nextChangeAt({ turn, chatId }: OutboxRow, now: number): number {
  return turn === null ? 0 : now + paceMs(Number(chatId));
}

async function callApi(
  api: Api,
  { method, payload }: Send,
  { inDoubt, messageId }: OutboxRow,
  signal: BotSignal,
): Promise<number | undefined> {
  const doubt = inDoubt === 1 ? DOUBT : "";
  switch (method) {
    case "sendMessage": {
      const message = {
        ...payload,
        text: doubt + payload.text,
        link_preview_options: { is_disabled: true },
      };
      if (messageId === null) return (await api.raw.sendMessage(message, signal)).message_id;
      await api.raw.editMessageText({ ...message, message_id: messageId }, signal);
      return messageId;
    }
    case "sendDocument": {
      const { InputFile } = await import("grammy/web");
      const { filename, content, ...rest } = payload;
      const document = new InputFile(new TextEncoder().encode(content), filename);
      const caption = doubt + rest.caption;
      const sent = await api.raw.sendDocument({ ...rest, caption, document }, signal);
      return sent.message_id;
    }
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

function writeDown(
  error: unknown,
  row: OutboxRow,
  send: Send,
  { outbox, clock, log }: { outbox: Outbox; clock: Clock; log: Log },
): void {
  const failure = toApiFailure(error);
  const fields = { method: row.method, chat: row.chatId, reason: failure.reason };
  if (failure.kind === "answered" && isFinal(failure.status)) {
    if (mend(failure.reason, row, send, outbox, clock.now())) return;
    log("TELEGRAM_SEND_GIVEN_UP", fields);
    return outbox.markFailed(row, failure.reason);
  }
  log("TELEGRAM_SEND_RETRY", fields);
  const retryAfterMs = failure.kind === "answered" ? failure.retryAfterMs : undefined;
  outbox.retry(row.id, {
    notBefore: clock.now() + (retryAfterMs ?? backoffMs(row.tries)),
    // A change has the same effect once or twice.
    inDoubt: failure.kind === "unknown" && row.messageId === null,
  });
}

/** Telegram has one status for every bad request and tells them apart in words only. */
function mend(reason: string, row: OutboxRow, send: Send, outbox: Outbox, now: number): boolean {
  const isDeleted = send.method === "deleteMessage";
  if (isDeleted || reason.includes("message is not modified")) {
    const messageId = isDeleted ? undefined : (row.messageId ?? undefined);
    outbox.markSent(row, messageId, nextChangeAt(row, now));
    return true;
  }
  if (row.messageId !== null && GONE.test(reason)) {
    outbox.forgetMessage(row.id);
    return true;
  }
  const plain = reason.includes("can't parse entities") ? withoutMarkup(send) : undefined;
  if (plain) outbox.replacePayload(row, JSON.stringify(plain.payload));
  return plain !== undefined;
}

/** 401 and 404 speak about the token, not about the message; the owner can mend that. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 404, 408, 429].includes(status);
}
