import type { AgentEvent, Asked, Conversation, Origin, Speaker } from "../channels/channel.ts";
import { type AppError, toAppError } from "../core/app-error.ts";
import { newId } from "../core/ids.ts";
import { isInterrupted } from "../core/interruption.ts";
import type { OutcomeView } from "../transaction/views.ts";
import type { AgentDeps, RequestContext } from "./deps.ts";
import { endedOf, toldInterrupted } from "./interrupted/interrupted.ts";
import type { FollowUp } from "./press.ts";
import { refusal, saidOf } from "./refusal.ts";
import { createLines, type Lines, type Outlet, openOutlet } from "./session/session.ts";

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
  const running = new Set<string>();

  async function serve(
    kind: "messages" | "presses",
    task: Task,
    work: (request: RequestContext) => Promise<void>,
  ): Promise<void> {
    const { speaker, workId, isKept, outlet } = task;
    running.add(workId);
    const { emit } = outlet;
    using _over = { [Symbol.dispose]: () => void running.delete(workId) };
    const place = lines.join(speaker.sessionId, kind, async (signal) => {
      const told: OutcomeView[] = [];
      const tell = async (event: AgentEvent) => {
        if (isInterrupted(signal)) return; // what is cut off has no end to be told
        if (event.kind === "outcome") told.push(event.outcome);
        await emit(event);
      };
      const own = { speaker, workId, isKept, emit: tell, signal };
      const request = { ...own, deps: current(), hasApprover: true };
      if (!isInterrupted(signal)) {
        const paid = request.deps.charge(speaker.sessionId, () => work(request));
        await paid.catch((error: unknown) => tellFailure(request, error));
      }
      if (!isInterrupted(signal)) return;
      task.isCutOff = true;
      await emit(toErrorEvent(await toldInterrupted({ ...request, emit }, told)));
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
      const outlet = openOutlet(emit, deps.redact, withPlainLinks(deps, text));
      if (isCancel(text)) {
        const cancelled = lines.cancel(speaker.sessionId);
        const { cancelling, nothingRuns } = deps.texts.agent;
        await outlet.emit({ kind: "content", text: cancelled ? cancelling : nothingRuns });
      } else {
        const asked = askedBefore(deps, speaker, origin);
        const work = async (request: RequestContext) =>
          (await loadAnswer()).answer(request, text, asked);
        await serve("messages", toTask(speaker, outlet, origin), work);
      }
      await outlet.end();
    },
    async press(speaker, press, emit, origin) {
      const outlet = openOutlet(emit, current().redact, withPlainLinks(current()));
      let next: FollowUp | undefined;
      const act = async (request: RequestContext) => {
        next = await (await loadAnswer()).answerPress(request, press);
      };
      const task = toTask(speaker, outlet, origin);
      await serve("presses", task, act);
      if (next && !task.isCutOff) await serve("messages", task, next);
      await outlet.end();
    },
    workState(workId) {
      if (running.has(workId)) return { state: "running" };
      const outcomes = endedOf(current(), workId);
      return outcomes.length === 0 ? { state: "unknown" } : { state: "ended", outcomes };
    },
    cancel: lines.cancel,
    close: lines.close,
  };
}

/** What a message or a press asks for, until it is worked off. */
interface Task extends Pick<RequestContext, "speaker" | "workId" | "isKept"> {
  readonly outlet: Outlet;
  isCutOff: boolean;
}

function toTask(speaker: Speaker, outlet: Outlet, origin: Origin | Asked | undefined): Task {
  const place = { speaker, outlet, isCutOff: false };
  if (origin && "messageId" in origin) return { ...place, isKept: true, workId: origin.messageId };
  return { ...place, isKept: false, workId: origin?.workId ?? newId("work") };
}

/** What planners and pages wrote is looked through for links; an answer was while it streamed. */
function withPlainLinks({ security }: AgentDeps, asked = "") {
  return async (event: AgentEvent) => {
    if (event.kind === "content" || event.kind === "done") return event;
    const { filterEvent } = await import("./filter-event.ts");
    return filterEvent(event, security, asked);
  };
}

/** Loaded with the first message: a start that waits for one is faster without. */
function loadAnswer() {
  return import("./answer.ts");
}

/** Whether a message must not wait for the work that it is to end. */
function isCancel(text: string): boolean {
  return /^\s*\/cancel(?!\S)/iu.test(text);
}

/** The question that waited when a message came in: a yes is meant for no later one. */
function askedBefore(
  { approvals, clock }: AgentDeps,
  { sessionId }: Speaker,
  origin: Origin | Asked | undefined,
): string | undefined {
  const waiting = approvals.waiting(sessionId, clock.now());
  const receivedAt = origin && "receivedAt" in origin ? origin.receivedAt : undefined;
  const isLater = receivedAt !== undefined && waiting && waiting.createdAt >= receivedAt;
  return isLater ? undefined : waiting?.approvalId;
}

async function tellFailure({ deps, emit }: RequestContext, error: unknown): Promise<void> {
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
