import { estimateTokens } from "../../providers/budget.ts";
import type { ChatMessage } from "../../providers/provider.ts";

/**
 * The newest part of a conversation that fits, starting at a user's message, with tool calls
 * and their results together; the newest message of the user is in it however long it is.
 */
export function fitHistory(
  messages: readonly ChatMessage[],
  maxTokens: number,
  count: CountTokens = countMessage,
): readonly ChatMessage[] {
  return pairResults(messages.slice(startOfRecent(messages, maxTokens, count)));
}

/** Where that part begins; the whole length when there is no user's message. */
export function startOfRecent(
  messages: readonly ChatMessage[],
  maxTokens: number,
  count: CountTokens = countMessage,
): number {
  let start = messages.findLastIndex(({ role }) => role === "user");
  if (start < 0) return messages.length;
  let tokens = 0;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    tokens += message ? count(message) : 0;
    if (i >= start) continue;
    if (tokens > maxTokens) break;
    if (message?.role === "user") start = i;
  }
  return start;
}

/** How many tokens a message takes. */
export type CountTokens = (message: ChatMessage) => number;

/** Estimated, with calls and their arguments; asides have a bound of their own in a history. */
export function countMessage(message: ChatMessage): number {
  return estimateTokens(JSON.stringify({ ...message, aside: undefined }));
}

/**
 * Every call with one result right behind it, as servers demand: a call whose result was lost
 * in a crash gets one that says so, a result without its call is left out.
 */
function pairResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.flatMap((message, index): readonly ChatMessage[] => {
    if (message.role === "tool") return [];
    if (message.role !== "assistant") return [message];
    const rest = messages.slice(index + 1);
    const end = rest.findIndex(({ role }) => role !== "tool");
    const results = end < 0 ? rest : rest.slice(0, end);
    const calls = message.toolCalls ?? [];
    return [
      message,
      ...calls.map(({ id }) => results.find((each) => isResultOf(each, id)) ?? lost(id)),
    ];
  });
}

function isResultOf(message: ChatMessage, callId: string): boolean {
  return message.role === "tool" && message.toolCallId === callId;
}

function lost(toolCallId: string): ChatMessage {
  return { role: "tool", toolCallId, content: "interrupted: no result is known" };
}
