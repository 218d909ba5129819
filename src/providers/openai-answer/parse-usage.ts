import type { Usage } from "../provider.ts";

/**
 * What a server says that an answer took; undefined where it counts nothing. Some bill what a model
 * thought and leave it out of the answer's own count: then the whole sum says more than its parts.
 */
export function parseUsage(value: unknown): Usage | undefined {
  const usage = toFields(value);
  const prompt = toCount(usage["prompt_tokens"]);
  const completion = toCount(usage["completion_tokens"]);
  const total = toCount(usage["total_tokens"]);
  if (prompt + completion + total === 0) return undefined;
  const thought = toCount(toFields(usage["completion_tokens_details"])["reasoning_tokens"]);
  // More thoughts than answer: they cannot be a part of it.
  const withThoughts = thought > completion ? completion + thought : completion;
  if (prompt === 0 && total > 0) {
    return { inputTokens: 0, outputTokens: withThoughts, totalTokens: total };
  }
  return { inputTokens: prompt, outputTokens: Math.max(withThoughts, total - prompt) };
}

/** Several times what the largest window holds. */
const MOST_TOKENS = 100_000_000;

/** Zero for what counts no tokens: it would stand in the sums of a day, or could not be written there. */
function toCount(value: unknown): number {
  const isCount = typeof value === "number" && Number.isSafeInteger(value);
  return isCount && value > 0 && value <= MOST_TOKENS ? value : 0;
}

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
