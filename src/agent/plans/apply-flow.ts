import { newId } from "../../core/ids.ts";
import type { ApplyOptions, ApplyOutcome } from "../../planner/operations.ts";
import { isRulesFile } from "../../security/rules-files.ts";
import type { OutcomeView, PreviewView } from "../../transaction/views.ts";
import type { Exchange } from "../deps.ts";
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
export async function proposePlan(exchange: Exchange, goal: string): Promise<void> {
  const plan = await planGoal(exchange, goal);
  if (typeof plan === "object") await exchange.emit({ kind: "plan", ...plan });
}

/** Plans and goes on to the change set at once. */
export async function applyGoal(
  exchange: Exchange,
  goal: string,
  options: Pick<ApplyOptions, "mustAsk"> = {},
): Promise<ApplyOutcome | NoPlan> {
  const plan = await planGoal(exchange, goal);
  return typeof plan === "object" ? applyPlan(exchange, plan.planId, options) : plan;
}

/** The same for a message; brought again after a crash it goes on with the plan that it had. */
export async function applyMessage(exchange: Exchange, goal: string): Promise<void> {
  const meant = meantAtFirst(exchange);
  const mustAsk = unlessNamedIn(goal);
  if (meant !== undefined) return void (await applyPlan(exchange, meant, { mustAsk }));
  const plan = await planGoal(exchange, goal);
  if (typeof plan !== "object") return;
  keepMeant(exchange, plan.planId);
  await applyPlan(exchange, plan.planId, { mustAsk });
}

/** The folder that a plan is made from may ask for new rules: those a person has to have named. */
export function unlessNamedIn(words: string): (paths: readonly string[]) => boolean {
  const named = words.toLowerCase();
  const isNamed = (path: string) => named.includes(path.toLowerCase().split("/").at(-1) ?? path);
  return (paths) => paths.some((path) => isRulesFile(path) && !isNamed(path));
}

/** Turns a plan into its change set and asks for approval, or applies it under full autonomy. */
export async function applyPlan(
  exchange: Exchange,
  planId: string,
  options: Pick<ApplyOptions, "mustAsk"> = {},
): Promise<ApplyOutcome> {
  const outcome = await attemptApply(exchange, planId, options);
  if (outcome.preview) await askApproval(exchange, outcome.preview);
  else await finishApply(exchange, planId, outcome);
  return outcome;
}

/** Applies the change set `approved`, to which a person said yes. */
export async function applyApproved(
  exchange: Exchange,
  planId: string,
  approved: string,
): Promise<void> {
  await finishApply(exchange, planId, await attemptApply(exchange, planId, { approved }));
}

/** Applies a plan, as far as that may be done unasked; shows its progress only. */
export function attemptApply(
  exchange: Exchange,
  planId: string,
  options: Pick<ApplyOptions, "approved" | "mustAsk">,
): Promise<ApplyOutcome> {
  const { deps, emit, signal, workId: work } = exchange;
  const onProgress = (check: string) =>
    void emit({ kind: "progress", text: deps.texts.agent.checking(check) });
  noteUntold(exchange);
  return makeChange(exchange, { planId }, () =>
    deps.operations.apply(planId, { signal, work, onProgress, ...options }),
  );
}

/** Stores the question and shows it; the answer comes as a press or a "yes". */
export async function askApproval(exchange: Exchange, preview: PreviewView): Promise<void> {
  const { deps, speaker, emit } = exchange;
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
  noteTold(exchange);
}

/** Where it is kept who may undo a transaction by the button below it. */
export function undoKey(txId: string): string {
  return `undo.${txId}`;
}

/** Shows how an apply ended; a plan that is done is no longer the session's. */
export async function finishApply(
  exchange: Exchange,
  planId: string,
  outcome: OutcomeView,
): Promise<void> {
  const { deps, speaker } = exchange;
  const { ok, status, txId } = outcome;
  if (status === "committed" && txId) deps.settings.set(undoKey(txId), speaker.userId);
  if (!ok && txId && outcome.check) keepFailedCheck(exchange, txId, planId);
  if (ok && deps.sessions.state(speaker.sessionId).planId === planId) setPlan(exchange, null);
  await tellOutcome(exchange, outcome);
}

/**
 * Tells how the change of a work ended that papa-yu did not live to tell of; false: there is none,
 * or it was cut off and put back, and the work goes on.
 */
export async function tellEnded(exchange: Exchange): Promise<boolean> {
  const ended = findEnded(exchange.deps, exchange.workId);
  if (!ended) return false;
  const { planId, outcome } = ended;
  if (planId === undefined) await tellOutcome(exchange, outcome);
  else await finishApply(exchange, planId, outcome);
  return true;
}
