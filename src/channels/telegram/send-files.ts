import type { Api } from "grammy";
import type { OutboxRow } from "../../store/chats/chats.ts";
import type { Texts } from "../../texts/texts.ts";
import { readWholeFile } from "../../workspace/read-file.ts";
import type { BotSignal } from "./bot-signal.ts";
import {
  below,
  MAX_CAPTION_LENGTH,
  type Send,
  stampButtons,
  toCodeEntities,
} from "./message/message.ts";
import { parseMessageId } from "./receive/receive.ts";
import { toTextParts, withoutYes } from "./text-parts.ts";

/** Telegram takes no larger files from bots. */
const MAX_FILE_BYTES = 50_000_000;
/** A file on which the line breaks again and again must not hold up the chat behind it. */
const MAX_FILE_TRIES = 5;
const NO_FILE = "";

type SendFile = Extract<Send, { readonly method: "sendFile" }>;
type SendText = Extract<Send, { readonly method: "sendDocument" }>;

/** The client for what takes long, and what ends a call. */
interface Upload {
  readonly uploads: Api;
  readonly signal: BotSignal;
  readonly words: () => Texts["telegram"];
}

/** One message of a row that has several. */
export interface SentPart {
  readonly messageId: number | undefined;
  /** What the row is to send next; undefined: it was the last. */
  readonly next: Send | undefined;
  /** With it all that could be shown was shown, and that is not the whole. */
  readonly isCut: boolean;
}

/**
 * Sends a text as a file; where that is refused or breaks off again and again, as messages, one at a
 * call, with the buttons below the last. What is too long for these has none that says yes.
 *
 * @param words say that it could not be sent as this file
 */
export async function sendTextFile(
  send: SendText,
  row: OutboxRow,
  { uploads, signal, words }: Upload,
): Promise<SentPart> {
  const { payload } = send;
  const { filename, content, caption, isRefused, shown: _, reply_markup: _own, ...more } = payload;
  if (isRefused || isTooMuch(row)) return sendTextPart(send, row, { uploads, signal, words });
  const { after, ...rest } = more;
  const said = after === undefined ? caption : below(caption, after, MAX_CAPTION_LENGTH);
  const target = { ...rest, ...stampedButtons(payload, row) };
  const { InputFile } = await import("grammy/web");
  const document = new InputFile(new TextEncoder().encode(content), filename);
  const message = { ...target, ...toCaption(doubtOf(row, words) + (said ?? caption)), document };
  const messageId = parseMessageId(await uploads.raw.sendDocument(message, signal));
  return said === undefined
    ? sentAbove(payload, messageId)
    : { messageId, next: undefined, isCut: false };
}

/** A message that was sent, and behind it what is said of it. */
export function sentAbove(
  {
    after: text,
    chat_id,
    message_thread_id: thread,
  }: Extract<Send, { readonly method: "sendMessage" | "sendDocument" }>["payload"],
  messageId: number | undefined,
): SentPart {
  if (text === undefined) return { messageId, next: undefined, isCut: false };
  const target = { chat_id, ...(thread !== undefined && { message_thread_id: thread }) };
  return { messageId, next: { method: "sendMessage", payload: { ...target, text } }, isCut: false };
}

async function sendTextPart(
  { method, payload }: SendText,
  row: OutboxRow,
  { uploads, signal, words }: Upload,
): Promise<SentPart> {
  const { shown = 0, reply_markup, chat_id, message_thread_id: thread } = payload;
  const { parts, isWhole } = toTextParts(payload, words());
  const isLast = shown >= parts.length - 1;
  const buttons = isWhole ? reply_markup : withoutYes(reply_markup);
  const message = {
    chat_id,
    ...(thread !== undefined && { message_thread_id: thread }),
    ...(isLast && buttons && stampedButtons({ reply_markup: buttons }, row)),
    text: doubtOf(row, words) + (parts[shown] ?? ""),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  } as const;
  const messageId = parseMessageId(await uploads.raw.sendMessage(message, signal));
  const next = { method, payload: { ...payload, isRefused: true, shown: shown + 1 } } as const;
  return { messageId, next: isLast ? undefined : next, isCut: isLast && !isWhole };
}

/**
 * Sends a file as long as it is the one that was decided on; else a text that says so. What is
 * there is read once, so that nothing can take its place between the look and the send.
 */
export async function sendStoredFile(
  { payload }: SendFile,
  row: OutboxRow,
  { uploads, signal, words }: Upload,
): Promise<number | undefined> {
  const { absolute, sha256, filename, isPhoto, otherwise, caption, ...rest } = payload;
  const file = isTooMuch(row)
    ? undefined
    : await readWholeFile({ absolute, path: filename }, MAX_FILE_BYTES);
  if (!file?.ok || file.sha256 !== sha256) {
    const message = { ...rest, text: otherwise, entities: toCodeEntities(otherwise) };
    return parseMessageId(await uploads.raw.sendMessage(message, signal));
  }
  const { InputFile } = await import("grammy/web");
  // grammY writes the name into a header as it is: quoted, nothing in it is a parameter.
  const content = new InputFile(file.bytes, `"${filename.replaceAll(/["\\]/gu, "_")}"`);
  const message = { ...rest, ...toCaption(doubtOf(row, words) + caption) };
  const sent = isPhoto
    ? await uploads.raw.sendPhoto({ ...message, photo: content }, signal)
    : await uploads.raw.sendDocument({ ...message, document: content }, signal);
  return parseMessageId(sent);
}

/** What to try when Telegram refuses it: a document for a photo, then words; undefined: nothing. */
export function toPlainerFile(send: Send): Send | undefined {
  if (send.method !== "sendDocument" && send.method !== "sendFile") return undefined;
  if (send.method === "sendDocument") {
    const { method, payload } = send;
    return payload.isRefused ? undefined : { method, payload: { ...payload, isRefused: true } };
  }
  const { method, payload } = send;
  if (payload.isPhoto) return { method, payload: { ...payload, isPhoto: false } };
  return payload.sha256 === NO_FILE
    ? undefined
    : { method, payload: { ...payload, sha256: NO_FILE } };
}

/** Of several copies of a message only the newest is to act: each button says which it is on. */
export function stampedButtons(
  { reply_markup: buttons }: { readonly reply_markup?: Parameters<typeof stampButtons>[0] },
  row: OutboxRow,
) {
  return buttons ? { reply_markup: stampButtons(buttons, row) } : {};
}

/** What is put before a message that may have arrived already. */
export function doubtOf({ inDoubt }: OutboxRow, words: () => Texts["telegram"]): string {
  return inDoubt === 1 ? words().maybeTwice : "";
}

function isTooMuch({ inDoubt, tries }: OutboxRow): boolean {
  return inDoubt === 1 && tries > MAX_FILE_TRIES;
}

/** The words below a file: as plain as any text, and with no link in them. */
function toCaption(caption: string) {
  return { caption, caption_entities: toCodeEntities(caption) };
}
