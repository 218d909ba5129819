import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { OptionalPart } from "./capabilities.ts";
import type { ChatMessage, ChatRequest } from "./provider.ts";

/** The request's body in OpenAI's words, without the parts that the server is known to refuse. */
export function toRequestBody(
  request: ChatRequest,
  model: string,
  refused: ReadonlySet<OptionalPart>,
): ChatCompletionCreateParamsStreaming {
  const { tools, schema, temperature, maxTokens } = request;
  const limit = refused.has("max_tokens") ? "max_completion_tokens" : "max_tokens";
  return {
    model,
    messages: request.messages.map(toMessage),
    stream: true,
    ...(!refused.has("stream_options") && { stream_options: { include_usage: true } }),
    ...(temperature !== undefined && !refused.has("temperature") && { temperature }),
    ...(maxTokens !== undefined && { [limit]: maxTokens }),
    ...(tools !== undefined &&
      tools.length > 0 &&
      !refused.has("tools") && {
        tools: tools.map((tool) => ({ type: "function" as const, function: { ...tool } })),
      }),
    ...(schema !== undefined &&
      !refused.has("response_format") && {
        response_format: {
          type: "json_schema" as const,
          json_schema: { name: schema.name, schema: schema.schema, strict: true },
        },
      }),
  };
}

function toMessage(message: ChatMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
    case "assistant": {
      const { content, toolCalls } = message;
      if (toolCalls === undefined || toolCalls.length === 0) return { role: "assistant", content };
      return {
        role: "assistant",
        content: content === "" ? null : content,
        tool_calls: toolCalls.map((call) => ({
          id: call.id,
          type: "function",
          // Servers that parse the history refuse the empty text that others stream for "none".
          function: { name: call.name, arguments: call.arguments || "{}" },
        })),
      };
    }
    default:
      return message satisfies never;
  }
}
