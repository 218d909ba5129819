import { AppError } from "../../core/app-error.ts";
import type { PlanOutcome } from "../../planner/plan.ts";
import { joinFailures } from "../../research/join-failures.ts";
import type { StoredResearch } from "../../store/online/online.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AgentCore, PlanDeps, RequestContext } from "../deps.ts";
import {
  recordedIntent,
  recordIntent,
  selectedWorkspace,
  setPlan,
  setResearch,
} from "../session/session.ts";

/** A plan that the session may apply. */
export interface SessionPlan {
  readonly planId: string;
  readonly workspace: string;
  readonly summary: string;
}

/** Why there is none: nothing has to change, or findings from the web wait to be used. */
export type NoPlan = "no_changes" | "research";

/** Makes a plan the session's, or says why there is none; any other failure is thrown. */
export async function planGoal(
  request: RequestContext,
  deps: PlanDeps,
  goal: string,
): Promise<SessionPlan | NoPlan> {
  const { core } = deps;
  const { signal, speaker } = request;
  const workspace = selectedWorkspace(request, core);
  const { userId } = speaker;
  const plan = await deps.operations.plan(workspace, goal, { signal, userId });
  if (plan.autoUsed) await showResearch(request, core, workspace, plan.autoUsed, true);
  if (plan.ok || plan.onlineSuggested === undefined)
    return takePlan(request, core, workspace, plan);
  await offerResearch(request, deps, workspace, goal, { ...plan, query: plan.onlineSuggested });
  return "research";
}

/** Plans the goal of a research again, with what was found, and shows the plan. */
export async function planWithResearch(
  request: RequestContext,
  { core, operations }: PlanDeps,
  researchId: string,
): Promise<void> {
  const { emit, speaker, signal } = request;
  const begun = recordedIntent(request, core);
  const ref = begun ?? researchId;
  recordIntent(request, core, ref);
  const isAgain = begun !== undefined;
  const planned = await operations.planWithResearch(ref, speaker.userId, signal, isAgain);
  const plan = await takePlan(request, core, planned.workspace, planned.plan);
  if (typeof plan === "object") await emit({ kind: "plan", ...plan });
}

/** Makes a plan the session's; a failed one is thrown. */
export async function takePlan(
  request: RequestContext,
  core: AgentCore,
  workspace: Workspace,
  plan: PlanOutcome,
): Promise<SessionPlan | "no_changes"> {
  if (!plan.ok) throw new AppError(plan.code, plan.message);
  const { planId, summary } = plan;
  const nothing = whyNothing(summary);
  if (nothing !== undefined) {
    await request.emit({ kind: "content", text: nothing });
    return "no_changes";
  }
  setPlan(request, core, planId);
  return { planId, workspace: workspace.name, summary };
}

/** Why nothing has to change, of a plan that says so. */
export function whyNothing(summary: string): string | undefined {
  return summary.startsWith(NO_CHANGES) ? summary.slice(NO_CHANGES.length).trim() : undefined;
}

const NO_CHANGES = "NO_CHANGES:";

/** Looks on the web for what the plan failed for; a person decides whether it is used. */
async function offerResearch(
  request: RequestContext,
  { core, operations }: PlanDeps,
  workspace: Workspace,
  goal: string,
  failed: Extract<PlanOutcome, { ok: false }> & { readonly query: string },
): Promise<void> {
  const { emit, signal, speaker } = request;
  const { agent: texts, failure } = request.texts;
  await emit({ kind: "progress", text: texts.lookingOnWeb(failed.code) });
  const wanted = { workspace, goal, query: failed.query, userId: speaker.userId };
  const researched = await operations.research(wanted, signal);
  if (!researched.ok) {
    const { code, message } = joinFailures(failed, researched);
    throw new AppError(code, message);
  }
  const reason = failure(failed.code) || failed.message;
  await emit({ kind: "content", text: `${texts.noPlanYet(reason)}\n` });
  await showResearch(request, core, workspace, researched.found, false);
}

async function showResearch(
  request: RequestContext,
  core: AgentCore,
  workspace: Workspace,
  { researchId, query, findings }: StoredResearch,
  autoUsed: boolean,
): Promise<void> {
  const { answerMd, sources, notes } = findings;
  setResearch(request, core, researchId);
  const text = { query, answerMd, ...(notes !== undefined && { notes }), sources };
  const shown = { researchId, workspace: workspace.name, ...text, autoUsed };
  await request.emit({ kind: "research", ...shown });
}
