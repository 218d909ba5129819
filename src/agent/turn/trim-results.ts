import { shorten } from "../../core/cut-text.ts";
import { estimateTokens } from "../../providers/budget.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import { closingLine } from "../../security/untrusted.ts";

/** Tokens of tool results that one request may carry. */
const MAX_TOKENS = 60_000;

/** What stays of a result for which there is no room. */
const STUB_CHARS = 1000;

/** What one request carries of a turn. */
export interface Trimmed {
  readonly messages: readonly ChatMessage[];
  /** The calls whose results are not whole in it, and would be if they were the newest. */
  readonly stubbed: ReadonlySet<string>;
}

/**
 * A turn that reads much must not outgrow the model: the newest results stay whole, older ones
 * keep their beginning, and every call keeps its result.
 */
export function trimResults(
  messages: readonly ChatMessage[],
  maxTokens: number = MAX_TOKENS,
): Trimmed {
  const stubbed = new Set<string>();
  if (!messages.some(({ role }) => role === "tool")) return { messages, stubbed };
  let left = maxTokens;
  return { messages: messages.toReversed().map(trim).toReversed(), stubbed };

  function trim(message: ChatMessage): ChatMessage {
    if (message.role !== "tool") return message;
    const tokens = estimateTokens(message.content);
    left -= tokens;
    if (left >= 0 || message.content.length <= STUB_CHARS) return message;
    if (tokens <= maxTokens) stubbed.add(message.toolCallId);
    const stub = shorten(message.content, STUB_CHARS);
    const content = `${stub} (the rest is left out to save room)${closingLine(message.content)}`;
    return { ...message, content };
  }
}
