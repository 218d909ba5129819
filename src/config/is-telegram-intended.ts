import type { Config } from "./schema/schema.ts";

/** What `telegram.bot_token` is where nobody wrote one: most of those who have no bot. */
const DEFAULT_TOKEN = "env:TELEGRAM_BOT_TOKEN";

/**
 * Whether somebody intends to use Telegram: they said where its token is, who may write, or where
 * updates are brought to, or let somebody in by a code. Without a token half of it is missing then;
 * with none of these Telegram is off, and there is nothing to say of it.
 */
export function isTelegramIntended(
  { telegram }: Pick<Config, "telegram">,
  paired: readonly number[],
): boolean {
  return (
    telegram.bot_token !== DEFAULT_TOKEN ||
    telegram.allowed_user_ids.length > 0 ||
    telegram.webhook_url !== "" ||
    paired.length > 0
  );
}
