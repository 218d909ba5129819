import type { Aside, ChatMessage, ToolCall } from "../../providers/provider.ts";

/** The calls of one answer, and what their model gave with them. */
export interface Called {
  readonly toolCalls: readonly ToolCall[];
  readonly aside?: Aside;
}

/**
 * The same with ids that no other call of the conversation has, in this answer or before it: some
 * servers count from "call_0" in each. Results, what is forgotten of them and what a model gave with
 * a call are found by these; the server gets ids of the provider's making anyway.
 */
export function withOwnIds(
  messages: readonly ChatMessage[],
  toolCalls: readonly ToolCall[],
  aside: Aside | undefined,
): Called {
  const taken = new Set(messages.flatMap(idsOf));
  const given = toolCalls.map(({ id }) => take(id, taken));
  const calls = toolCalls.map((call, n) => Object.assign({}, call, { id: given[n] ?? call.id }));
  return { toolCalls: calls, ...(aside && { aside: rename(aside, toolCalls, given) }) };
}

function idsOf(message: ChatMessage): readonly string[] {
  return message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [];
}

function take(id: string, taken: Set<string>): string {
  let own = id;
  for (let n = 2; taken.has(own); n++) own = `${id}_${n}`;
  taken.add(own);
  return own;
}

function rename(aside: Aside, calls: readonly ToolCall[], given: readonly string[]): Aside {
  const { ofCalls } = aside;
  if (!ofCalls) return aside;
  const own = calls.flatMap(({ id }, n) => {
    const text = ofCalls[id];
    return text === undefined ? [] : [[given[n] ?? id, text] as const];
  });
  return { ...aside, ofCalls: Object.fromEntries(own) };
}
