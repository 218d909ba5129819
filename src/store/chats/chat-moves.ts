import type { Database } from "bun:sqlite";
import type { KnownRows } from "../known-rows.ts";
import { createSettings } from "../settings/settings.ts";
import { isKnownChat, isSentTo, moveConversation, moveMessages } from "./move-chat.ts";

/**
 * Chats that Telegram made of other chats: a group that became a supergroup. Its conversation keeps
 * the name of the chat that it began in, so that nothing that is under way, waits or is remembered
 * has to be named anew; only what is sent goes to the chat that it is now.
 */
export interface ChatMoves {
  /** The chat that it is now. */
  now(chatId: number): number;
  /** The chat that its conversation is named after. */
  nameOf(chatId: number): number;
  /** Notes that one chat became another, and sends what waits there. */
  note(from: number, to: number): void;
}

/** The moves of a database, of whatever bot: a chat is the same for each. */
export function createChatMoves(database: Database, known: KnownRows): ChatMoves {
  const moves = createSettings(database, undefined, undefined, known).of("moved_chat.");
  const readMove = (chatId: number) => moves.get(String(chatId));

  function now(chatId: number): number {
    const to = readMove(chatId)?.to;
    return to === undefined ? chatId : now(to);
  }

  function nameOf(chatId: number): number {
    const current = now(chatId);
    return readMove(current)?.from ?? current;
  }

  return {
    now,
    nameOf,
    note(from, to) {
      // What leads back would never end, and of a stranger's group there is nothing to keep.
      const isOurs = isKnownChat(database, nameOf(from)) || isSentTo(database, from);
      if (isOurs && now(to) !== now(from)) become(from, to);
      const current = now(from);
      if (current !== from) moveMessages(database, from, current);
    },
  };

  function become(from: number, to: number): void {
    const name = nameOf(from);
    // Where people wrote before the move was known their conversation goes on, with all of the old
    // one that it does not have itself.
    if (isKnownChat(database, to)) {
      known.forget();
      moveConversation(database, name, to);
    } else moves.set(String(to), { ...readMove(to), from: name });
    moves.set(String(from), { ...readMove(from), to });
  }
}
