import type { Api } from "grammy";
import { shorten } from "../../core/cut-text.ts";
import type { OutboxRow } from "../../store/chats/chats.ts";
import type { Texts } from "../../texts/texts.ts";
import { readWholeFile } from "../../workspace/read-file.ts";
import type { BotSignal } from "./bot-signal.ts";
import { DOUBT, type Send, stampButtons, toCodeEntities } from "./message/message.ts";
import { parseMessageId } from "./receive/receive.ts";

/** Telegram takes no larger files from bots. */
const MAX_FILE_BYTES = 50_000_000;
/** A file on which the line breaks again and again must not hold up the chat behind it. */
const MAX_FILE_TRIES = 5;
const NO_FILE = "";
/** What is shown of a text that could not be sent as a file; with the words around it one message. */
const MAX_BEGINNING_CHARS = 2500;

type SendFile = Extract<Send, { readonly method: "sendFile" }>;
type SendText = Extract<Send, { readonly method: "sendDocument" }>;

/** The client for what takes long, and what ends a call. */
interface Upload {
  readonly uploads: Api;
  readonly signal: BotSignal;
}

/**
 * Sends a text as a file; where that is refused or breaks off again and again, how it begins as a
 * message, with the same buttons.
 *
 * @param words say that it could not be sent as this file
 */
export async function sendTextFile(
  { payload }: SendText,
  row: OutboxRow,
  { uploads, signal, words }: Upload & { readonly words: () => Texts["telegram"] },
): Promise<number | undefined> {
  const { filename, content, caption, isRefused = false, ...rest } = payload;
  const target = { ...rest, ...stampedButtons(payload, row) };
  if (isRefused || isTooMuch(row)) {
    const said = `${caption}: ${words().notAsFile(filename)}\n\n${shorten(content, MAX_BEGINNING_CHARS)}`;
    const text = doubtOf(row) + said;
    const message = { ...target, text, entities: toCodeEntities(text) };
    return parseMessageId(await uploads.raw.sendMessage(message, signal));
  }
  const { InputFile } = await import("grammy/web");
  const document = new InputFile(new TextEncoder().encode(content), filename);
  const message = { ...target, ...toCaption(doubtOf(row) + caption), document };
  return parseMessageId(await uploads.raw.sendDocument(message, signal));
}

/**
 * Sends a file as long as it is the one that was decided on; else a text that says so. What is
 * there is read once, so that nothing can take its place between the look and the send.
 */
export async function sendStoredFile(
  { payload }: SendFile,
  row: OutboxRow,
  { uploads, signal }: Upload,
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
  const message = { ...rest, ...toCaption(doubtOf(row) + caption) };
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
export function doubtOf({ inDoubt }: OutboxRow): string {
  return inDoubt === 1 ? DOUBT : "";
}

function isTooMuch({ inDoubt, tries }: OutboxRow): boolean {
  return inDoubt === 1 && tries > MAX_FILE_TRIES;
}

/** The words below a file: as plain as any text, and with no link in them. */
function toCaption(caption: string) {
  return { caption, caption_entities: toCodeEntities(caption) };
}
