import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { isFields, parseJsonAs } from "../core/guards.ts";
import { type CallIds, createCallIds } from "./call-ids.ts";
import type { OptionalPart } from "./capabilities.ts";
import type { Aside, ChatMessage } from "./provider.ts";

/** Who gets a request. */
export interface Recipient {
  /** Of the provider, in the configuration. */
  readonly name: string;
  readonly model: string;
  /** What it is known to refuse. */
  readonly refused: ReadonlySet<OptionalPart>;
}

type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;

/** A conversation in OpenAI's words, the only place where it is put into them. */
export function toOpenAiMessages(
  messages: readonly ChatMessage[],
  to: Recipient,
): ChatCompletionMessageParam[] {
  const ids = createCallIds();
  const own = findOwn(messages, to);
  return messages.map((message) => toMessage(message, ids, { ...to, own: own.get(message) }));
}

/** What a model gave with calls for itself. */
type Own = Pick<Aside, "thoughts" | "ofCalls">;

interface Sent extends Recipient {
  readonly own: Own | undefined;
}

function toMessage(message: ChatMessage, ids: CallIds, to: Sent): ChatCompletionMessageParam {
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
      return toAnswer(message, ids, to);
    default:
      return message satisfies never;
  }
}

function toAnswer(
  { content, toolCalls = [] }: AssistantMessage,
  ids: CallIds,
  { own, refused }: Sent,
): ChatCompletionAssistantMessageParam {
  if (toolCalls.length === 0) return { role: "assistant", content };
  ids.next();
  const { thoughts = refused.has("calls_without_thoughts") ? "" : undefined } = own ?? {};
  const extras = toolCalls.map(({ id }) => parseJsonAs(own?.ofCalls?.[id] ?? "", isFields));
  if (refused.has("calls_without_signature") && !extras.some(Boolean)) extras[0] = UNSIGNED;
  return {
    role: "assistant",
    content: content === "" ? null : content,
    ...(thoughts !== undefined && { reasoning_content: thoughts }),
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

/** Thoughts of one request together, the newest first. */
const MOST_THOUGHT_CHARS = 128 * 1024;

/** What goes back to its sender, by the message that it came with. */
function findOwn(
  messages: readonly ChatMessage[],
  { name, model, refused }: Recipient,
): ReadonlyMap<ChatMessage, Own> {
  const own = new Map<ChatMessage, Own>();
  if (refused.has("asides")) return own;
  let left = MOST_THOUGHT_CHARS;
  for (const message of messages.toReversed()) {
    if (message.role !== "assistant" || !message.aside) continue;
    const { provider, model: of, thoughts = "", ofCalls = {} } = message.aside;
    if (provider !== name || of !== model) continue;
    left -= thoughts.length;
    own.set(message, { ofCalls, ...(thoughts !== "" && left >= 0 && { thoughts }) });
  }
  return own;
}

/** Whether a conversation holds what a server may refuse of it. */
export function holdsPart(
  messages: readonly ChatCompletionMessageParam[],
  part: OptionalPart,
): boolean {
  const answers = messages.filter((message) => message.role === "assistant" && message.tool_calls);
  const hasThoughts = (answer: object) => "reasoning_content" in answer;
  const hasExtra = (answer: ChatCompletionMessageParam) =>
    "tool_calls" in answer && (answer.tool_calls ?? []).some((call) => "extra_content" in call);
  switch (part) {
    case "asides":
      return answers.some((answer) => hasThoughts(answer) || hasExtra(answer));
    case "calls_without_thoughts":
      return answers.some((answer) => !hasThoughts(answer));
    case "calls_without_signature":
      return answers.some((answer) => !hasExtra(answer));
    default:
      return false;
  }
}
