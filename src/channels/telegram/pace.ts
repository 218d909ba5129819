/**
 * How far apart changes of a message are at least. Telegram allows about one message a second in
 * a chat and twenty a minute in a group, whose ids are negative.
 */
export function paceMs(chatId: number): number {
  return chatId < 0 ? 3000 : 1000;
}
