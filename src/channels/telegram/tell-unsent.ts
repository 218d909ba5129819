import type { Clock } from "../../core/clock.ts";
import type { Outbox } from "../../store/chats/chats.ts";
import type { Texts } from "../../texts/texts.ts";
import {
  escapeHtml,
  type Message,
  type Place,
  placeOf,
  shownBy,
  textMessage,
  timeShown,
} from "./message/message.ts";

/** What is to be known of a row that was given up. */
export interface GivenUp {
  readonly id: number;
  readonly chatId: string;
  readonly createdAt: number;
  readonly turn: string | null;
  readonly method: string;
  readonly payloadJson: string;
}

/** How Telegram refused it. */
interface Refused {
  readonly reason: string;
  readonly status: number;
}

/** Whoever blocked the bot is not to be told of it. */
const FORBIDDEN = 403;
const NOTICE = "unsent:";
const DAY_MS = 86_400_000;

/**
 * Says of a message that Telegram refuses in any form, in its chat, that it was given up, and of a plan
 * or a question how it is had again; where the chat refuses that, too, the owner hears of it, once a
 * day for each chat.
 */
export function createUnsentNotices({
  outbox,
  post,
  owner,
  texts,
  clock,
}: {
  readonly outbox: Outbox;
  readonly post: (place: Place, message: Message, name: string) => void;
  readonly owner: () => number | undefined;
  readonly texts: () => Texts;
  readonly clock: Clock;
}): (row: GivenUp, refused: Refused) => void {
  function add(chatId: string, text: string, name: string): void {
    const payloadJson = JSON.stringify({ chat_id: Number(chatId), text });
    const call = { chatId, method: "sendMessage", payloadJson };
    outbox.add(call, clock.now(), { turn: NOTICE + name, part: 0 });
  }

  return (row, { reason, status }) => {
    const { id, chatId, createdAt, turn } = row;
    const { telegram: words, console: said } = texts();
    const ref = shownBy(row);
    const place = ref === undefined ? undefined : placeOf(row);
    const name = `lost:${ref}:${timeShown(row)}`; // once, however many messages it takes to ask
    if (place) return post(place, textMessage(escapeHtml(said.lostHere)), name);
    if (status === FORBIDDEN) return;
    if (!turn?.startsWith(NOTICE)) return add(chatId, words.unsent(reason), `${id}:${createdAt}`);
    const told = owner();
    if (told === undefined || String(told) === chatId) return;
    const day = Math.floor(clock.now() / DAY_MS);
    add(String(told), words.unsentElsewhere(chatId, reason), `${chatId}:${day}`);
  };
}
