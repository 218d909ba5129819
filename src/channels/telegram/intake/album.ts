import type { Message, Update } from "grammy/types";
import type { InboxRow } from "../../../store/chats/chats.ts";
import { parseStored } from "../receive/receive.ts";
import { type Audience, isAddressed, toPlace, toSessionId } from "./route-update.ts";

/** The mention that a file is kept with which follows one that mentions the bot. */
const JOINED = "@bot";

/** One of the files that were sent together, as it waits in the inbox. */
interface AlbumRow {
  readonly row: InboxRow;
  readonly update: Update;
  readonly message: Message;
}

/** What waits of an album, in order; `of` is any message of it. */
export function albumRows(
  of: Message | undefined,
  waiting: readonly InboxRow[],
): readonly AlbumRow[] {
  if (of?.media_group_id === undefined) return [];
  return waiting.flatMap((row) => {
    const update = parseStored(row.updateJson);
    const message = update?.message;
    if (!message || message.media_group_id !== of.media_group_id) return [];
    return message.from?.id === of.from?.id ? [{ row, update, message }] : [];
  });
}

/**
 * In a group only one file of an album may have the caption that addresses the bot. One that
 * follows it is kept as if it mentioned the bot, too, so that it does wherever it is read again.
 */
export function joinAlbum(
  update: Update,
  audience: Audience,
  waitingTurns: (sessionId: string) => readonly InboxRow[],
): Update {
  const { message } = update;
  const { botId, username } = audience;
  if (!message?.media_group_id || message.chat.type === "private") return update;
  if (isAddressed(message, { botId, username })) return update;
  const waiting = waitingTurns(toSessionId(toPlace(message), audience));
  const isLed = albumRows(message, waiting).some(
    (one) => one.message.message_id !== message.message_id && !hasJoined(one.message, botId),
  );
  if (!isLed) return update;
  const user = { id: botId, is_bot: true, first_name: username };
  const mention = { type: "text_mention" as const, offset: 0, length: JOINED.length, user };
  const caption = `${JOINED} ${message.caption ?? ""}`.trimEnd();
  return { ...update, message: { ...message, caption, caption_entities: [mention] } };
}

function hasJoined({ caption, caption_entities: [first] = [] }: Message, botId: number): boolean {
  const isOurs = first?.type === "text_mention" && first.user.id === botId && first.offset === 0;
  return isOurs && caption?.startsWith(JOINED) === true;
}
