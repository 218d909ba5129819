import { textsIn } from "../../src/texts/texts.ts";
import type { BotApiServer } from "./bot-api-server.ts";

/**
 * Presses a button as a person does after a kill: where the daemon died before it knew that its
 * question had arrived, the older copy says so, and the button of the newer one is pressed.
 */
export async function tapNewest(bot: BotApiServer, userId: number, label: string): Promise<void> {
  const before = bot.popUps.length;
  await bot.tap(userId, label);
  const { text } = await bot.waitFor(() => bot.popUps[before]);
  if (text !== textsIn("en").telegram.sentAgain) return;
  await bot.waitFor(() =>
    bot
      .sent(userId)
      .some(
        (sent) =>
          sent.text.startsWith("(may be a duplicate)") &&
          sent.buttons.some((button) => button.label === label),
      ),
  );
  await bot.tap(userId, label);
}
