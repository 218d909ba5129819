import type { Api } from "grammy";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Outbox, OutboxRow } from "../../store/chats/chats.ts";
import { type Commit, isOfStore } from "../../store/writer/writer.ts";
import { readWholeFile } from "../../workspace/read-file.ts";
import { backoffMs, boundWait, toApiFailure } from "./api-failure.ts";
import type { BotSignal } from "./bot-signal.ts";
import {
  DOUBT,
  parseSend,
  type Send,
  stampButtons,
  toCodeEntities,
  withoutMarkup,
  withoutPages,
} from "./message/message.ts";
import { parseMessageId } from "./receive/receive.ts";

/** What Telegram says of a message that somebody deleted, or that is too old to be changed. */
const GONE = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/;

/**
 * Tries once to send the row and writes down how it ended. A row that is to be tried again
 * stays the first of its chat, so that nothing overtakes it.
 *
 * When `signal` ends the request under way the row stays "sending": nobody knows whether it
 * arrived, and the next start says so. "gone": it was sent, and nothing else is to be done of it.
 */
export async function sendRow(
  row: OutboxRow,
  to: {
    readonly api: Api;
    /** More patient. */
    readonly uploads: Api;
    readonly outbox: Outbox;
    /** Notes that the chat became another; false: it is the one that this was sent to. */
    readonly moved: (from: number, to: number) => boolean;
    readonly commit: Commit;
    readonly clock: Clock;
    readonly log: Log;
    readonly signal: BotSignal;
  },
): Promise<"gone" | void> {
  const { outbox, commit, clock, signal } = to;
  const waitMs = boundWait(row.notBefore - clock.now());
  if (waitMs > 0) await clock.sleep(waitMs, signal);
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
    const messageId = await callApi(to, send, current, signal);
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

/** A message that grows is changed at a pace people can read, and Telegram allows. */
function nextChangeAt({ turn, chatId }: OutboxRow, now: number): number {
  return turn === null ? 0 : now + paceMs(Number(chatId));
}

async function callApi(
  { api, uploads }: { readonly api: Api; readonly uploads: Api },
  { method, payload }: Send,
  row: OutboxRow,
  signal: BotSignal,
): Promise<number | undefined> {
  const { inDoubt, messageId } = row;
  const doubt = inDoubt === 1 ? DOUBT : "";
  switch (method) {
    case "sendMessage": {
      const text = doubt + payload.text;
      const message = {
        ...payload,
        ...stampedButtons(payload, row),
        text,
        ...(payload.parse_mode === undefined && { entities: toCodeEntities(text) }),
        link_preview_options: { is_disabled: true },
      };
      if (messageId === null) return parseMessageId(await api.raw.sendMessage(message, signal));
      await api.raw.editMessageText({ ...message, message_id: messageId }, signal);
      return messageId;
    }
    case "sendDocument": {
      const { InputFile } = await import("grammy/web");
      const { filename, content, ...rest } = { ...payload, ...stampedButtons(payload, row) };
      const document = new InputFile(new TextEncoder().encode(content), filename);
      const message = { ...rest, ...toCaption(doubt + rest.caption), document };
      return parseMessageId(await api.raw.sendDocument(message, signal));
    }
    case "sendFile": {
      const caption = doubt + payload.caption;
      const send = { method, payload: { ...payload, caption } } as const;
      return sendStoredFile(uploads, send, row, signal);
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

/** Of several copies of a message only the newest is to act: each button says which it is on. */
function stampedButtons(
  { reply_markup: buttons }: { readonly reply_markup?: Parameters<typeof stampButtons>[0] },
  row: OutboxRow,
) {
  return buttons ? { reply_markup: stampButtons(buttons, row) } : {};
}

/** Telegram takes no larger files from bots. */
const MAX_FILE_BYTES = 50_000_000;
/** A file on which the line breaks again and again must not hold up the chat behind it. */
const MAX_FILE_TRIES = 5;
const NO_FILE = "";

type SendFile = Extract<Send, { readonly method: "sendFile" }>;

/**
 * Sends a file as long as it is the one that was decided on; else a text that says so. What is
 * there is read once, so that nothing can take its place between the look and the send.
 */
async function sendStoredFile(
  api: Api,
  { payload }: SendFile,
  { inDoubt, tries }: Pick<OutboxRow, "inDoubt" | "tries">,
  signal: BotSignal,
): Promise<number | undefined> {
  const { absolute, sha256, filename, isPhoto, otherwise, ...rest } = payload;
  const isTooMuch = inDoubt === 1 && tries > MAX_FILE_TRIES;
  const file = isTooMuch
    ? undefined
    : await readWholeFile({ absolute, path: filename }, MAX_FILE_BYTES);
  if (!file?.ok || file.sha256 !== sha256) {
    const { caption: _, ...target } = rest;
    const message = { ...target, text: otherwise, entities: toCodeEntities(otherwise) };
    return parseMessageId(await api.raw.sendMessage(message, signal));
  }
  const { InputFile } = await import("grammy/web");
  // grammY writes the name into a header as it is: quoted, nothing in it is a parameter.
  const content = new InputFile(file.bytes, `"${filename.replaceAll(/["\\]/gu, "_")}"`);
  const message = { ...rest, ...toCaption(rest.caption) };
  const sent = isPhoto
    ? await api.raw.sendPhoto({ ...message, photo: content }, signal)
    : await api.raw.sendDocument({ ...message, document: content }, signal);
  return parseMessageId(sent);
}

/** The words below a file: as plain as any text, and with no link in them. */
function toCaption(caption: string) {
  return { caption, caption_entities: toCodeEntities(caption) };
}

function writeDown(
  error: unknown,
  row: OutboxRow,
  send: Send,
  {
    outbox,
    moved,
    clock,
    log,
  }: Pick<Parameters<typeof sendRow>[1], "outbox" | "moved" | "clock" | "log">,
): void {
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
    if (repair(failure.reason, row, send, outbox, clock.now())) return;
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

/** Whether it only changes something on a message that is there. */
function ofMessage({ method }: Send): boolean {
  return method === "editMessageReplyMarkup" || method === "deleteMessage";
}

/** Telegram has one status for every bad request and tells them apart in words only. */
function repair(reason: string, row: OutboxRow, send: Send, outbox: Outbox, now: number): boolean {
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
  const plainer = toPlainer(reason, send);
  if (plainer) outbox.replacePayload(row, JSON.stringify(plainer.payload));
  return plainer !== undefined;
}

/** What Telegram takes instead; undefined: nothing. */
function toPlainer(reason: string, send: Send): Send | undefined {
  if (send.method === "sendFile") return toPlainerFile(send);
  if (reason.includes("can't parse entities")) return withoutMarkup(send);
  // What is asked matters more than the page that shows it.
  return /button/iu.test(reason) ? withoutPages(send) : undefined;
}

/** What to try when Telegram refuses it: a document for a photo, then words; undefined: nothing. */
function toPlainerFile({ method, payload }: SendFile): SendFile | undefined {
  if (payload.isPhoto) return { method, payload: { ...payload, isPhoto: false } };
  return payload.sha256 === NO_FILE
    ? undefined
    : { method, payload: { ...payload, sha256: NO_FILE } };
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
