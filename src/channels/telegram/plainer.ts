import type { Texts } from "../../texts/texts.ts";
import {
  type Send,
  withoutKeyboard,
  withoutMarkup,
  withoutPages,
  withoutTopic,
} from "./message/message.ts";
import { toPlainerFile } from "./send-files.ts";

/** What refuses whatever is in a message: nothing plainer helps. */
const OF_CHAT =
  /chat not found|rights to send text|need administrator rights|CHAT_(?:WRITE_FORBIDDEN|RESTRICTED)|PEER_/iu;

type Plainer = (send: Send, words: Texts["telegram"]) => Send | undefined;

/** What to leave out, for what Telegram says of a message; what comes first is tried first. */
const STEPS: readonly (readonly [RegExp, Plainer])[] = [
  // What is asked matters more than the page that shows it, and than the buttons below.
  [/button/iu, withoutPages],
  [/button|markup|keyboard/iu, withoutKeyboard],
  [/thread|topic/iu, withoutTopic],
  [/^/u, toPlainerFile],
  [/^/u, withoutMarkup],
  [/^/u, withoutPages],
  [/^/u, withoutKeyboard],
  [/^/u, withoutTopic],
];

/** What to send instead of what Telegram refused with `reason`; undefined: there is nothing left. */
export function toPlainer(reason: string, send: Send, words: Texts["telegram"]): Send | undefined {
  if (OF_CHAT.test(reason)) return undefined;
  for (const [says, leaveOut] of STEPS) {
    const plainer = says.test(reason) ? leaveOut(send, words) : undefined;
    if (plainer) return plainer;
  }
  return undefined;
}
