import { Type } from "typebox";
import { FEWER_PEOPLE, key, OWNERS, SMALLER } from "./schema-facts.ts";
import { integer, secret, table, text, url } from "./schema-parts.ts";

/** The Telegram channel. */
export const Telegram = table("The Telegram channel", {
  bot_token: key(secret("Token of the bot", "env:TELEGRAM_BOT_TOKEN"), OWNERS),
  allowed_user_ids: key(
    Type.Array(Type.Integer({ minimum: 1 }), {
      description: "Users who may speak; empty: nobody; unknown users get a pairing code",
      default: [],
      maxItems: 1000,
    }),
    FEWER_PEOPLE,
  ),
  api_root: key(url("Root of the Bot API", "https://api.telegram.org"), OWNERS),
  approval_timeout_s: key(integer("Seconds an approval waits", 86_400, 1, 2_592_000), SMALLER),
  webhook_url: key(
    Type.String({
      description: "Public address where Telegram brings updates; empty: they are fetched",
      default: "",
      pattern: "^(https?://\\S+)?$",
      examples: ["https://example.org/telegram/webhook"],
    }),
    OWNERS,
  ),
});

/** The endpoint that hears voice messages. */
export const Transcription = table("Voice messages as text, by an OpenAI-compatible endpoint", {
  base_url: key(
    Type.String({
      description: "Root of the API, up to and with /v1; empty: voice messages are declined",
      default: "",
      pattern: "^(https?://\\S+)?$",
      examples: ["https://api.openai.com/v1"],
    }),
    OWNERS,
  ),
  api_key: key(secret("Key of the endpoint; empty: none", ""), OWNERS),
  model: key(
    text("Model that listens; empty: voice messages are declined", "", "whisper-1"),
    OWNERS,
  ),
});
