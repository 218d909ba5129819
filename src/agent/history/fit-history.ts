import { estimateTokens } from "../../providers/budget.ts";
import type { ChatMessage } from "../../providers/provider.ts";

/**
 * The newest part of a conversation that fits, starting at a user's message, with tool calls
 * and their results together; the newest message of the user is in it however long it is.
 */
export function fitHistory(
  messages: readonly ChatMessage[],
  maxTokens: number,
): readonly ChatMessage[] {
  return pairResults(messages.slice(startOfRecent(messages, maxTokens)));
}

/** Where that part begins; the whole length when there is no user's message. */
export function startOfRecent(messages: readonly ChatMessage[], maxTokens: number): number {
  let start = messages.findLastIndex(({ role }) => role === "user");
  if (start < 0) return messages.length;
  let tokens = countTokens(messages.slice(start));
  for (let i = start - 1; i >= 0; i--) {
    tokens += countTokens(messages.slice(i, i + 1));
    if (tokens > maxTokens) break;
    if (messages[i]?.role === "user") start = i;
  }
  return start;
}

/** Estimated, with calls and their arguments. */
export function countTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(JSON.stringify(message)), 0);
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
