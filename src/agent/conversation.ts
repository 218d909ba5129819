import type {
  AgentEvent,
  Asked,
  Conversation,
  Emit,
  Origin,
  Press,
  Speaker,
} from "../channels/channel.ts";
import { saidOf } from "../channels/error-text.ts";
import { readerIn } from "../channels/failure-lines.ts";
import { type AppError, toAppError } from "../core/app-error.ts";
import { instantOf, newId } from "../core/ids.ts";
import { isInterrupted } from "../core/interruption.ts";
import type { Texts } from "../texts/texts.ts";
import { Refusal } from "../texts/texts.ts";
import type { OutcomeView } from "../transaction/views.ts";
import type { Agent, AgentCore, AskedBefore, FollowUp, RequestContext, Showing } from "./deps.ts";
import { endInterrupted, noteAsked, noteQuestion, workStateOf } from "./interrupted/interrupted.ts";
import {
  createSessionQueue,
  type EventSink,
  isOfTerminal,
  openEventSink,
  openShowing,
  type Said,
  type SessionQueue,
  type WorkKind,
} from "./session/session.ts";

/**
 * The agent as channels see it. Messages of one session are worked on one after another,
 * sessions concurrently; buttons and /cancel overtake, and only those wait for each other that
 * begin something; every call ends with one `done`. Where
 * `given` is a function, work uses until its end what that returns at its start.
 */
export function createConversation(
  given: Agent | (() => Agent),
): Conversation & Pick<SessionQueue, "close"> {
  const current = typeof given === "function" ? given : () => given;
  const queue = createSessionQueue();
  const running = new Set<string>();

  /** Presses in progress, so that one that is made twice takes effect once. */
  const pressed = new Set<string>();

  function begin({ work: { id } }: Task): Disposable {
    running.add(id);
    return { [Symbol.dispose]: () => void running.delete(id) };
  }

  /** Tells at once whom a press is not for; undefined: it does not count. */
  async function claim(
    { speaker, work, sink: { emit } }: Task,
    press: Press,
    origin: Origin | Asked | undefined,
  ): Promise<({ readonly kind: WorkKind } & Disposable) | undefined> {
    const agent = current();
    const { core, texts } = agent;
    const { signal } = new AbortController();
    const request = { speaker, work, emit, texts, signal, hasApprover: true };
    try {
      noteAsked(core, { speaker, origin });
      const { admitPress } = await loadAnswer();
      if (!(await admitPress(request, agent, press))) {
        return { kind: "alone", [Symbol.dispose]: () => {} };
      }
      const name = `${press.act} ${press.ref}`;
      if (pressed.has(name)) {
        throw new Refusal("APPROVAL_INVALID", ({ answered }) => answered);
      }
      pressed.add(name);
      return { kind: "presses", [Symbol.dispose]: () => void pressed.delete(name) };
    } catch (error) {
      await tellFailure(request, core, error);
      return undefined;
    }
  }

  async function serve(kind: WorkKind, task: Task, run: FollowUp): Promise<void> {
    const { speaker, work, sink, showing, ending } = task;
    const { emit } = sink;
    const toWork = async (signal: AbortSignal) => {
      const reported: OutcomeView[] = [];
      const agent = current();
      const { core, texts } = agent;
      const tell = async (event: AgentEvent) => {
        if (isInterrupted(signal)) return; // interrupted work has no outcome to report
        if (event.kind === "outcome") reported.push(event.outcome);
        noteQuestion(core, task, event);
        await emit(event);
      };
      const own = { speaker, work, emit: tell, showing, signal };
      const request = { ...own, texts, hasApprover: true };
      if (!isInterrupted(signal)) {
        const paid = agent.charge(speaker.sessionId, async () => {
          if (ending?.aborted) signal.throwIfAborted(); // it was over while it waited
          await run(request, agent);
        });
        await paid.catch((error: unknown) => tellFailure(request, core, error));
      }
      if (!isInterrupted(signal)) return;
      task.isCutOff = true;
      await emit(toErrorEvent(await endInterrupted({ ...request, emit }, core, reported), texts));
    };
    const place = queue.join(speaker.sessionId, kind, toWork, ending);
    if (!place) {
      const { texts } = current();
      return emit(toErrorEvent(new Refusal("too_large", ({ tooMany }) => tooMany), texts));
    }
    if (place.ahead > 0) await emit({ kind: "progress", text: current().texts.agent.queued });
    await place.done;
  }

  return {
    async message(speaker, said, emit, origin) {
      const { core, texts } = current();
      const captioned = typeof said === "string" ? { words: said, attached: "" } : said;
      const { words } = captioned;
      const place = toPlaceOf(speaker, origin);
      const showing = openShowing(core, place, () => current().texts, toSaid(words, origin));
      const toShown = toShownTo(current(), speaker, words);
      const sink = openEventSink(seenBy(showing, emit), core.redact, toShown);
      if (isCancel(words)) {
        showing.inTurn(true); // it is no part of what is said
        const cancelled = queue.cancel(speaker.sessionId);
        const { cancelling, nothingRuns } = texts.agent;
        await sink.emit({ kind: "content", text: cancelled ? cancelling : nothingRuns });
      } else {
        const asked = askedBefore(core, speaker, origin);
        const work: FollowUp = async (request, agent) => {
          noteAsked(agent.core, { speaker, origin });
          return (await loadAnswer()).answer(request, agent, captioned, asked);
        };
        const task = toTask(speaker, sink, showing, origin);
        using _running = begin(task);
        await serve("messages", task, work);
      }
      await sink.end();
    },
    async press(speaker, press, emit, origin) {
      const { core } = current();
      const place = toPlaceOf(speaker, origin);
      const said = toSaid(press.said, origin);
      const showing = openShowing(core, place, () => current().texts, said);
      const toShown = toShownTo(current(), speaker);
      const sink = openEventSink(seenBy(showing, emit), core.redact, toShown);
      let next: FollowUp | undefined;
      const act: FollowUp = async (request, agent) => {
        next = await (await loadAnswer()).answerPress(request, agent, press);
      };
      const task = toTask(speaker, sink, showing, origin);
      using _running = begin(task);
      using claimed = await claim(task, press, origin);
      if (claimed) await serve(claimed.kind, task, act);
      if (next && !task.isCutOff) await serve("messages", task, next);
      await sink.end();
    },
    workState: (workId) => workStateOf(current().core, workId, running.has(workId)),
    isBusy: queue.isBusy,
    cancel: queue.cancel,
    close: queue.close,
  };
}

/** What a message or a press asks for, until it is done. */
interface Task extends Pick<RequestContext, "speaker" | "work"> {
  readonly sink: EventSink;
  readonly showing: Showing;
  readonly origin: Origin | Asked | undefined;
  /** Of this task alone. */
  readonly ending?: AbortSignal;
  isCutOff: boolean;
}

/** What the API says and asks in a conversation of a terminal no terminal shows; the phone is told. */
function toPlaceOf({ sessionId }: Speaker, origin: Origin | Asked | undefined) {
  const isOfApi = origin !== undefined && "workId" in origin;
  return { sessionId, isElsewhere: isOfApi && isOfTerminal(sessionId) };
}

/** Words are kept once, however often they are brought. */
function toSaid(text: string | undefined, origin: Origin | Asked | undefined): Said | undefined {
  if (text === undefined) return undefined;
  if (!origin) return { text };
  return { text, ref: "workId" in origin ? origin.workId : origin.messageId };
}

/** What a channel gets is what a person can come back to. */
function seenBy(showing: Showing, emit: Emit): Emit {
  return async (event) => {
    await showing.see(event);
    await emit(event);
  };
}

function toTask(
  speaker: Speaker,
  sink: EventSink,
  showing: Showing,
  origin: Origin | Asked | undefined,
): Task {
  const place = { speaker, sink, showing, origin, isCutOff: false };
  if (!origin) return { ...place, work: { id: newId("work"), isKept: false, isFirst: true } };
  if ("workId" in origin)
    return { ...place, work: { id: origin.workId, isKept: false, isFirst: false } };
  const { messageId: id, isFirst = false, ending } = origin;
  return { ...place, ...(ending && { ending }), work: { id, isKept: true, isFirst } };
}

/**
 * What planners and pages wrote is looked through for links, as an answer was while it streamed; whoever is
 * not the owner hears of no place on the machine, and a group of none that only the owner may know.
 */
function toShownTo({ core, commands }: Agent, { sessionId, userId }: Speaker, asked = "") {
  const isOwner = commands.daemon?.isOwner(userId) ?? true;
  return async (event: AgentEvent) => {
    if (event.kind === "content" || event.kind === "done") return event;
    const { filterEvent, hidePlaces } = await import("./filter-event.ts");
    const filtered = filterEvent(event, core.security, asked);
    return readerIn(sessionId, isOwner) === "owner" ? filtered : hidePlaces(filtered);
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

/** What waited for a yes when a message came in: it never answers a later question or plan. */
function askedBefore(
  { approvals, sessions, clock }: AgentCore,
  { sessionId }: Speaker,
  origin: Origin | Asked | undefined,
): AskedBefore {
  const waiting = approvals.waiting(sessionId, clock.now());
  const { planId } = sessions.state(sessionId);
  const receivedAt = origin && "receivedAt" in origin ? origin.receivedAt : Infinity;
  return {
    approvalId: waiting && waiting.createdAt < receivedAt ? waiting.approvalId : undefined,
    planId: planId !== undefined && instantOf(planId) < receivedAt ? planId : undefined,
    ...(origin && "saw" in origin && { saw: origin.saw }),
  };
}

async function tellFailure(
  { emit, texts }: RequestContext,
  { log }: AgentCore,
  error: unknown,
): Promise<void> {
  const failure = toAppError(error);
  const { code, message, cause } = failure;
  if (code === "ERR_INTERNAL" && cause instanceof Error) {
    log("INTERNAL_ERROR", { message, stack: cause.stack });
  }
  await emit(toErrorEvent(failure, texts));
}

function toErrorEvent(failure: AppError, texts: Texts): AgentEvent {
  const { code, message } = failure;
  const said = saidOf(failure, texts);
  return { kind: "error", code, message, ...(said !== undefined && { said }) };
}
