import { boundAsides } from "../../providers/asides.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import type { ArgumentContext } from "../../tools/tool.ts";
import type { RequestContext, TurnDeps } from "../deps.ts";
import { type CountTokens, countMessage, fitHistory, startOfRecent } from "./fit-history.ts";
import { summariseMessages } from "./summarise-messages.ts";

/** Messages read back from a session. */
const MAX_MESSAGES = 500;

/** Tokens of history that a request may carry. */
const MAX_TOKENS = 12_000;

/**
 * Characters that asides add to it, each sender's own: as much again. A turn that begins has none of
 * its own yet, and what was thought long ago would cost as much with every message.
 */
const MAX_ASIDE_CHARS = MAX_TOKENS * 4;

/** What stays word for word when that is passed; room enough for the next turns. */
const RECENT_TOKENS = 6000;

/** As many of the user's texts as tools are promised. */
const MAX_USER_TEXTS = 4;

/** A conversation as a turn starts from it, with the user's new message as its last. */
export interface History {
  readonly messages: readonly ChatMessage[];
  readonly argumentContext: ArgumentContext;
}

/**
 * Reads a session's conversation back. Where it has grown too long its older part becomes a
 * summary, once and durably; if no model can write one, that part is left out of this request
 * and stays stored.
 */
export async function loadHistory(
  request: RequestContext,
  deps: Pick<TurnDeps, "core" | "models">,
  said: readonly ChatMessage[],
  turnId: string,
): Promise<History> {
  const { sessions } = deps.core;
  const { sessionId } = request.speaker;
  const { summary, messages: stored, older } = sessions.history(sessionId, MAX_MESSAGES, turnId);
  const all = [...stored.map((each) => each.message), ...said];
  const count = rememberCounts();
  const start = startOfRecent(all, RECENT_TOKENS, count);
  const newestOld = stored[start - 1];
  const tokens = all.reduce((sum, message) => sum + count(message), 0);
  if (tokens > MAX_TOKENS && newestOld) {
    const longer = await summariseMessages(request.signal, deps, summary, all.slice(0, start));
    if (longer !== undefined) {
      const whole = tellMissing(longer, older);
      sessions.summarise(sessionId, whole, newestOld.id);
      return toHistory(whole, all.slice(start), 0, count);
    }
  }
  return toHistory(summary, all, older, count);
}

/** A message is counted once, however often it is asked what fits. */
function rememberCounts(): CountTokens {
  const counts = new Map<ChatMessage, number>();
  return (message) => counts.getOrInsertComputed(message, () => countMessage(message));
}

function toHistory(
  before: string | undefined,
  all: readonly ChatMessage[],
  older: number,
  count: CountTokens,
): History {
  const recent = boundAsides(fitHistory(all, MAX_TOKENS, count), MAX_ASIDE_CHARS);
  const missing = older + startOfRecent(all, MAX_TOKENS, count);
  const summary = missing > 0 ? tellMissing(before, missing) : before;
  const own = recent.filter(({ role }) => role === "user").map(({ content }) => content);
  return {
    messages: summary === undefined ? recent : [toMessage(summary), ...recent],
    argumentContext: { userTexts: own.slice(-MAX_USER_TEXTS).toReversed() },
  };
}

/** What is in no summary is not taken for never said. */
function tellMissing(summary: string | undefined, count: number): string {
  const told = `${count} messages before those that follow are not shown and in no summary.`;
  return [...(summary === undefined ? [] : [summary]), ...(count > 0 ? [told] : [])].join("\n");
}

/** What a summary begins with: a model wrote it, so it carries no person's authority. */
export const SUMMARY_HEAD = "Summary of our conversation before this:";

/** With no more authority than the messages that it replaces. */
function toMessage(summary: string): ChatMessage {
  return { role: "user", content: `${SUMMARY_HEAD}\n${summary}` };
}
