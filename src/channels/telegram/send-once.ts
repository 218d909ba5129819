import { cutText } from "../../core/cut-text.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import { toApiFailure } from "./api-failure.ts";
import { openApi } from "./receive/receive.ts";

/** Telegram takes 4096. */
const MOST_CHARS = 4000;

/**
 * Sends a plain text without an outbox, a poll or a database behind it: for who cannot start. False
 * when it certainly did not arrive; an answer that never came may mean either.
 */
export async function sendOnce(
  bot: { readonly token: string; readonly apiRoot: string },
  { chatId, text }: { readonly chatId: number; readonly text: string },
  seconds: number,
): Promise<boolean> {
  const apiRoot = bot.apiRoot.replace(/\/+$/, "");
  const api = await openApi(bot.token, { apiRoot, timeoutSeconds: seconds });
  try {
    await api.sendMessage(chatId, cutText(toPrintableText(text), MOST_CHARS));
    return true;
  } catch (error) {
    return toApiFailure(error).kind === "unknown";
  }
}
