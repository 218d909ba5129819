import { Type } from "typebox";
import {
  asGate,
  atStart,
  BY_PERSON,
  documented,
  FEWER_PEOPLE,
  key,
  NOT_TAKEN,
  SMALLER,
  secret,
} from "./schema-facts.ts";
import { integer, OPTIONAL_URL, price, table, text, url, urlOrNone } from "./schema-parts.ts";

/** The Telegram channel. */
export const Telegram = table("The Telegram channel", {
  bot_token: key(
    text("Token of the bot", "env:TELEGRAM_BOT_TOKEN"),
    NOT_TAKEN,
    asGate(atStart(secret(["api_root", "webhook_url"]))),
  ),
  allowed_user_ids: key(
    documented(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 1000 }), {
      description: "Users who may speak; empty: nobody; unknown users get a pairing code",
      default: [],
    }),
    FEWER_PEOPLE,
    asGate(BY_PERSON),
  ),
  api_root: key(
    url("Root of the Bot API", "https://api.telegram.org"),
    NOT_TAKEN,
    atStart(BY_PERSON),
  ),
  approval_timeout_s: key(
    integer("Seconds an approval waits", 86_400, 1, 2_592_000),
    SMALLER,
    BY_PERSON,
  ),
  webhook_url: key(
    documented(Type.String({ pattern: OPTIONAL_URL }), {
      description: "Public address where Telegram brings updates; empty: they are fetched",
      seeAlso: "telegram.md#webhook",
      default: "",
      examples: ["https://example.org/telegram/webhook"],
    }),
    NOT_TAKEN,
    atStart(BY_PERSON),
  ),
});

/** The endpoint that transcribes voice messages. */
export const Transcription = table("Voice messages as text, by an OpenAI-compatible endpoint", {
  base_url: key(
    urlOrNone(
      "Root of the API, up to and with /v1; empty: voice messages are declined",
      "https://api.openai.com/v1",
    ),
    NOT_TAKEN,
    atStart(BY_PERSON),
  ),
  api_key: key(
    text("Key of the endpoint; empty: none", ""),
    NOT_TAKEN,
    atStart(secret(["base_url"])),
  ),
  model: key(
    text("Model that listens; empty: voice messages are declined", "", "whisper-1"),
    NOT_TAKEN,
    atStart(BY_PERSON),
  ),
  price_per_minute: key(
    price("Price of a minute of speech; absent: tokens only", 0.006),
    NOT_TAKEN,
    BY_PERSON,
  ),
});
