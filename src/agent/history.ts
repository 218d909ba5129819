import type { ChatMessage } from "../providers/provider.ts";

/** Characters of history sent with a turn; about 6,000 tokens. */
const MAX_CHARS = 24_000;

/**
 * The newest part of a conversation that fits, starting at a user's message, with tool calls
 * and their results together. A call whose result a crash swallowed gets one that says so.
 */
export function fitHistory(
  messages: readonly ChatMessage[],
  maxChars: number = MAX_CHARS,
): readonly ChatMessage[] {
  let chars = 0;
  let start = messages.length;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (!message) break;
    chars += message.content.length;
    if (chars > maxChars) break;
    if (message.role === "user") start = i;
  }
  return answerDangling(messages.slice(start));
}

function answerDangling(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const answered = new Set(
    messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])),
  );
  return messages.flatMap((message): readonly ChatMessage[] => {
    if (message.role !== "assistant") return [message];
    const dangling = (message.toolCalls ?? []).filter((call) => !answered.has(call.id));
    const results = dangling.map((call) => ({
      role: "tool" as const,
      toolCallId: call.id,
      content: "interrupted: no result is known",
    }));
    return [message, ...results];
  });
}
