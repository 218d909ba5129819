import type { ApplyOptions, ApplyOutcome } from "../../planner/operations.ts";
import type { ValueOf } from "../../store/settings/settings.ts";
import type { RequestContext } from "../deps.ts";
import { refusal } from "../refusal.ts";
import { setPlan } from "../session/session.ts";
import { applyPlan, askApproval, attemptApply, finishApply } from "./apply-flow.ts";
import type { SessionPlan } from "./plan-goal.ts";

/**
 * A plan that nobody in the chat asked for. It becomes the chat's own, unless something waits for
 * an answer there: then it stands beside that, with buttons of its own, and replaces nothing.
 */

/** Shows such a plan. */
export async function offerPlan(request: RequestContext, plan: SessionPlan): Promise<void> {
  if (!isFree(request)) return showBeside(request, plan, false);
  setPlan(request, plan.planId);
  await request.emit({ kind: "plan", ...plan });
}

/** Applies such a plan as far as the autonomy level goes, and asks for the rest. */
export async function applyOffered(
  request: RequestContext,
  plan: SessionPlan,
  { mustAsk = false }: Pick<ApplyOptions, "mustAsk">,
): Promise<ApplyOutcome> {
  const outcome = await attemptApply(request, plan.planId, { mustAsk });
  if (!outcome.preview) await finishApply(request, plan.planId, outcome);
  else if (isFree(request)) {
    setPlan(request, plan.planId);
    await askApproval(request, outcome.preview);
  } else await showBeside(request, plan, mustAsk !== false);
  return outcome;
}

function isFree({ deps, speaker }: RequestContext): boolean {
  const { sessionId } = speaker;
  if (deps.sessions.state(sessionId).planId !== undefined) return false;
  return deps.approvals.waiting(sessionId, deps.clock.now()) === undefined;
}

async function showBeside(
  { deps, speaker, emit }: RequestContext,
  { planId: ref, workspace, summary }: SessionPlan,
  mustAsk: boolean,
): Promise<void> {
  const { sessionId, userId } = speaker;
  deps.settings.of("beside.").set(ref, { sessionId, userId, mustAsk });
  const { plan, routines, buttons } = deps.texts;
  const text = `${plan.head(workspace)}\n\n${summary}\n\n${routines.beside(ref)}`;
  const options = [
    { label: buttons.apply, press: { act: "apply", ref } as const },
    { label: buttons.drop, press: { act: "drop", ref } as const },
  ];
  await emit({ kind: "choice", text, options });
}

/** Whether a plan stands beside what waits in the session, for the person who presses. */
export function isBeside(request: RequestContext, planId: string): boolean {
  return loadBeside(request, planId) !== undefined;
}

/** [Apply] of such a plan: its change set is shown as soon as no other question waits. */
export async function applyBeside(request: RequestContext, planId: string): Promise<void> {
  const { deps, speaker } = request;
  const waiting = deps.approvals.waiting(speaker.sessionId, deps.clock.now());
  const isOwn = waiting?.kind === "change_set" && waiting.planId === planId;
  if (waiting && !isOwn) {
    throw refusal("APPROVAL_INVALID", deps.texts, ({ answerFirst }) => answerFirst);
  }
  const mustAsk = loadBeside(request, planId)?.mustAsk ?? true;
  const { ok, preview } = await applyPlan(request, planId, { mustAsk });
  if (ok && !preview) forgetBeside(request, planId);
}

/** After this its buttons are out of date. */
export function forgetBeside({ deps }: RequestContext, planId: string): void {
  deps.settings.of("beside.").remove(planId);
}

function loadBeside({ deps, speaker }: RequestContext, planId: string): Beside | undefined {
  const beside = deps.settings.of("beside.").get(planId);
  const isOwn = beside?.sessionId === speaker.sessionId && beside.userId === speaker.userId;
  return isOwn ? beside : undefined;
}

type Beside = ValueOf<"beside.">;
