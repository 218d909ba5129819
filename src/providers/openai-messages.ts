import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { type CallIds, createCallIds } from "./call-ids.ts";
import type { ChatMessage } from "./provider.ts";

type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;

/** A conversation in OpenAI's words, the only place where it is put into them. */
export function toOpenAiMessages(messages: readonly ChatMessage[]): ChatCompletionMessageParam[] {
  const ids = createCallIds();
  return messages.map((message) => toMessage(message, ids));
}

function toMessage(message: ChatMessage, ids: CallIds): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return {
        role: "tool",
        tool_call_id: ids.ofResult(message.toolCallId),
        content: message.content,
      };
    case "assistant":
      return toAnswer(message, ids);
    default:
      return message satisfies never;
  }
}

function toAnswer(
  { content, toolCalls = [] }: AssistantMessage,
  ids: CallIds,
): ChatCompletionAssistantMessageParam {
  if (toolCalls.length === 0) return { role: "assistant", content };
  ids.next();
  return {
    role: "assistant",
    content: content === "" ? null : content,
    tool_calls: toolCalls.map((call) => ({
      id: ids.ofCall(call.id),
      type: "function",
      // Servers that parse the history refuse the empty text that others stream for "none".
      function: { name: call.name, arguments: call.arguments || "{}" },
    })),
  };
}
