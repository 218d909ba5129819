import type { Press } from "../channels/channel.ts";
import { decideIntent } from "../protocol/intent.ts";
import type { Approval } from "../store/approvals.ts";
import { chat, continueChat } from "./chat.ts";
import { runSlashCommand, toCommand } from "./commands.ts";
import type { Exchange } from "./deps.ts";
import { applyMessage, applyPlan, proposePlan } from "./flows.ts";
import { planWithWish, takeAwaitedWish } from "./plan-again.ts";
import { actOn, type FollowUp } from "./press.ts";
import { storedPlan } from "./session-state.ts";

/**
 * Does what a message asks for; `asked` is the question that waited when it was sent: a yes is
 * meant for no later one.
 */
export async function answer(exchange: Exchange, text: string, asked?: string): Promise<void> {
  const { deps, speaker } = exchange;
  const wished = takeAwaitedWish(exchange);
  const command = toCommand(text);
  if (command !== undefined) return runSlashCommand(exchange, command);
  if (wasBegun(exchange)) return chat(exchange, text);
  const { planId } = deps.sessions.state(speaker.sessionId);
  const waiting = deps.approvals.waiting(speaker.sessionId, deps.clock.now());
  const isAsked = waiting !== undefined;
  const intent = decideIntent(text, { hasPlan: planId !== undefined || isAsked, isAsked });
  const isAnswer = intent.kind === "apply_stored" || intent.kind === "reject";
  if (wished !== undefined && !isAnswer) {
    return planWithWish(exchange, wished, text);
  }
  switch (intent.kind) {
    case "plan":
      return proposePlan(exchange, intent.goal);
    case "apply":
      return applyMessage(exchange, intent.goal);
    case "apply_stored":
    case "reject": {
      // A "yes" while a question waits is its answer, not a new request.
      if (!waiting) return void (await applyPlan(exchange, storedPlan(exchange)));
      if (waiting.approvalId !== asked) {
        return exchange.emit({ kind: "content", text: deps.texts.agent.cameLater });
      }
      if (intent.kind === "apply_stored") keepYes(exchange, waiting, text);
      const act = intent.kind === "reject" ? "reject" : "approve";
      const next = await actOn(exchange, { act, ref: waiting.approvalId });
      return next?.(exchange);
    }
    case "chat":
      return chat(exchange, text);
    default:
      return intent.kind satisfies never;
  }
}

/** Does what a press asks for; what it leads to waits for its turn. */
export async function answerPress(exchange: Exchange, press: Press): Promise<FollowUp | undefined> {
  return wasBegun(exchange) ? continueChat : actOn(exchange, press);
}

/** What led to a turn of the chat before a crash does so now, whatever waits or is planned. */
function wasBegun({ deps, speaker, messageId }: Exchange): boolean {
  if (messageId === undefined) return false;
  return deps.sessions.turn(speaker.sessionId, messageId) !== undefined;
}

/** A yes that is brought again was one, whatever waits or is planned by then. */
function keepYes(exchange: Exchange, { kind, userId }: Approval, content: string): void {
  const { deps, speaker, messageId: turnId } = exchange;
  if (turnId === undefined || kind !== "tool_call" || userId !== speaker.userId) return;
  deps.sessions.append(speaker.sessionId, [{ role: "user", content }], deps.clock.now(), {
    turnId,
  });
}
