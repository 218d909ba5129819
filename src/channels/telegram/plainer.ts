import {
  type Notes,
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

type Plainer = (send: Send, notes: Notes) => Send | undefined;

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
export function toPlainer(reason: string, send: Send, notes: Notes): Send | undefined {
  if (OF_CHAT.test(reason)) return undefined;
  for (const [says, leaveOut] of STEPS) {
    const plainer = says.test(reason) ? leaveOut(send, notes) : undefined;
    if (plainer) return plainer;
  }
  return undefined;
}
