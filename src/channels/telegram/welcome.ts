import type { Database } from "bun:sqlite";
import { createOutbox } from "../../store/chats/chats.ts";
import { escapeHtml, textMessage, toSends } from "./message/message.ts";

/** Tells somebody who was let in; the daemon sends it, the next time it polls Telegram. */
export function queueWelcome(
  store: Database,
  userId: number,
  { text, now }: { readonly text: string; readonly now: number },
): void {
  const outbox = createOutbox(store);
  const message = textMessage(escapeHtml(text));
  for (const { method, payload } of toSends({ chatId: userId, threadId: undefined }, message)) {
    outbox.add({ chatId: String(userId), method, payloadJson: JSON.stringify(payload) }, now);
  }
}
