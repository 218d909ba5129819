import type { CallbackQuery, Message, Update } from "grammy/types";
import type { Texts } from "../../texts/texts.ts";
import type { Press } from "../channel.ts";
import { escapeHtml } from "./html.ts";
import { type Place, parsePress } from "./message.ts";

/** Who the bot is and whom it hears. */
export interface Audience {
  readonly botId: number;
  /** Without "@"; decides which commands of a group are meant for us. */
  readonly username: string;
  readonly allowedUserIds: readonly number[];
}

/** What an update asks of us. */
export type Inbound =
  | { readonly kind: "ignored" }
  /** Answered with a fixed text at once, and nothing else; strangers once an hour. */
  | {
      readonly kind: "notice";
      readonly place: Place;
      readonly html: string;
      readonly stranger: boolean;
    }
  /** A button that is refused at once. */
  | { readonly kind: "denied"; readonly queryId: string; readonly text: string }
  | {
      readonly kind: "text";
      readonly place: Place;
      readonly userId: number;
      readonly text: string;
    }
  | { readonly kind: "cancel"; readonly place: Place; readonly userId: number }
  | {
      readonly kind: "press";
      readonly place: Place;
      readonly userId: number;
      readonly queryId: string;
      readonly messageId: number;
      readonly press: Press;
    };

/** What is said without anybody else being asked. */
type Words = Texts["telegram"];

const IGNORED: Inbound = { kind: "ignored" };

/** Decides what an update asks for; bots, channels and whoever is not listed ask for nothing. */
export function routeUpdate(update: Update, audience: Audience, texts: Words): Inbound {
  if (update.message) return routeMessage(update.message, audience, texts);
  if (update.callback_query) return routePress(update.callback_query, audience, texts);
  return IGNORED;
}

/** The conversation a place is: a chat, or one topic of it. */
export function toSessionId({ chatId, threadId }: Place): string {
  return threadId === undefined ? `telegram:${chatId}` : `telegram:${chatId}:${threadId}`;
}

function routeMessage(message: Message, audience: Audience, texts: Words): Inbound {
  const { from, chat } = message;
  // sender_chat: a channel's post, or an administrator who hides behind the group.
  if (from === undefined || from.is_bot || message.sender_chat) return IGNORED;
  const place = toPlace(message);
  const notice = (text: string, stranger = false): Inbound => ({
    kind: "notice",
    place,
    html: escapeHtml(text),
    stranger,
  });
  const listed = audience.allowedUserIds.includes(from.id);
  if (chat.type === "private") {
    if (!listed) return notice(texts.stranger(from.id), true);
  } else if (!listed || !isAddressed(message, audience)) return IGNORED;
  if (message.forward_origin) return notice(texts.forwarded);
  if (message.text === undefined) return hasMedia(message) ? notice(texts.onlyText) : IGNORED;
  return routeText(message.text, place, from.id, audience);
}

function routeText(text: string, place: Place, userId: number, audience: Audience): Inbound {
  const { command, rest } = parseCommand(text, audience.username);
  const say = (words: string): Inbound => ({ kind: "text", place, userId, text: words });
  switch (command) {
    case undefined:
      return say(text);
    case "start":
      return say("/help");
    case "cancel":
      return { kind: "cancel", place, userId };
    case "plan":
      return say(rest === "" ? "/plan" : `plan: ${rest}`);
    case "apply":
      return say(rest === "" ? "/apply" : `apply: ${rest}`);
    default:
      return say(`/${command} ${rest}`.trimEnd());
  }
}

function routePress(query: CallbackQuery, audience: Audience, texts: Words): Inbound {
  const { from, message } = query;
  if (from.is_bot) return IGNORED;
  const denied = (text: string): Inbound => ({ kind: "denied", queryId: query.id, text });
  if (!audience.allowedUserIds.includes(from.id)) return denied(texts.notYours);
  const press = parsePress(query.data ?? "");
  // Date 0: Telegram itself does not know the message any more.
  const ours = message !== undefined && message.date !== 0 && message.from?.id === audience.botId;
  if (!ours || press === undefined) return denied(texts.unknownButton);
  return {
    kind: "press",
    place: toPlace(message),
    userId: from.id,
    queryId: query.id,
    messageId: message.message_id,
    press,
  };
}

function toPlace(message: Message): Place {
  // Replies in ordinary groups carry a thread id too, which is no topic.
  const threadId = message.is_topic_message ? message.message_thread_id : undefined;
  return { chatId: message.chat.id, threadId };
}

function isAddressed(message: Message, { botId, username }: Audience): boolean {
  if (message.reply_to_message?.from?.id === botId) return true;
  const named = /^\/\w+@(\w+)/.exec(message.text ?? "")?.[1];
  return named !== undefined && named.toLowerCase() === username.toLowerCase();
}

function parseCommand(
  text: string,
  username: string,
): { readonly command: string | undefined; readonly rest: string } {
  const match = /^\/(\w+)(?:@(\w+))?(?:\s+|$)([^]*)$/.exec(text);
  const named = match?.[2]?.toLowerCase();
  const foreign = named !== undefined && named !== username.toLowerCase();
  if (!match || foreign) return { command: undefined, rest: text };
  return { command: match[1]?.toLowerCase(), rest: (match[3] ?? "").trim() };
}

function hasMedia(message: Message): boolean {
  const media = ["photo", "document", "voice", "audio", "video", "video_note", "sticker"];
  return media.some((name) => name in message);
}
