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
import { toKeyboard, toPageKey } from "./keyboard.ts";
import {
  MAX_CAPTION_LENGTH,
  MAX_TEXT_LENGTH,
  type Send,
  type StoredFile,
  type Target,
} from "./send-call.ts";
import type { Showing } from "./showing.ts";
import { splitText } from "./split-text.ts";

export { type Copy, fitsButton, parseButtonData, stampButtons } from "./keyboard.ts";
export { cutMarkdown, toTelegramHtml } from "./markdown.ts";
export {
  below,
  type Notes,
  notesOf,
  withoutKeyboard,
  withoutMarkup,
  withoutPages,
  withoutTopic,
} from "./plainer-send.ts";
export { escapeHtml, escapeUnlinked, toCodeEntities } from "./rich-text.ts";
export { MAX_CAPTION_LENGTH, MAX_TEXT_LENGTH, type Send } from "./send-call.ts";
export {
  markShowing,
  nameShowing,
  type SaidAt,
  shownBy,
  timeShown,
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
