import type { Emit, Speaker } from "../channels/channel.ts";
import { AppError } from "../core/app-error.ts";
import { newId } from "../core/ids.ts";
import type { ApplyOutcome } from "../planner/operations.ts";
import type { Approval } from "../store/approvals.ts";
import type { OutcomeView, PreviewView } from "../transaction/views.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AgentDeps } from "./deps.ts";

/** The workspace a session works in. */
export function selectedWorkspace(deps: AgentDeps, speaker: Speaker): Workspace {
  return deps.workspaces.get(deps.sessions.state(speaker.sessionId).workspace);
}

/** Plans and shows the plan; its id unless nothing has to change. */
export async function proposePlan(
  deps: AgentDeps,
  speaker: Speaker,
  goal: string,
  emit: Emit,
  signal: AbortSignal,
): Promise<string | undefined> {
  const workspace = selectedWorkspace(deps, speaker);
  const plan = await deps.operations.plan(workspace, goal, signal);
  if (!plan.ok) throw new AppError(plan.code, plan.message);
  if (plan.summary.startsWith("NO_CHANGES:")) {
    await emit({ kind: "content", text: plan.summary.slice("NO_CHANGES:".length).trim() });
    return undefined;
  }
  const { planId, summary } = plan;
  deps.sessions.update(speaker.sessionId, speaker.userId, { planId }, deps.clock.now());
  await emit({ kind: "plan", planId, workspace: workspace.name, summary });
  return planId;
}

/** Turns a plan into its change set and asks for approval, or applies it under full autonomy. */
export async function applyPlan(
  deps: AgentDeps,
  speaker: Speaker,
  planId: string,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await deps.operations.apply(planId, { signal, onProgress: progress(emit) });
  if (outcome.preview) return askApproval(deps, speaker, outcome.preview, emit);
  await finish(deps, speaker, outcome, emit);
}

/** Applies the change set a person said yes to. */
export async function approveChanges(
  deps: AgentDeps,
  speaker: Speaker,
  approval: Approval,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await deps.operations.apply(approval.planId, {
    approved: approval.changeSetId,
    signal,
    onProgress: progress(emit),
  });
  await finish(deps, speaker, outcome, emit);
}

/** Stores the question and shows it; the answer comes as a press or a "yes". */
export async function askApproval(
  deps: AgentDeps,
  speaker: Speaker,
  preview: PreviewView,
  emit: Emit,
): Promise<void> {
  const { planId, changeSetId } = preview;
  const now = deps.clock.now();
  const waiting = deps.approvals.waiting(speaker.sessionId);
  if (waiting && isSameQuestion(waiting, speaker, preview, now)) {
    return emit({ kind: "approval", approvalId: waiting.approvalId, preview });
  }
  const approvalId = newId("ap");
  const expiresAt = now + deps.approvalTimeoutMs;
  deps.approvals.ask({ approvalId, ...speaker, planId, changeSetId, createdAt: now, expiresAt });
  await emit({ kind: "approval", approvalId, preview });
}

/** Asked again, after a crash or a second press: the buttons already shown must stay good. */
function isSameQuestion(
  waiting: Approval,
  speaker: Speaker,
  { planId, changeSetId }: PreviewView,
  now: number,
): boolean {
  return (
    waiting.userId === speaker.userId &&
    waiting.planId === planId &&
    waiting.changeSetId === changeSetId &&
    waiting.expiresAt > now
  );
}

/** Where it is kept who may undo a transaction by the button below it. */
export function undoKey(txId: string): string {
  return `undo.${txId}`;
}

/** Shows how a transaction ended. */
export async function emitOutcome(emit: Emit, outcome: OutcomeView): Promise<void> {
  await emit({ kind: "outcome", outcome });
}

async function finish(
  deps: AgentDeps,
  speaker: Speaker,
  outcome: ApplyOutcome,
  emit: Emit,
): Promise<void> {
  const { txId } = outcome;
  if (txId !== undefined) deps.settings.set(undoKey(txId), speaker.userId);
  if (outcome.ok) {
    deps.sessions.update(speaker.sessionId, speaker.userId, { planId: null }, deps.clock.now());
  }
  await emitOutcome(emit, outcome);
}

function progress(emit: Emit): (text: string) => void {
  return (text) => void emit({ kind: "progress", text });
}
