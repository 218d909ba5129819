import type { Channel, Conversation } from "../../channels/channel.ts";
import type { Log } from "../../core/log.ts";
import type { Texts } from "../../texts/texts.ts";

/** The board, where everybody at this machine looks. */
export async function createWalkBoard(
  conversation: Conversation,
  texts: () => Texts,
  log: Log,
): Promise<Channel> {
  const { createWalkBoardChannel } = await import("../../channels/walk-board/walk-board.ts");
  return createWalkBoardChannel({ conversation, texts, log });
}
