import type { Press } from "../channels/channel.ts";
import { decideIntent } from "../protocol/intent.ts";
import type { Approval } from "../store/approvals.ts";
import { chat, continueChat } from "./chat.ts";
import { runSlashCommand, toCommand } from "./commands/commands.ts";
import type { RequestContext } from "./deps.ts";
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
export async function answer(request: RequestContext, text: string, asked?: string): Promise<void> {
  const { deps, speaker } = request;
  await tellUntold(request);
  if (await tellEnded(request)) return undefined;
  const approved = approvedBefore(request);
  if (approved !== undefined) return goOn(request, { act: "approve", ref: approved });
  const wished = takeAwaitedWish(request);
  const command = toCommand(text);
  if (command !== undefined) return runSlashCommand(request, command);
  if (wasBegun(request)) return chat(request, text);
  const { planId } = deps.sessions.state(speaker.sessionId);
  const waiting = deps.approvals.waiting(speaker.sessionId, deps.clock.now());
  const isAsked = waiting !== undefined;
  const intent = decideIntent(text, { hasPlan: planId !== undefined || isAsked, isAsked });
  const isAnswer = intent.kind === "apply_stored" || intent.kind === "reject";
  if (wished !== undefined && !isAnswer) {
    return planWithWish(request, wished, text);
  }
  switch (intent.kind) {
    case "plan":
      return proposePlan(request, intent.goal);
    case "apply":
      return applyMessage(request, intent.goal);
    case "apply_stored":
    case "reject": {
      // A "yes" while a question waits is its answer, not a new request.
      if (!waiting) return void (await applyPlan(request, storedPlan(request)));
      if (waiting.approvalId !== asked) {
        return request.emit({ kind: "content", text: deps.texts.agent.cameLater });
      }
      if (intent.kind === "apply_stored") keepYes(request, waiting, text);
      const act = intent.kind === "reject" ? "reject" : "approve";
      return goOn(request, { act, ref: waiting.approvalId });
    }
    case "chat":
      return chat(request, text);
    default:
      return intent.kind satisfies never;
  }
}

/** Does what a press asks for; what it leads to waits for its turn. */
export async function answerPress(
  request: RequestContext,
  press: Press,
): Promise<FollowUp | undefined> {
  if (await tellEnded(request)) return undefined;
  return wasBegun(request) ? continueChat : actOn(request, press);
}

/** The question that this very message said yes to before a crash, whatever waits by now. */
function approvedBefore(request: RequestContext): string | undefined {
  const meant = meantAtFirst(request);
  return meant === undefined ? undefined : request.deps.approvals.load(meant)?.approvalId;
}

async function goOn(request: RequestContext, press: Press): Promise<void> {
  const next = await actOn(request, press);
  return next?.(request);
}

/** What led to a turn of the chat before a crash does so now, whatever waits or is planned. */
function wasBegun({ deps, speaker, workId, isKept }: RequestContext): boolean {
  return isKept && deps.sessions.turn(speaker.sessionId, workId) !== undefined;
}

/** A yes that is brought again was one, whatever waits or is planned by then. */
function keepYes(request: RequestContext, { kind, userId, approvalId }: Approval, content: string) {
  const { deps, speaker, workId: turnId, isKept } = request;
  if (!isKept || userId !== speaker.userId) return;
  keepMeant(request, approvalId);
  if (kind !== "tool_call") return;
  const said = { role: "user", content } as const;
  deps.sessions.append(speaker.sessionId, [said], deps.clock.now(), { turnId });
}
