import type { Update } from "grammy/types";
import { AppError } from "../../../core/app-error.ts";
import { firstOf } from "../../../core/few.ts";
import { isFields, parseJsonAs } from "../../../core/guards.ts";
import type { Place } from "../message/message.ts";
import { flag, integer, list, mark, number, object, text } from "./read-shape.ts";

/** What came in place of an update, as far as it could be read. */
export type Received =
  | { readonly kind: "update"; readonly updateId: number; readonly update: Update }
  | Unreadable
  /** Without a number nothing can be confirmed or kept apart. */
  | { readonly kind: "nameless"; readonly reason: string };

/** Set aside: nothing but what is needed to say so. */
export interface Unreadable {
  readonly kind: "unreadable";
  readonly updateId: number;
  readonly reason: string;
  /** Who wrote it where, when at least that is clear. */
  readonly writer?: { readonly place: Place; readonly userId: number };
  /** The press it was. */
  readonly queryId?: string;
}

const USER = object(
  { id: integer, is_bot: flag, first_name: text, last_name: text, username: text },
  "id is_bot",
);
const CHAT = object({ id: integer, type: text }, "id type");
const ENTITY = object(
  { type: text, offset: integer, length: integer, user: USER },
  "type offset length",
);
/** What mentions somebody without a name says whom. */
const ENTITIES = list((value, at, faults) => {
  const isNameless = field(value, "type") === "text_mention";
  if (isNameless && field(value, "user") === undefined) faults.push(`${at}.user is missing`);
  return ENTITY(value, at, faults);
});
const FILE = object(
  { file_id: text, file_unique_id: text, file_size: number, file_name: text },
  "file_id",
);
/** What people send that is neither words nor a file; everything else is Telegram's own service. */
export const UNREADABLE = [
  "sticker",
  "poll",
  "location",
  "contact",
  "venue",
  "dice",
  "story",
  "checklist",
] as const;

const MESSAGE = object(
  {
    message_id: integer,
    date: integer,
    chat: CHAT,
    from: USER,
    sender_chat: mark,
    via_bot: mark,
    business_connection_id: mark,
    forward_origin: mark,
    migrate_to_chat_id: integer,
    migrate_from_chat_id: integer,
    is_topic_message: flag,
    message_thread_id: integer,
    reply_to_message: object({ from: USER, forum_topic_created: mark }, ""),
    text,
    caption: text,
    entities: ENTITIES,
    caption_entities: ENTITIES,
    media_group_id: text,
    photo: list(FILE),
    document: FILE,
    audio: FILE,
    video: FILE,
    video_note: FILE,
    voice: object({ file_id: text, file_size: number, duration: number }, "file_id duration"),
    ...Object.fromEntries(UNREADABLE.map((name) => [name, mark])),
  },
  "message_id chat",
);
const UPDATE = object(
  {
    update_id: integer,
    message: MESSAGE,
    edited_message: MESSAGE,
    callback_query: object({ id: text, from: USER, message: MESSAGE, data: text }, "id from"),
  },
  "update_id",
);

/**
 * Reads what Telegram, or another server in its place, calls an update. Only what the channel
 * uses is taken over, and all of it has the right type: no later code meets a wrong shape.
 */
export function parseUpdate(value: unknown): Received {
  const faults: string[] = [];
  const read = UPDATE(value, "update", faults);
  const updateId = field(value, "update_id");
  if (!isId(updateId)) return { kind: "nameless", reason: faults[0] ?? "update_id is no number" };
  if (isUpdate(read, faults)) return { kind: "update", updateId, update: read };
  const reason = firstOf(faults, 3)
    .lines(String, (left) => `and ${left} more`)
    .join(", ");
  return toUnreadable(value, updateId, reason);
}

/** What is told of an update with which nothing can be begun. */
export function toUnreadable(value: unknown, updateId: number, reason: string): Unreadable {
  return { kind: "unreadable", updateId, reason, ...senderOf(value) };
}

/** UPDATE has read all that the channel looks at in one. */
function isUpdate(_read: unknown, faults: readonly string[]): _read is Update {
  return faults.length === 0;
}

/**
 * The updates that an answer holds.
 *
 * @throws AppError unavailable when it is no list: then nobody knows what was to be said
 */
export function parseUpdates(answer: unknown): readonly Received[] {
  if (!Array.isArray(answer)) {
    throw new AppError("unavailable", "the answer is no list of updates; check telegram.api_root");
  }
  return answer.map(parseUpdate);
}

/** An update that was stored; undefined when it is not what this version stores. */
export function parseStored(json: string): Update | undefined {
  const value = parseJsonAs(json, isFields);
  const received = value && parseUpdate(value);
  return received?.kind === "update" ? received.update : undefined;
}

const IDENTITY = object(
  { id: integer, is_bot: flag, first_name: text, username: text },
  "id username",
);

/**
 * The name of the bot.
 *
 * @throws AppError unavailable when the answer does not say it
 */
export function parseUsername(me: unknown): string {
  const faults: string[] = [];
  IDENTITY(me, "getMe", faults);
  const username = field(me, "username");
  if (faults.length === 0 && typeof username === "string") return username;
  const reason = `the answer says nothing of the bot (${faults.join(", ")})`;
  throw new AppError("unavailable", `${reason}; check telegram.api_root`);
}

/** The number of a message that was sent; it was sent without one, too, but cannot be changed. */
export function parseMessageId(sent: unknown): number | undefined {
  const id = field(sent, "message_id");
  return isId(id) ? id : undefined;
}

function senderOf(value: unknown): Partial<Unreadable> {
  const queryId = field(field(value, "callback_query"), "id");
  if (typeof queryId === "string") return { queryId };
  const message = field(value, "message") ?? field(value, "edited_message");
  const chatId = field(field(message, "chat"), "id");
  const userId = field(field(message, "from"), "id");
  // In private the chat is the person; who was addressed in a group cannot be told from a malformed update.
  if (!Number.isSafeInteger(userId) || typeof userId !== "number" || chatId !== userId) return {};
  return { writer: { place: { chatId: userId, threadId: undefined }, userId } };
}

function isId(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
