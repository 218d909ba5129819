import type { Aside, ChatMessage, ToolCall } from "../../providers/provider.ts";
import type { CallResult, Said, Turn } from "./turn-state.ts";

/** Begins a round: what the model said is kept with the first call that is. */
export function beginRound(turn: Turn, { content, aside }: Said): void {
  turn.progress.unkept = { content, ...(aside && { aside }), results: [] };
}

/**
 * Keeps a result for the conversation, all but a failure: the model was told of it. What had an
 * effect is written at once, and if it failed, for this turn alone.
 */
export async function keepResult(
  turn: Turn,
  result: CallResult,
  effectId: string | undefined,
): Promise<void> {
  const hasFailed = result.kind === "failed";
  const { unkept } = turn.progress;
  if (!hasFailed) turn.progress.unkept = { ...unkept, results: [...unkept.results, result] };
  if (effectId === undefined) return;
  const kept = takeUnkept(turn);
  await turn.journal.end(effectId, {
    kept,
    failed: hasFailed ? toMessages(turn, { ...unkept, content: "" }, [result]) : [],
  });
}

/** Writes what is left of a round, and with it what its request cost; behind an answer to the user the turn is over. */
export async function endRound(turn: Turn, standing?: "last"): Promise<void> {
  const kept = turn.journal.keep(takeUnkept(turn), standing);
  await Promise.all([kept, ...turn.progress.unsettled.splice(0)]);
}

/**
 * A round as the model wants to see it: what it said and called, then the result of each call. What it
 * thought is missed behind calls alone, and in the whole turn then, its answer too.
 */
export function toMessages(
  turn: Turn,
  { content, aside }: Said,
  results: readonly CallResult[],
): readonly ChatMessage[] {
  if (content === "" && results.length === 0) return [];
  const toolCalls = results.map(({ call }) => toStored(turn, call));
  const isMissed = toolCalls.length > 0 || hasCalled(turn);
  const said = {
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(aside && isMissed && { aside: asideOf(turn, aside, toolCalls) }),
  };
  return [
    { role: "assistant", content, ...said },
    ...results.map((each) => ({
      role: "tool" as const,
      toolCallId: each.call.id,
      content: each.content,
      ...(each.page !== undefined && { page: each.page }),
    })),
  ];
}

function hasCalled({ messages }: Turn): boolean {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(asked + 1).some((each) => each.role === "assistant" && each.toolCalls);
}

/** A call as it is stored, and may go to another model: without the secrets in it. */
export function toStored({ voice: { redact } }: Turn, call: ToolCall): ToolCall {
  return { ...call, name: redact(call.name), arguments: redact(call.arguments) };
}

/** A round may be kept in parts: each has the thoughts behind it, and what belongs to its own calls. */
function asideOf(
  { voice: { redact } }: Turn,
  { thoughts, details = "", ofCalls = {}, ...sender }: Aside,
  calls: readonly ToolCall[],
): Aside {
  const own = Object.entries(ofCalls).filter(([id]) => calls.some((call) => call.id === id));
  return {
    ...sender,
    ...(thoughts !== undefined && { thoughts: redact(thoughts) }),
    // Signed as it is: without a secret in it, it would be refused.
    ...(details !== "" && redact(details) === details && { details }),
    ...(own.length > 0 && { ofCalls: Object.fromEntries(own) }),
  };
}

function takeUnkept(turn: Turn): readonly ChatMessage[] {
  const { results, ...said } = turn.progress.unkept;
  turn.progress.unkept = { ...said, content: "", results: [] };
  return toMessages(turn, said, results);
}
