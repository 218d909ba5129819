import type { AgentCore, RequestContext } from "../deps.ts";
import type { BegunTurn } from "./turn-state.ts";

/** What is kept of the turn that a message had before a crash. */
export interface StoredTurn extends BegunTurn {
  readonly startedAt: number;
  /** It was answered; only the answer may not have arrived. */
  readonly isOver: boolean;
}

/** The turn `turnId` as far as it came; undefined: it was never begun. */
export function loadBegun(
  { speaker }: RequestContext,
  { sessions }: AgentCore,
  turnId: string,
): StoredTurn | undefined {
  const stored = sessions.turn(speaker.sessionId, turnId);
  if (!stored) return undefined;
  const own = stored.messages.filter((message) => message.role === "assistant");
  const texts = own.map(({ content }) => content).filter((content) => content !== "");
  const calls = own.flatMap(({ toolCalls = [] }) => toolCalls);
  const { startedAt, isOver } = stored;
  return { startedAt, isOver, text: texts.join("\n\n"), calls };
}
