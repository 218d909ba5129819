import type { ApplyOptions, ApplyOutcome } from "../../planner/operations.ts";
import type { ValueOf } from "../../store/settings/settings.ts";
import { Refusal } from "../../texts/texts.ts";
import type { AgentCore, PlanDeps, RequestContext } from "../deps.ts";
import { setPlan } from "../session/session.ts";
import { applyPlan, attemptApply, finishApply } from "./apply-flow.ts";
import { askApproval } from "./ask-approval.ts";
import { type SessionPlan, showPlan } from "./show-plan.ts";

/**
 * A plan that nobody in the chat asked for. It becomes the chat's own, unless something waits for
 * an answer there: then it is kept next to that, with buttons of its own, and replaces nothing.
 */

/** Shows such a plan. */
export async function offerPlan(
  request: RequestContext,
  core: AgentCore,
  plan: SessionPlan,
): Promise<void> {
  if (!isFree(request, core)) return showSidePlan(request, core, plan, false);
  setPlan(request, core, plan.planId);
  await showPlan(request, core, plan);
}

/** Applies such a plan as far as the autonomy level goes, and asks for the rest. */
export async function applyOffered(
  request: RequestContext,
  deps: PlanDeps,
  plan: SessionPlan,
  { mustAsk = false }: Pick<ApplyOptions, "mustAsk">,
): Promise<ApplyOutcome> {
  const { core } = deps;
  const outcome = await attemptApply(request, deps, plan.planId, { mustAsk, isRoutine: true });
  if (!outcome.preview) await finishApply(request, core, plan.planId, outcome);
  else if (isFree(request, core)) {
    setPlan(request, core, plan.planId);
    await askApproval(request, deps, outcome.preview);
  } else await showSidePlan(request, core, plan, mustAsk !== false);
  return outcome;
}

function isFree({ speaker }: RequestContext, { sessions, approvals, clock }: AgentCore): boolean {
  const { sessionId } = speaker;
  if (sessions.state(sessionId).planId !== undefined) return false;
  return approvals.waiting(sessionId, clock.now()) === undefined;
}

async function showSidePlan(
  { speaker, texts, emit }: RequestContext,
  { settings }: AgentCore,
  { planId: ref, workspace, summary }: SessionPlan,
  mustAsk: boolean,
): Promise<void> {
  const { sessionId, userId } = speaker;
  settings.of("side_plan.").set(ref, { sessionId, userId, mustAsk });
  const { plan, routines, buttons } = texts;
  const text = `${plan.head(workspace)}\n\n${summary}\n\n${routines.sidePlan(ref)}`;
  const options = [
    { label: buttons.apply, press: { act: "apply", ref } as const },
    { label: buttons.drop, press: { act: "drop", ref } as const },
  ];
  await emit({ kind: "choice", text, options });
}

/** Whether a plan is kept next to the question that waits in the session, for the person who presses. */
export function isSidePlan(request: RequestContext, core: AgentCore, planId: string): boolean {
  return loadSidePlan(request, core, planId) !== undefined;
}

/** [Apply] of such a plan: its change set is shown as soon as no other question waits. */
export async function applySidePlan(
  request: RequestContext,
  deps: PlanDeps,
  planId: string,
): Promise<void> {
  const { core } = deps;
  const { speaker } = request;
  const waiting = core.approvals.waiting(speaker.sessionId, core.clock.now());
  const isOwn = waiting?.kind === "change_set" && waiting.planId === planId;
  if (waiting && !isOwn) {
    throw new Refusal("APPROVAL_INVALID", ({ answerFirst }) => answerFirst);
  }
  const mustAsk = loadSidePlan(request, core, planId)?.mustAsk ?? true;
  const { ok, preview } = await applyPlan(request, deps, planId, { mustAsk });
  if (ok && !preview) forgetSidePlan(core, planId);
}

/** After this its buttons are out of date. */
export function forgetSidePlan({ settings }: AgentCore, planId: string): void {
  settings.of("side_plan.").remove(planId);
}

function loadSidePlan(
  { speaker }: RequestContext,
  { settings }: AgentCore,
  planId: string,
): SidePlan | undefined {
  const sidePlan = settings.of("side_plan.").get(planId);
  const isOwn = sidePlan?.sessionId === speaker.sessionId && sidePlan.userId === speaker.userId;
  return isOwn ? sidePlan : undefined;
}

type SidePlan = ValueOf<"side_plan.">;
