import type { Conversation, Emit, Press, Speaker } from "../channels/channel.ts";
import { AppError, toAppError } from "../core/app-error.ts";
import { decideIntent } from "../protocol/intent.ts";
import { judgePress } from "./approval.ts";
import { chat } from "./chat.ts";
import { runSlashCommand, toCommand } from "./commands.ts";
import type { AgentDeps } from "./deps.ts";
import {
  applyPlan,
  approveChanges,
  emitOutcome,
  proposePlan,
  selectedWorkspace,
  undoKey,
} from "./flows.ts";

/** Most messages that may wait in one session; more are refused with a word. */
const MAX_QUEUED = 20;

/** Work in progress: what waits its turn per session, and what can be cancelled. */
interface Activity {
  readonly queues: Map<string, { tail: Promise<void>; length: number }>;
  readonly running: Map<string, Set<AbortController>>;
}

/**
 * The agent as channels see it. Messages of one session are worked on one after another,
 * sessions side by side; buttons do not queue; every call ends with one `done`.
 */
export function createConversation(deps: AgentDeps): Conversation {
  const activity: Activity = { queues: new Map(), running: new Map() };
  return {
    message: (speaker, text, emit) =>
      enqueue(activity, speaker.sessionId, emit, () =>
        runWork(activity, speaker, emit, (signal) => answer(deps, speaker, text, emit, signal)),
      ),
    press: (speaker, press, emit) =>
      runWork(activity, speaker, emit, (signal) => actOn(deps, speaker, press, emit, signal)),
    cancel(sessionId) {
      const controllers = activity.running.get(sessionId);
      const reason = new AppError("ERR_CANCELLED", "Cancelled");
      for (const controller of controllers ?? []) controller.abort(reason);
      return controllers !== undefined && controllers.size > 0;
    },
  };
}

async function answer(
  deps: AgentDeps,
  speaker: Speaker,
  text: string,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const command = toCommand(text);
  if (command !== undefined) return runSlashCommand(deps, speaker, command, emit, signal);
  const { planId } = deps.sessions.state(speaker.sessionId);
  const waiting = deps.approvals.waiting(speaker.sessionId);
  const intent = decideIntent(text, { hasPlan: planId !== undefined || waiting !== undefined });
  switch (intent.kind) {
    case "plan":
      return void (await proposePlan(deps, speaker, intent.goal, emit, signal));
    case "apply": {
      const made = await proposePlan(deps, speaker, intent.goal, emit, signal);
      return made === undefined ? undefined : applyPlan(deps, speaker, made, emit, signal);
    }
    case "apply_stored":
      // A "yes" while a diff waits for an answer is the answer, not a new request.
      if (waiting) return approve(deps, speaker, waiting.approvalId, emit, signal);
      return planId === undefined ? undefined : applyPlan(deps, speaker, planId, emit, signal);
    case "chat":
      return chat(deps, speaker, text, emit, signal);
    default:
      return intent.kind satisfies never;
  }
}

async function actOn(
  deps: AgentDeps,
  speaker: Speaker,
  press: Press,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  switch (press.act) {
    case "apply":
      assertOwnPlan(deps, speaker, press.ref);
      return applyPlan(deps, speaker, press.ref, emit, signal);
    case "drop":
      assertOwnPlan(deps, speaker, press.ref);
      deps.sessions.update(speaker.sessionId, speaker.userId, { planId: null }, deps.clock.now());
      return emit({ kind: "content", text: "Plan dropped." });
    case "approve":
      return approve(deps, speaker, press.ref, emit, signal);
    case "reject":
      return reject(deps, speaker, press.ref, emit);
    case "undo":
      return undoTransaction(deps, speaker, press.ref, emit, signal);
    default:
      press.act satisfies never;
  }
}

/** A plan's buttons work for the person who asked, until a newer plan or a drop. */
function assertOwnPlan(deps: AgentDeps, speaker: Speaker, planId: string): void {
  const state = deps.sessions.state(speaker.sessionId);
  if (state.planId !== planId) {
    throw new AppError(
      "APPROVAL_INVALID",
      "This plan was applied, dropped or replaced; make a new one",
    );
  }
  if (state.userId !== speaker.userId) {
    throw new AppError(
      "APPROVAL_INVALID",
      "Only the person who asked for this plan can press this",
    );
  }
}

async function approve(
  deps: AgentDeps,
  speaker: Speaker,
  approvalId: string,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const verdict = judgePress(deps.approvals.load(approvalId), speaker, deps.clock.now());
  if (!verdict.ok) throw new AppError("APPROVAL_INVALID", verdict.message);
  if (!deps.approvals.settle(approvalId, "approved")) {
    throw new AppError("APPROVAL_INVALID", "This change set was answered a moment ago");
  }
  await approveChanges(deps, speaker, verdict.approval, emit, signal);
}

async function reject(
  deps: AgentDeps,
  speaker: Speaker,
  approvalId: string,
  emit: Emit,
): Promise<void> {
  const verdict = judgePress(deps.approvals.load(approvalId), speaker, deps.clock.now());
  if (!verdict.ok) throw new AppError("APPROVAL_INVALID", verdict.message);
  deps.approvals.settle(approvalId, "rejected");
  await emit({ kind: "content", text: "Rejected. Nothing was changed." });
}

/** Undoes `txId` only while it is the newest change of its workspace. */
async function undoTransaction(
  deps: AgentDeps,
  speaker: Speaker,
  txId: string,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const owner = deps.settings.get(undoKey(txId));
  if (owner !== undefined && owner !== speaker.userId) {
    throw new AppError("APPROVAL_INVALID", "Only the person who applied this can press this");
  }
  const workspace = deps.workspaces.withTransaction(txId) ?? selectedWorkspace(deps, speaker);
  if (deps.workspaces.newestTransaction(workspace) !== txId) {
    const message = "This is not the newest change any more; /history shows what can be undone";
    throw new AppError("UNDO_NOTHING", message);
  }
  await emitOutcome(emit, await deps.operations.undo(workspace, signal));
}

async function runWork(
  activity: Activity,
  speaker: Speaker,
  emit: Emit,
  work: (signal: AbortSignal) => Promise<void> | void,
): Promise<void> {
  const controller = new AbortController();
  const controllers = activity.running.get(speaker.sessionId) ?? new Set();
  activity.running.set(speaker.sessionId, controllers.add(controller));
  try {
    await work(controller.signal);
  } catch (error) {
    const { code, message } = toAppError(error);
    await emit({ kind: "error", code, message });
  } finally {
    controllers.delete(controller);
    if (controllers.size === 0) activity.running.delete(speaker.sessionId);
    await emit({ kind: "done" });
  }
}

async function enqueue(
  activity: Activity,
  sessionId: string,
  emit: Emit,
  work: () => Promise<void>,
): Promise<void> {
  const queue = activity.queues.get(sessionId) ?? { tail: Promise.resolve(), length: 0 };
  if (queue.length >= MAX_QUEUED) {
    const message = `${queue.length} messages wait already; let them finish or send /cancel`;
    await emit({ kind: "error", code: "too_large", message });
    return emit({ kind: "done" });
  }
  if (queue.length > 0) await emit({ kind: "progress", text: "Queued behind the running work." });
  queue.length += 1;
  queue.tail = queue.tail.then(work).finally(() => {
    queue.length -= 1;
    if (queue.length === 0) activity.queues.delete(sessionId);
  });
  activity.queues.set(sessionId, queue);
  return queue.tail;
}
