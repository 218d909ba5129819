import type { CallbackQuery, Message, MessageEntity, Update, User } from "grammy/types";
import { cutText } from "../../../core/cut-text.ts";
import type { ChatMoves } from "../../../store/chats/chats.ts";
import { type Texts, textsIn } from "../../../texts/texts.ts";
import type { Press } from "../../channel.ts";
import { type Copy, escapeHtml, type Place, parseButtonData } from "../message/message.ts";
import { UNREADABLE } from "../receive/receive.ts";

/** Who the bot is and whom it answers; its name decides what in a group is addressed to it. */
export interface Audience extends Addressee {
  readonly allowedUserIds: readonly number[];
  readonly moves: Pick<ChatMoves, "nameOf">;
  /** What is said without anybody else being asked. */
  readonly texts: Texts["telegram"];
}

/** What an update asks of us. */
export type Inbound =
  | { readonly kind: "ignored" }
  /** Answered with a fixed text at once, and nothing else. */
  | {
      readonly kind: "notice";
      readonly place: Place;
      readonly html: string;
      /** Of a file that came with others. */
      readonly albumId?: string | undefined;
    }
  /** Somebody unknown writes in private. */
  | {
      readonly kind: "stranger";
      readonly place: Place;
      readonly user: { readonly id: number; readonly name: string };
    }
  /** Telegram made another chat of this one. */
  | { readonly kind: "moved"; readonly from: number; readonly to: number }
  /** A button that is refused at once. */
  | { readonly kind: "denied"; readonly queryId: string; readonly text: string }
  | Spoken
  | ({ readonly kind: "cancel" } & Sender)
  | ({
      readonly kind: "press";
      readonly queryId: string;
      readonly messageId: number;
      readonly press: Press;
      /** The copy of the message that was pressed. */
      readonly copy: Copy | undefined;
    } & Sender);

/** A person's words, in one form or another; an empty text comes with a file or a voice only. */
export type Spoken =
  | ({ readonly kind: "text"; readonly text: string } & Sender)
  | ({
      readonly kind: "file";
      readonly text: string;
      readonly file: Attachment;
      /** Files sent together. */
      readonly albumId: string | undefined;
    } & Sender)
  | ({
      readonly kind: "voice";
      /** Its caption. */
      readonly text: string;
      readonly fileId: string;
      readonly sizeBytes: number | undefined;
      readonly durationS: number;
    } & Sender);

interface Sender {
  readonly place: Place;
  readonly userId: number;
}

const IGNORED: Inbound = { kind: "ignored" };
const MAX_NAME_LENGTH = 64;

/** Decides what an update asks for; bots, channels and people who are not listed ask for nothing. */
export function routeUpdate(update: Update, audience: Audience): Inbound {
  if (update.message) return routeMessage(update.message, audience);
  if (update.callback_query) return routePress(update.callback_query, audience);
  return IGNORED;
}

/** The conversation a place is: a chat, by its first number, or one topic of it. */
export function toSessionId(
  { chatId, threadId }: Place,
  { moves }: Pick<Audience, "moves">,
): string {
  const chat = `telegram:${moves.nameOf(chatId)}`;
  return threadId === undefined ? chat : `${chat}:${threadId}`;
}

/** Whether an update is to be worked on in its turn. */
export function isSpoken(inbound: Inbound): inbound is Spoken {
  return inbound.kind === "text" || inbound.kind === "file" || inbound.kind === "voice";
}

function routeMessage(message: Message, audience: Audience): Inbound {
  const { from, chat, migrate_to_chat_id: movedTo, migrate_from_chat_id: movedFrom } = message;
  if (movedTo !== undefined) return { kind: "moved", from: chat.id, to: movedTo };
  if (movedFrom !== undefined) return { kind: "moved", from: movedFrom, to: chat.id };
  if (from === undefined || from.is_bot || isOnBehalf(message)) return IGNORED;
  const place = toPlace(message);
  const isListed = audience.allowedUserIds.includes(from.id);
  if (chat.type === "private") {
    if (!isListed) return { kind: "stranger", place, user: { id: from.id, name: nameOf(from) } };
  } else if (!isListed || !isAddressed(message, audience)) return IGNORED;
  if (message.forward_origin) {
    const html = escapeHtml(audience.texts.forwarded);
    return { kind: "notice", place, html, albumId: message.media_group_id };
  }
  return routeContent(message, { place, userId: from.id }, audience);
}

/**
 * Whether somebody else's words appear under the sender's name: a channel's post, an administrator
 * who hides behind the group, another bot's answer, a business account.
 */
function isOnBehalf(message: Message): boolean {
  const { sender_chat: chat, via_bot: bot, business_connection_id: business } = message;
  return chat !== undefined || bot !== undefined || business !== undefined;
}

function routeContent(message: Message, asker: Sender, audience: Audience): Inbound {
  const text = toRequest(wordsOf(message, audience), audience);
  if (text === undefined) return { kind: "cancel", ...asker };
  const file = attachmentOf(message);
  if (file) return { kind: "file", ...asker, text, file, albumId: message.media_group_id };
  const { voice } = message;
  if (voice) {
    const { file_id: fileId, file_size: sizeBytes, duration: durationS } = voice;
    return { kind: "voice", ...asker, text, fileId, sizeBytes, durationS };
  }
  if (message.text !== undefined) {
    // The bot's name alone is a call without a request.
    return { kind: "text", ...asker, text: text === "" ? "/help" : text };
  }
  if (!UNREADABLE.some((name) => name in message)) return IGNORED;
  return { kind: "notice", place: asker.place, html: escapeHtml(audience.texts.unreadable) };
}

/** A text or a caption in the agent's words; undefined: to end what runs. */
function toRequest(text: string, addressee: Addressee): string | undefined {
  const { command, rest } = parseCommand(text, addressee);
  switch (command) {
    case undefined:
      return text;
    case "start":
      return "/help";
    case "cancel":
      return undefined;
    case "plan":
      return rest === "" ? "/plan" : `plan: ${rest}`;
    case "apply":
      return rest === "" ? "/apply" : `apply: ${rest}`;
    default:
      return `/${command} ${rest}`.trimEnd();
  }
}

function routePress(query: CallbackQuery, audience: Audience): Inbound {
  const { from, message } = query;
  if (from.is_bot) return IGNORED;
  const denied = (text: string): Inbound => ({ kind: "denied", queryId: query.id, text });
  if (!audience.allowedUserIds.includes(from.id)) return denied(audience.texts.notYours);
  const read = parseButtonData(query.data ?? "");
  // Date 0: Telegram itself does not know the message any more.
  const ours = message !== undefined && message.date !== 0 && message.from?.id === audience.botId;
  if (!ours || read === undefined) return denied(audience.texts.unknownButton);
  return {
    kind: "press",
    place: toPlace(message),
    userId: from.id,
    queryId: query.id,
    messageId: message.message_id,
    press: read.press,
    copy: read.copy,
  };
}

/** Where a message is. */
export function toPlace(message: Message): Place {
  // Replies in ordinary groups carry a thread id too, which is no topic.
  const threadId = message.is_topic_message ? message.message_thread_id : undefined;
  return { chatId: message.chat.id, threadId };
}

/** What a person calls themselves, on one line. */
function nameOf({ first_name: first, last_name: last, username }: User): string {
  const name = [first, last, username && `@${username}`].filter(Boolean).join(" ");
  return cutText(name.replace(/\s+/gu, " ").trim(), MAX_NAME_LENGTH);
}

/** A file that came with a message. */
interface Attachment {
  readonly fileId: string;
  /** The same whenever Telegram names this file, as far as it says so. */
  readonly uniqueId: string;
  /** As its sender calls it; photos and the like have no name of their own. */
  readonly name: string;
  /** As far as Telegram knows. */
  readonly sizeBytes: number | undefined;
}

/** The file of a message that is to be kept: a document, a photo, audio or video. */
export function attachmentOf(message: Message): Attachment | undefined {
  const { document, audio, video, video_note: note, message_id: id } = message;
  // Telegram sends every size there is, the largest last.
  const photo = message.photo?.at(-1);
  if (photo) return toAttachment(photo, `photo-${id}.jpg`);
  // An animation comes as a document, too.
  if (document) return toAttachment(document, `document-${id}`);
  if (audio) return toAttachment(audio, `audio-${id}.mp3`);
  if (video) return toAttachment(video, `video-${id}.mp4`);
  if (note) return toAttachment(note, `video-${id}.mp4`);
  return undefined;
}

function toAttachment(
  file: {
    readonly file_id: string;
    readonly file_unique_id?: string;
    readonly file_size?: number;
    readonly file_name?: string;
  },
  fallback: string,
): Attachment {
  const { file_id: fileId, file_unique_id: uniqueId = fileId, file_name: name = fallback } = file;
  return { fileId, uniqueId, name, sizeBytes: file.file_size };
}

/** Who is to be addressed. */
interface Addressee {
  readonly botId: number;
  /** Without "@". */
  readonly username: string;
}

const OURS: ReadonlySet<string> = new Set(["start", ...Object.keys(textsIn("en").commands)]);

/**
 * Whether a message in a group is addressed to the bot: it mentions it, answers one of its messages,
 * or begins with a command that names it or is one of its own.
 */
export function isAddressed(message: Message, bot: Addressee): boolean {
  const { reply_to_message: answered } = message;
  const [, command, named] = /^\/(\w+)(?:@(\w+))?(?!\S)/.exec(textOf(message)) ?? [];
  if (named !== undefined) return isName(named, bot);
  // What is written into a topic answers the topic's opening, as Telegram has it.
  if (answered?.from?.id === bot.botId && !answered.forum_topic_created) return true;
  if (command !== undefined) return OURS.has(command.toLowerCase());
  return entitiesOf(message).some((entity) => isMention(entity, textOf(message), bot));
}

/** What a message says, without the name that calls the bot at its beginning. */
function wordsOf(message: Message, bot: Addressee): string {
  const text = textOf(message);
  const [first] = entitiesOf(message);
  if (first?.offset !== 0 || !isMention(first, text, bot)) return text;
  return text.slice(first.length).replace(/^[\s,:;]+/u, "");
}

/** A message's command, and what follows it. */
function parseCommand(
  text: string,
  bot: Addressee,
): { readonly command: string | undefined; readonly rest: string } {
  const match = /^\/(\w+)(?:@(\w+))?(?:\s+|$)([^]*)$/.exec(text);
  if (!match || (match[2] !== undefined && !isName(match[2], bot))) {
    return { command: undefined, rest: text };
  }
  return { command: match[1]?.toLowerCase(), rest: (match[3] ?? "").trim() };
}

function textOf(message: Message): string {
  return message.text ?? message.caption ?? "";
}

function entitiesOf(message: Message): readonly MessageEntity[] {
  return message.entities ?? message.caption_entities ?? [];
}

function isMention(entity: MessageEntity, text: string, bot: Addressee): boolean {
  if (entity.type === "text_mention") return entity.user.id === bot.botId;
  // Offsets count UTF-16 units, as strings do.
  const named = text.slice(entity.offset + 1, entity.offset + entity.length);
  return entity.type === "mention" && isName(named, bot);
}

/** Before the first contact with Telegram the bot does not know its own name. */
function isName(name: string, { username }: Addressee): boolean {
  return username !== "" && name.toLowerCase() === username.toLowerCase();
}
