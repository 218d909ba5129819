import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { isFields, isListOf, parseJsonAs } from "../core/guards.ts";
import { type Recipient, withOwnAsides } from "./asides.ts";
import { type CallIds, createCallIds } from "./call-ids.ts";
import type { OptionalPart } from "./capabilities.ts";
import type { ChatMessage } from "./provider.ts";

type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;
type Refused = Recipient["refused"];

/** A conversation in OpenAI's words, the only place where it is put into them. */
export function toOpenAiMessages(
  messages: readonly ChatMessage[],
  to: Recipient,
): ChatCompletionMessageParam[] {
  const ids = createCallIds();
  return withOwnAsides(messages, to).map((message) => toMessage(message, ids, to.refused));
}

function toMessage(
  message: ChatMessage,
  ids: CallIds,
  refused: Refused,
): ChatCompletionMessageParam {
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
      return toAnswer(message, ids, refused);
    default:
      return message satisfies never;
  }
}

function toAnswer(
  { content, toolCalls = [], aside }: AssistantMessage,
  ids: CallIds,
  refused: Refused,
): ChatCompletionAssistantMessageParam {
  const { thoughts = refused.has("calls_without_thoughts") ? "" : undefined } = aside ?? {};
  const details = parseJsonAs(aside?.details ?? "", isListOf(isFields));
  const given = {
    ...(thoughts !== undefined && { reasoning_content: thoughts }),
    ...(details && { reasoning_details: details }),
  };
  if (toolCalls.length === 0) return { role: "assistant", content, ...given };
  ids.next();
  const extras = toolCalls.map(({ id }) => parseJsonAs(aside?.ofCalls?.[id] ?? "", isFields));
  if (refused.has("calls_without_signature") && !extras.some(Boolean)) extras[0] = UNSIGNED;
  return {
    role: "assistant",
    content: content === "" ? null : content,
    ...given,
    tool_calls: toolCalls.map((call, index) => ({
      id: ids.ofCall(call.id),
      type: "function",
      // Servers that parse the history refuse the empty text that others stream for "none".
      function: { name: call.name, arguments: call.arguments || "{}" },
      ...(extras[index] && { extra_content: extras[index] }),
    })),
  };
}

/** What Gemini takes in place of its signature for calls that it did not make. */
const UNSIGNED = { google: { thought_signature: "skip_thought_signature_validator" } };

/** Whether a conversation holds what a server may refuse of it. */
export function holdsPart(
  messages: readonly ChatCompletionMessageParam[],
  part: OptionalPart,
): boolean {
  const answers = messages.filter((message) => message.role === "assistant");
  const hasThoughts = (answer: object) => "reasoning_content" in answer;
  const hasExtra = (answer: ChatCompletionMessageParam) =>
    "tool_calls" in answer && (answer.tool_calls ?? []).some((call) => "extra_content" in call);
  switch (part) {
    case "asides":
      return answers.some(
        (answer) => hasThoughts(answer) || "reasoning_details" in answer || hasExtra(answer),
      );
    case "calls_without_thoughts":
      return answers.some((answer) => !hasThoughts(answer));
    case "calls_without_signature":
      return answers.some((answer) => answer.tool_calls && !hasExtra(answer));
    default:
      return false;
  }
}
