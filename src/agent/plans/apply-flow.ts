import { newId } from "../../core/ids.ts";
import type { ApplyOptions, ApplyOutcome } from "../../planner/operations.ts";
import { isRulesFile } from "../../security/rules-files.ts";
import type { OutcomeView, PreviewView } from "../../transaction/views.ts";
import type { RequestContext } from "../deps.ts";
import {
  findEnded,
  makeChange,
  noteTold,
  noteUntold,
  tellOutcome,
} from "../interrupted/interrupted.ts";
import { keepMeant, meantAtFirst, setPlan } from "../session/session.ts";
import { keepFailedCheck } from "./plan-again.ts";
import { type NoPlan, planGoal } from "./plan-goal.ts";

/** Plans and shows the plan. */
export async function proposePlan(request: RequestContext, goal: string): Promise<void> {
  const plan = await planGoal(request, goal);
  if (typeof plan === "object") await request.emit({ kind: "plan", ...plan });
}

/** Plans and goes on to the change set at once. */
export async function applyGoal(
  request: RequestContext,
  goal: string,
  options: Pick<ApplyOptions, "mustAsk"> = {},
): Promise<ApplyOutcome | NoPlan> {
  const plan = await planGoal(request, goal);
  return typeof plan === "object" ? applyPlan(request, plan.planId, options) : plan;
}

/** The same for a message; brought again after a crash it goes on with the plan that it had. */
export async function applyMessage(request: RequestContext, goal: string): Promise<void> {
  const meant = meantAtFirst(request);
  const mustAsk = unlessNamedIn(goal);
  if (meant !== undefined) return void (await applyPlan(request, meant, { mustAsk }));
  const plan = await planGoal(request, goal);
  if (typeof plan !== "object") return;
  keepMeant(request, plan.planId);
  await applyPlan(request, plan.planId, { mustAsk });
}

/** The folder that a plan is made from may ask for new rules: those a person has to have named. */
export function unlessNamedIn(words: string): (paths: readonly string[]) => boolean {
  const named = words.toLowerCase();
  const isNamed = (path: string) => named.includes(path.toLowerCase().split("/").at(-1) ?? path);
  return (paths) => paths.some((path) => isRulesFile(path) && !isNamed(path));
}

/** Turns a plan into its change set and asks for approval, or applies it under full autonomy. */
export async function applyPlan(
  request: RequestContext,
  planId: string,
  options: Pick<ApplyOptions, "mustAsk"> = {},
): Promise<ApplyOutcome> {
  const outcome = await attemptApply(request, planId, options);
  if (outcome.preview) await askApproval(request, outcome.preview);
  else await finishApply(request, planId, outcome);
  return outcome;
}

/** Applies the change set `approved`, to which a person said yes. */
export async function applyApproved(
  request: RequestContext,
  planId: string,
  approved: string,
): Promise<void> {
  await finishApply(request, planId, await attemptApply(request, planId, { approved }));
}

/** Applies a plan, as far as that may be done unasked; shows its progress only. */
export function attemptApply(
  request: RequestContext,
  planId: string,
  options: Pick<ApplyOptions, "approved" | "mustAsk">,
): Promise<ApplyOutcome> {
  const { deps, emit, signal, workId: work } = request;
  const onProgress = (check: string) =>
    void emit({ kind: "progress", text: deps.texts.agent.checking(check) });
  noteUntold(request);
  return makeChange(request, { planId }, () =>
    deps.operations.apply(planId, { signal, work, onProgress, ...options }),
  );
}

/** Stores the question and shows it; the answer comes as a press or a "yes". */
export async function askApproval(request: RequestContext, preview: PreviewView): Promise<void> {
  const { deps, speaker, emit } = request;
  const { planId, changeSetId } = preview;
  const now = deps.clock.now();
  const waiting = deps.approvals.waiting(speaker.sessionId, now);
  // Asked again, after a crash or a second press: the buttons already shown must stay good.
  const isSame =
    waiting?.kind === "change_set" &&
    waiting.userId === speaker.userId &&
    waiting.planId === planId &&
    waiting.changeSetId === changeSetId;
  const approvalId = isSame ? waiting.approvalId : newId("ap");
  if (!isSame) {
    const expiresAt = now + deps.approvalTimeoutMs;
    const subject = { kind: "change_set", planId, changeSetId } as const;
    deps.approvals.ask({ ...subject, approvalId, ...speaker, createdAt: now, expiresAt });
  }
  await emit({ kind: "approval", approvalId, preview });
  noteTold(request);
}

/** Shows how an apply ended; a plan that is done is no longer the session's. */
export async function finishApply(
  request: RequestContext,
  planId: string,
  outcome: OutcomeView,
): Promise<void> {
  const { deps, speaker } = request;
  const { ok, status, txId } = outcome;
  if (status === "committed" && txId) deps.settings.of("undo.").set(txId, speaker.userId);
  if (!ok && txId && outcome.check) keepFailedCheck(request, txId, planId);
  if (ok && deps.sessions.state(speaker.sessionId).planId === planId) setPlan(request, null);
  await tellOutcome(request, outcome);
}

/**
 * Tells how the change of a work ended that papa-yu did not live to tell of; false: there is none,
 * or it was cut off and put back, and the work goes on.
 */
export async function tellEnded(request: RequestContext): Promise<boolean> {
  const ended = findEnded(request.deps, request.workId);
  if (!ended) return false;
  const { planId, outcome } = ended;
  if (planId === undefined) await tellOutcome(request, outcome);
  else await finishApply(request, planId, outcome);
  return true;
}
