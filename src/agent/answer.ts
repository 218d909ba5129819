import type { Press } from "../channels/channel.ts";
import { decideIntent } from "../protocol/intent.ts";
import type { Approval } from "../store/approvals.ts";
import { chat, continueChat } from "./chat.ts";
import { runSlashCommand, toCommand } from "./commands/commands.ts";
import type { Exchange } from "./deps.ts";
import { tellUntold } from "./interrupted/interrupted.ts";
import {
  applyMessage,
  applyPlan,
  planWithWish,
  proposePlan,
  takeAwaitedWish,
  tellEnded,
} from "./plans/plans.ts";
import { actOn, type FollowUp } from "./press.ts";
import { keepMeant, meantAtFirst, storedPlan } from "./session/session.ts";

/**
 * Does what a message asks for; `asked` is the question that waited when it was sent: a yes is
 * meant for no later one.
 */
export async function answer(exchange: Exchange, text: string, asked?: string): Promise<void> {
  const { deps, speaker } = exchange;
  await tellUntold(exchange);
  if (await tellEnded(exchange)) return undefined;
  const approved = approvedBefore(exchange);
  if (approved !== undefined) return goOn(exchange, { act: "approve", ref: approved });
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
      return goOn(exchange, { act, ref: waiting.approvalId });
    }
    case "chat":
      return chat(exchange, text);
    default:
      return intent.kind satisfies never;
  }
}

/** Does what a press asks for; what it leads to waits for its turn. */
export async function answerPress(exchange: Exchange, press: Press): Promise<FollowUp | undefined> {
  if (await tellEnded(exchange)) return undefined;
  return wasBegun(exchange) ? continueChat : actOn(exchange, press);
}

/** The question that this very message said yes to before a crash, whatever waits by now. */
function approvedBefore(exchange: Exchange): string | undefined {
  const meant = meantAtFirst(exchange);
  return meant === undefined ? undefined : exchange.deps.approvals.load(meant)?.approvalId;
}

async function goOn(exchange: Exchange, press: Press): Promise<void> {
  const next = await actOn(exchange, press);
  return next?.(exchange);
}

/** What led to a turn of the chat before a crash does so now, whatever waits or is planned. */
function wasBegun({ deps, speaker, workId, isKept }: Exchange): boolean {
  return isKept && deps.sessions.turn(speaker.sessionId, workId) !== undefined;
}

/** A yes that is brought again was one, whatever waits or is planned by then. */
function keepYes(exchange: Exchange, { kind, userId, approvalId }: Approval, content: string) {
  const { deps, speaker, workId: turnId, isKept } = exchange;
  if (!isKept || userId !== speaker.userId) return;
  keepMeant(exchange, approvalId);
  if (kind !== "tool_call") return;
  const said = { role: "user", content } as const;
  deps.sessions.append(speaker.sessionId, [said], deps.clock.now(), { turnId });
}
