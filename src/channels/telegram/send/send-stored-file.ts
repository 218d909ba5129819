import type { Api } from "grammy";
import type { OutboxRow } from "../../../store/chats/chats.ts";
import { readWholeFile } from "../../../workspace/read-file.ts";
import type { BotSignal } from "../bot-signal.ts";
import { type Send, toCodeEntities } from "../message/message.ts";
import { parseMessageId } from "../receive/receive.ts";

/** Telegram takes no larger files from bots. */
const MAX_BYTES = 50_000_000;
/** A file on which the line breaks again and again must not hold up the chat behind it. */
const MAX_TRIES = 5;
const NO_FILE = "";

type SendFile = Extract<Send, { readonly method: "sendFile" }>;

/**
 * Sends a file as long as it is the one that was decided on; else a text that says so. What is
 * there is read once, so that nothing can take its place between the look and the send.
 */
export async function sendStoredFile(
  api: Api,
  { payload }: SendFile,
  { inDoubt, tries }: Pick<OutboxRow, "inDoubt" | "tries">,
  signal: BotSignal,
): Promise<number | undefined> {
  const { absolute, sha256, filename, isPhoto, otherwise, ...rest } = payload;
  const isTooMuch = inDoubt === 1 && tries > MAX_TRIES;
  const file = isTooMuch ? undefined : await readWholeFile({ absolute, path: filename }, MAX_BYTES);
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
export function toCaption(caption: string) {
  return { caption, caption_entities: toCodeEntities(caption) };
}

/** What to try when Telegram refuses it: a document for a photo, then words; undefined: nothing. */
export function toPlainerFile({ method, payload }: SendFile): SendFile | undefined {
  if (payload.isPhoto) return { method, payload: { ...payload, isPhoto: false } };
  return payload.sha256 === NO_FILE
    ? undefined
    : { method, payload: { ...payload, sha256: NO_FILE } };
}
