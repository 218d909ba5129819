import { cutText } from "../../../core/cut-text.ts";
import {
  type Guard,
  isFields,
  isFlag,
  isNumber,
  isObject,
  isText,
  parseJsonAs,
} from "../../../core/guards.ts";
import { toPrintableText } from "../../../core/visible-text.ts";
import type { WebPage } from "../../channel.ts";
import type { Button } from "../../event-buttons.ts";
import { type Keyboard, toKeyboard, toPageKey } from "./keyboard.ts";
import { toPlainText } from "./rich-text.ts";
import type { Showing } from "./showing.ts";
import { splitText } from "./split-text.ts";

export { type Copy, fitsButton, parseButtonData, stampButtons } from "./keyboard.ts";
export { cutMarkdown, toTelegramHtml } from "./markdown.ts";
export { escapeHtml, escapeUnlinked, toCodeEntities } from "./rich-text.ts";
export {
  markShowing,
  nameShowing,
  type SaidAt,
  shownBy,
  toShowingPrefix,
  wasSeen,
} from "./showing.ts";

/** Where a message goes: a chat, or one topic of it. */
export interface Place {
  readonly chatId: number;
  readonly threadId: number | undefined;
}

/** Something to show; buttons are below the last part. */
export type Message = { readonly showing?: Showing } & (
  | {
      readonly kind: "text";
      readonly html: string;
      readonly buttons: readonly Button[];
      /** Buttons side by side. */
      readonly columns?: number;
      readonly opens?: WebPage;
      /** The question that it asks, which may have a page to read it on. */
      readonly review?: string;
    }
  | {
      readonly kind: "document";
      readonly filename: string;
      readonly content: string;
      readonly caption: string;
      readonly buttons: readonly Button[];
      readonly review?: string;
    }
  | ({ readonly kind: "file"; readonly buttons: readonly [] } & StoredFile)
);

/** A file on disk that is sent as long as it is what it was. */
interface StoredFile {
  readonly absolute: string;
  readonly sha256: string;
  readonly filename: string;
  readonly caption: string;
  readonly isPhoto: boolean;
  /** Shown when it cannot be sent. */
  readonly otherwise: string;
}

interface Target {
  readonly chat_id: number;
  readonly message_thread_id?: number;
}

/** One Bot API call as the outbox keeps it. */
export type Send =
  | {
      readonly method: "sendMessage";
      readonly payload: Target & {
        readonly text: string;
        readonly parse_mode?: "HTML";
        readonly reply_markup?: Keyboard;
      };
    }
  | {
      readonly method: "sendDocument";
      readonly payload: Target & {
        readonly filename: string;
        readonly content: string;
        readonly caption: string;
        /** Telegram does not take it as a file: its beginning is sent as a message. */
        readonly isRefused?: true;
        readonly reply_markup?: Keyboard;
      };
    }
  /** By sendPhoto or sendDocument. */
  | { readonly method: "sendFile"; readonly payload: Target & StoredFile }
  | {
      readonly method: "editMessageReplyMarkup";
      readonly payload: { readonly chat_id: number; readonly message_id: number };
    }
  /** Of the message that the row sent before. */
  | { readonly method: "deleteMessage"; readonly payload: { readonly chat_id: number } };

/** Put before a message that may have arrived already. */
export const DOUBT = "(may be a duplicate) ";

/** Telegram takes 4096 UTF-16 units, and 1024 below a file; that note must still fit in front. */
const MAX_TEXT_LENGTH = 4096 - DOUBT.length;
const MAX_CAPTION_LENGTH = 1024 - DOUBT.length;

/**
 * The calls that show a message, in order. Whoever worded it, nothing in it hides or turns what is
 * around it. `reviewPage` is where a question is read, if there is such a page.
 */
export function toSends(
  place: Place,
  message: Message,
  reviewPage: (question: string) => WebPage | undefined = () => undefined,
): Send[] {
  const target = toTarget(place);
  const { columns, opens, review }: Layout = message.kind === "file" ? {} : message;
  const { inline_keyboard: rows } = toKeyboard(message.buttons, columns);
  const page = opens ?? (review === undefined ? undefined : reviewPage(review));
  const keys = page && isPrivate(place) ? [...rows, [toPageKey(page)]] : rows;
  const keyboard = keys.length > 0 ? { reply_markup: { inline_keyboard: keys } } : {};
  switch (message.kind) {
    case "document": {
      const filename = toPrintableText(message.filename);
      const content = toPrintableText(message.content);
      const caption = cutText(toPrintableText(message.caption), MAX_CAPTION_LENGTH);
      return [
        {
          method: "sendDocument",
          payload: { ...target, filename, content, caption, ...keyboard },
        },
      ];
    }
    case "file": {
      const { kind: _, buttons: _none, showing: _showing, ...file } = message;
      const caption = cutText(toPrintableText(message.caption), MAX_CAPTION_LENGTH);
      return [{ method: "sendFile", payload: { ...target, ...file, caption } }];
    }
    case "text": {
      const parts = toParts(message.html);
      return parts.map((text, index) => ({
        method: "sendMessage",
        payload: {
          ...target,
          text,
          parse_mode: "HTML",
          ...(index === parts.length - 1 ? keyboard : {}),
        },
      }));
    }
    default:
      return message satisfies never;
  }
}

/** The call that shows one part. */
export function toTextSend(place: Place, part: string): Send {
  const payload = { ...toTarget(place), text: part, parse_mode: "HTML" } as const;
  return { method: "sendMessage", payload };
}

/** HTML as texts of messages that Telegram takes. */
export function toParts(html: string): string[] {
  return splitText(toPrintableText(html), MAX_TEXT_LENGTH);
}

/** A stored call, to the chat that it is for now; undefined for what is none that this version sends. */
export function parseSend(row: {
  readonly chatId: string;
  readonly method: string;
  readonly payloadJson: string;
}): Send | undefined {
  const stored = parseJsonAs(row.payloadJson, isFields);
  const payload = stored && { ...stored, chat_id: Number(row.chatId) };
  const send = { method: row.method, payload };
  return isSend(send) ? send : undefined;
}

/** Where a stored call goes; undefined for what is none. */
export function placeOf(row: Parameters<typeof parseSend>[0]): Place | undefined {
  const payload: Target | undefined = parseSend(row)?.payload;
  return payload && { chatId: payload.chat_id, threadId: payload.message_thread_id };
}

/** What each method needs; Telegram looks at the rest. */
const PAYLOADS: Readonly<Record<Send["method"], Guard<object>>> = {
  sendMessage: isObject({ chat_id: isNumber, text: isText }),
  sendDocument: isObject({ chat_id: isNumber, filename: isText, content: isText, caption: isText }),
  sendFile: isObject({
    chat_id: isNumber,
    absolute: isText,
    sha256: isText,
    filename: isText,
    caption: isText,
    isPhoto: isFlag,
    otherwise: isText,
  }),
  editMessageReplyMarkup: isObject({ chat_id: isNumber, message_id: isNumber }),
  deleteMessage: isObject({ chat_id: isNumber }),
};

const BY_METHOD: ReadonlyMap<string, Guard<object>> = new Map(Object.entries(PAYLOADS));

function isSend(send: { readonly method: string; readonly payload: unknown }): send is Send {
  return BY_METHOD.get(send.method)?.(send.payload) ?? false;
}

/** Takes the buttons of a message away. */
export function withoutButtons({ chatId }: Place, messageId: number): Send {
  return {
    method: "editMessageReplyMarkup",
    payload: { chat_id: chatId, message_id: messageId },
  };
}

/** HTML without buttons. */
export function textMessage(html: string): Message {
  return { kind: "text", html, buttons: [] };
}

/** The same text without markup, for when Telegram cannot read ours; undefined: it has none. */
export function withoutMarkup(send: Send): Send | undefined {
  if (send.method !== "sendMessage" || send.payload.parse_mode === undefined) return undefined;
  const { parse_mode: _, ...payload } = send.payload;
  return { method: "sendMessage", payload: { ...payload, text: toPlainText(payload.text) } };
}

/** The same without buttons for pages; undefined: it has none. */
export function withoutPages(send: Send): Send | undefined {
  if (send.method !== "sendMessage" && send.method !== "sendDocument") return undefined;
  const rows = send.payload.reply_markup?.inline_keyboard ?? [];
  const kept = rows.filter((row) => !row.some((key) => "web_app" in key));
  if (kept.length === rows.length) return undefined;
  const keyboard = { reply_markup: { inline_keyboard: kept } };
  return send.method === "sendMessage"
    ? { method: send.method, payload: { ...send.payload, ...keyboard } }
    : { method: send.method, payload: { ...send.payload, ...keyboard } };
}

interface Layout {
  readonly columns?: number;
  readonly opens?: WebPage;
  readonly review?: string;
}

/** A message with a button for a page is refused as a whole in any other chat; groups have ids below zero. */
function isPrivate({ chatId }: Place): boolean {
  return chatId > 0;
}

function toTarget({ chatId, threadId }: Place): Target {
  return {
    chat_id: chatId,
    ...(threadId === undefined ? {} : { message_thread_id: threadId }),
  };
}
