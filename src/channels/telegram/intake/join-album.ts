import type { Update } from "grammy/types";
import type { InboxRow } from "../../../store/chats/chats.ts";
import { parseStored } from "../receive/receive.ts";
import { isAddressed } from "./addressing.ts";
import { type Audience, toPlace, toSessionId } from "./route-update.ts";

/**
 * In a group only one file of an album has the caption that addresses the bot. One that follows it
 * is kept as if it mentioned the bot, too, so that it does wherever it is read again.
 */
export function joinAlbum(
  update: Update,
  { botId, username }: Audience,
  waitingTurns: (sessionId: string) => readonly InboxRow[],
): Update {
  const { message } = update;
  if (!message?.media_group_id || message.caption !== undefined) return update;
  if (message.chat.type === "private" || isAddressed(message, { botId, username })) return update;
  const isJoined = waitingTurns(toSessionId(toPlace(message))).some(({ updateJson }) => {
    const first = parseStored(updateJson)?.message;
    if (first?.media_group_id !== message.media_group_id) return false;
    return first?.from?.id === message.from?.id;
  });
  if (!isJoined) return update;
  const user = { id: botId, is_bot: true, first_name: username };
  const caption_entities = [{ type: "text_mention" as const, offset: 0, length: 4, user }];
  return { ...update, message: { ...message, caption: "@bot", caption_entities } };
}
