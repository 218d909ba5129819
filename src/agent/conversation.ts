import type { AgentEvent, Conversation, Origin, Speaker } from "../channels/channel.ts";
import { type AppError, toAppError } from "../core/app-error.ts";
import { decideIntent } from "../protocol/intent.ts";
import type { Approval } from "../store/approvals.ts";
import { chat, continueChat } from "./chat.ts";
import { isCancel, runSlashCommand, toCommand } from "./commands.ts";
import type { AgentDeps, Exchange } from "./deps.ts";
import { applyMessage, applyPlan, proposePlan } from "./flows.ts";
import { createLines, type Lines } from "./lines.ts";
import { type Outlet, openOutlet } from "./outlet.ts";
import { planWithWish, takeAwaitedWish } from "./plan-again.ts";
import { actOn, type FollowUp } from "./press.ts";
import { refusal, saidOf } from "./refusal.ts";
import { storedPlan } from "./session-state.ts";

/**
 * The agent as channels see it. Messages of one session are worked on one after another,
 * sessions side by side; buttons and /cancel overtake; every call ends with one `done`. Where
 * `given` is a function, work keeps to its end what that gives at its begin.
 */
export function createConversation(
  given: AgentDeps | (() => AgentDeps),
): Conversation & Pick<Lines, "close"> {
  const current = typeof given === "function" ? given : () => given;
  const lines = createLines();

  async function serve(
    kind: "messages" | "presses",
    speaker: Speaker,
    outlet: Outlet,
    work: (exchange: Exchange) => Promise<void>,
    origin?: Origin,
  ): Promise<void> {
    const { emit } = outlet;
    const place = lines.join(speaker.sessionId, kind, async (signal) => {
      const own = { deps: current(), speaker, emit, signal, hasApprover: true };
      const exchange = { ...own, ...(origin && { messageId: origin.messageId }) };
      const paid = exchange.deps.charge(speaker.sessionId, () => work(exchange));
      await paid.catch((error: unknown) => tellFailure(exchange, error));
    });
    if (!place) {
      const { texts } = current();
      return emit(toErrorEvent(refusal("too_large", texts, ({ tooMany }) => tooMany)));
    }
    if (place.ahead > 0) await emit({ kind: "progress", text: current().texts.agent.queued });
    await place.done;
  }

  return {
    async message(speaker, text, emit, origin) {
      const deps = current();
      const outlet = openOutlet(emit, deps.redact);
      if (isCancel(text)) {
        const cancelled = lines.cancel(speaker.sessionId);
        const { cancelling, nothingRuns } = deps.texts.agent;
        await outlet.emit({ kind: "content", text: cancelled ? cancelling : nothingRuns });
      } else {
        const asked = askedBefore(deps, speaker, origin);
        const work = (exchange: Exchange) => answer(exchange, text, asked);
        await serve("messages", speaker, outlet, work, origin);
      }
      await outlet.end();
    },
    async press(speaker, press, emit, origin) {
      const outlet = openOutlet(emit, current().redact);
      let next: FollowUp | undefined;
      const act = async (exchange: Exchange) => {
        next = wasBegun(exchange) ? continueChat : await actOn(exchange, press);
      };
      await serve("presses", speaker, outlet, act, origin);
      if (next) await serve("messages", speaker, outlet, next, origin);
      await outlet.end();
    },
    cancel: lines.cancel,
    close: lines.close,
  };
}

/** The question that waited when a message came in: a yes is meant for no later one. */
function askedBefore(
  { approvals, clock }: AgentDeps,
  { sessionId }: Speaker,
  origin: Origin | undefined,
): string | undefined {
  const waiting = approvals.waiting(sessionId, clock.now());
  const isLater = origin && waiting && waiting.createdAt >= origin.receivedAt;
  return isLater ? undefined : waiting?.approvalId;
}

/** What led to a turn of the chat before a crash does so now, whatever waits or is planned. */
function wasBegun({ deps, speaker, messageId }: Exchange): boolean {
  if (messageId === undefined) return false;
  return deps.sessions.turn(speaker.sessionId, messageId) !== undefined;
}

async function answer(exchange: Exchange, text: string, asked?: string): Promise<void> {
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

/** A yes that is brought again was one, whatever waits or is planned by then. */
function keepYes(exchange: Exchange, { kind, userId }: Approval, content: string): void {
  const { deps, speaker, messageId: turnId } = exchange;
  if (turnId === undefined || kind !== "tool_call" || userId !== speaker.userId) return;
  deps.sessions.append(speaker.sessionId, [{ role: "user", content }], deps.clock.now(), {
    turnId,
  });
}

async function tellFailure({ deps, emit }: Exchange, error: unknown): Promise<void> {
  const failure = toAppError(error);
  const { code, message, cause } = failure;
  if (code === "ERR_INTERNAL" && cause instanceof Error) {
    deps.log("INTERNAL_ERROR", { message, stack: cause.stack });
  }
  await emit(toErrorEvent(failure));
}

function toErrorEvent(failure: AppError): AgentEvent {
  const { code, message } = failure;
  const said = saidOf(failure);
  return { kind: "error", code, message, ...(said !== undefined && { said }) };
}
