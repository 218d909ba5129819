import type { ChatMessage } from "../providers/provider.ts";
import type { Exchange } from "./deps.ts";
import { countTokens, fitHistory, startOfRecent } from "./history.ts";
import { summariseMessages } from "./summarise-messages.ts";

/** Messages read back from a session. */
const MAX_MESSAGES = 500;

/** Tokens of history that a request may carry. */
const MAX_TOKENS = 12_000;

/** What stays word for word when that is passed; room enough for the next turns. */
const RECENT_TOKENS = 6000;

/**
 * The session's conversation with the user's new message as its last. Where it has grown too
 * long its older part becomes a summary, once and durably; if no model can write one, it is
 * left out of this request and stays stored.
 */
export async function loadHistory(
  exchange: Exchange,
  message: ChatMessage,
): Promise<readonly ChatMessage[]> {
  const { sessions } = exchange.deps;
  const { sessionId } = exchange.speaker;
  const { summary, messages: stored } = sessions.history(sessionId, MAX_MESSAGES);
  const all = [...stored.map((each) => each.message), message];
  const start = startOfRecent(all, RECENT_TOKENS);
  const newestOld = stored[start - 1];
  if (countTokens(all) > MAX_TOKENS && newestOld) {
    const longer = await summariseMessages(exchange, summary, all.slice(0, start));
    if (longer !== undefined) {
      sessions.summarise(sessionId, longer, newestOld.id);
      return [toMessage(longer), ...fitHistory(all.slice(start), MAX_TOKENS)];
    }
  }
  const older = summary === undefined ? [] : [toMessage(summary)];
  return [...older, ...fitHistory(all, MAX_TOKENS)];
}

/** With no more authority than the messages that it stands for. */
function toMessage(summary: string): ChatMessage {
  return { role: "user", content: `Summary of our conversation before this:\n${summary}` };
}
