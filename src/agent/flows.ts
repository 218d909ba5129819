import { AppError } from "../core/app-error.ts";
import { newId } from "../core/ids.ts";
import type { ApplyOutcome } from "../planner/operations.ts";
import type { PreviewView } from "../transaction/views.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Exchange } from "./deps.ts";

/** The workspace a session works in. */
export function selectedWorkspace({ deps, speaker }: Exchange): Workspace {
  return deps.workspaces.get(deps.sessions.state(speaker.sessionId).workspace);
}

/** Makes `planId` the session's plan, or none; a question about an older one is out of date. */
export function setPlan({ deps, speaker }: Exchange, planId: string | null): void {
  deps.sessions.update(speaker.sessionId, speaker.userId, { planId }, deps.clock.now());
  deps.approvals.replace(speaker.sessionId);
}

/** The session's plan; throws ERR_PLAN_UNKNOWN when there is none. */
export function storedPlan({ deps, speaker }: Exchange): string {
  const { planId } = deps.sessions.state(speaker.sessionId);
  if (planId !== undefined) return planId;
  throw new AppError("ERR_PLAN_UNKNOWN", "No plan is stored here; make one with /plan GOAL");
}

/** Plans and shows the plan. */
export async function proposePlan(exchange: Exchange, goal: string): Promise<void> {
  const plan = await makePlan(exchange, goal);
  if (plan) await exchange.emit({ kind: "plan", ...plan });
}

/** Plans and goes on to the change set at once; undefined when nothing has to change. */
export async function applyGoal(
  exchange: Exchange,
  goal: string,
): Promise<ApplyOutcome | undefined> {
  const plan = await makePlan(exchange, goal);
  return plan && applyPlan(exchange, plan.planId);
}

interface Plan {
  readonly planId: string;
  readonly workspace: string;
  readonly summary: string;
}

async function makePlan(exchange: Exchange, goal: string): Promise<Plan | undefined> {
  const { deps, emit, signal } = exchange;
  const workspace = selectedWorkspace(exchange);
  const plan = await deps.operations.plan(workspace, goal, signal);
  if (!plan.ok) throw new AppError(plan.code, plan.message);
  const { planId, summary } = plan;
  if (summary.startsWith(NO_CHANGES)) {
    await emit({ kind: "content", text: summary.slice(NO_CHANGES.length).trim() });
    return undefined;
  }
  setPlan(exchange, planId);
  return { planId, workspace: workspace.name, summary };
}

const NO_CHANGES = "NO_CHANGES:";

/** Turns a plan into its change set and asks for approval, or applies it under full autonomy. */
export async function applyPlan(exchange: Exchange, planId: string): Promise<ApplyOutcome> {
  const outcome = await apply(exchange, planId);
  if (outcome.preview) await askApproval(exchange, outcome.preview);
  else await finish(exchange, planId, outcome);
  return outcome;
}

/** Applies the change set `approved`, to which a person said yes. */
export async function applyApproved(
  exchange: Exchange,
  planId: string,
  approved: string,
): Promise<void> {
  await finish(exchange, planId, await apply(exchange, planId, approved));
}

function apply(exchange: Exchange, planId: string, approved?: string): Promise<ApplyOutcome> {
  const { deps, emit, signal } = exchange;
  return deps.operations.apply(planId, {
    signal,
    onProgress: (text) => void emit({ kind: "progress", text }),
    ...(approved !== undefined && { approved }),
  });
}

/** Stores the question and shows it; the answer comes as a press or a "yes". */
export async function askApproval(exchange: Exchange, preview: PreviewView): Promise<void> {
  const { deps, speaker, emit } = exchange;
  const { planId, changeSetId } = preview;
  const now = deps.clock.now();
  const waiting = deps.approvals.waiting(speaker.sessionId, now);
  // Asked again, after a crash or a second press: the buttons already shown must stay good.
  const isSame =
    waiting?.userId === speaker.userId &&
    waiting.planId === planId &&
    waiting.changeSetId === changeSetId;
  const approvalId = isSame ? waiting.approvalId : newId("ap");
  if (!isSame) {
    const expiresAt = now + deps.approvalTimeoutMs;
    deps.approvals.ask({ approvalId, ...speaker, planId, changeSetId, createdAt: now, expiresAt });
  }
  await emit({ kind: "approval", approvalId, preview });
}

/** Where it is kept who may undo a transaction by the button below it. */
export function undoKey(txId: string): string {
  return `undo.${txId}`;
}

/** Shows how an apply ended; a plan that is done is no longer the session's. */
async function finish(exchange: Exchange, planId: string, outcome: ApplyOutcome): Promise<void> {
  const { deps, speaker, emit } = exchange;
  const { ok, status, txId } = outcome;
  if (status === "committed" && txId) deps.settings.set(undoKey(txId), speaker.userId);
  if (ok && deps.sessions.state(speaker.sessionId).planId === planId) setPlan(exchange, null);
  await emit({ kind: "outcome", outcome });
}
