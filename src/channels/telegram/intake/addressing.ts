import type { Message, MessageEntity } from "grammy/types";
import { textsIn } from "../../../texts/texts.ts";

/** Who is to be addressed. */
export interface Addressee {
  readonly botId: number;
  /** Without "@". */
  readonly username: string;
}

const OURS: ReadonlySet<string> = new Set(["start", ...Object.keys(textsIn("en").commands)]);

/**
 * Whether a message in a group is meant for the bot: it mentions it, answers one of its messages,
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
export function wordsOf(message: Message, bot: Addressee): string {
  const text = textOf(message);
  const [first] = entitiesOf(message);
  if (first?.offset !== 0 || !isMention(first, text, bot)) return text;
  return text.slice(first.length).replace(/^[\s,:;]+/u, "");
}

/** A message's command, and what follows it. */
export function parseCommand(
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
