import type { AgentEvent } from "../channels/channel.ts";

/** Whom the daemon knows beside a terminal, and how they are told something. */
export interface People {
  /** The owner on the phone, as sessions there know them. */
  readonly phoneOwner: () => string | undefined;
  /** Whether the bot answers a person of Telegram. */
  readonly isListed: (userId: number) => boolean;
  /** Tells the owner something wherever they can be reached. */
  readonly tell: (text: string, events: readonly AgentEvent[]) => void;
  /** Tells somebody else something in their private chat. */
  readonly tellPerson: (userId: string, text: string, events: readonly AgentEvent[]) => void;
  /** Sends a text as a file into a private chat with the bot; false: there is none. */
  readonly sendText: (chat: string, name: string, text: string) => boolean;
}
