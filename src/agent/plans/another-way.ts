import type { Another } from "../../planner/operations.ts";
import type { Approval } from "../../store/approvals.ts";
import type { Texts } from "../../texts/texts.ts";
import { invalid, requireApproval } from "../approval.ts";
import type { AgentCore, PlanDeps, RequestContext } from "../deps.ts";
import { recordedIntent, recordIntent } from "../session/session.ts";
import { applyPlan, assertGranted, stepTeller } from "./apply-flow.ts";

/** An approval of a change set. */
type Asked = Extract<Approval, { readonly kind: "change_set" }>;

/** Marks the recorded intent of a press that plans in another way. */
const ANOTHER = "another:";

/**
 * The question whose goal may be planned in another way; one that this very press put another in
 * the place of before a crash still is.
 *
 * @throws AppError APPROVAL_INVALID with the truth about it
 */
export function requireTry(request: RequestContext, core: AgentCore, approvalId: string): Asked {
  const isBegun = recordedIntent(request, core) === ANOTHER + approvalId;
  const before = isBegun ? core.approvals.load(approvalId) : undefined;
  const approval =
    before?.state === "replaced" ? before : requireApproval(request, core, approvalId);
  if (approval.kind === "change_set") return approval;
  throw invalid(({ nothingKnown }) => nothingKnown);
}

/**
 * [Try another way]: plans the goal once more, and asks about the best of all ways. Until then the
 * question that was pressed on stays as it is; whatever the autonomy level, nothing is applied unasked.
 */
export async function tryAnotherWay(
  request: RequestContext,
  deps: PlanDeps,
  approval: Asked,
): Promise<void> {
  const {
    texts,
    emit,
    signal,
    work: { id: work },
  } = request;
  const { planId, approvalId } = approval;
  await assertGranted(deps, planId);
  recordIntent(request, deps.core, ANOTHER + approvalId);
  const another = await deps.operations.tryAnother(planId, {
    signal,
    work,
    onBegin: ({ provider, model }) =>
      void emit({ kind: "progress", text: texts.tries.begins(provider, model) }),
    onProgress: stepTeller(request),
  });
  if (!another.ok) throw invalid(({ noWay }) => noWay[another.why]);
  const { best, ...choice } = await toChoice(another, texts);
  await emit({ kind: "choice", ...choice });
  // What was pressed on is asked about again where nothing can be shown any more: that says why.
  await ask(request, deps, approval, best ?? planId);
}

/**
 * The question that waits here, about another way to the goal of the plan `planId`.
 *
 * @throws AppError APPROVAL_INVALID where there is none
 */
export async function requireWay(
  { speaker }: RequestContext,
  { core, operations }: PlanDeps,
  planId: string,
): Promise<Asked> {
  const waiting = core.approvals.waiting(speaker.sessionId, core.clock.now());
  const isOwn = waiting?.kind === "change_set" && waiting.userId === speaker.userId;
  if (isOwn && (await operations.waysOf(waiting.planId)).includes(planId)) return waiting;
  throw invalid(({ wayGone }) => wayGone);
}

/** Asks about another of the ways to a goal. */
export async function showWay(
  request: RequestContext,
  deps: PlanDeps,
  approval: Asked,
  planId: string,
): Promise<void> {
  await ask(request, deps, approval, planId);
}

/** Asks about the change set of a plan, instead of about another for the same goal. */
async function ask(
  request: RequestContext,
  deps: PlanDeps,
  asked: Asked,
  planId: string,
): Promise<void> {
  const { speaker } = request;
  const { sessions, clock } = deps.core;
  const { sessionId, userId } = speaker;
  const goOver = async () => {
    const ways = await deps.operations.waysOf(planId);
    return () => {
      const { planId: own } = sessions.state(sessionId);
      if (own === undefined || own === planId || !ways.includes(own)) return;
      // An "ok" means what is asked about.
      sessions.update(sessionId, userId, { planId }, clock.now());
    };
  };
  await applyPlan(request, deps, planId, { mustAsk: true, instead: { asked, goOver } });
}

/** What there is to know of all ways, and a button for each that is not shown. */
async function toChoice(another: Extract<Another, { ok: true }>, texts: Texts) {
  const { bestOf, toAnotherLines } = await import("../../planner/tries/tries.ts");
  const { tries } = another;
  const best = bestOf(tries);
  const options = tries.order.flatMap(({ end }, index) => {
    if (end.kind !== "changes" || end.plan.planId === best) return [];
    const press = { act: "show_way", ref: end.plan.planId } as const;
    return [{ label: texts.buttons.showWay(String(index + 1)), press }];
  });
  return { best, text: `${toAnotherLines(another, texts).join("\n")}\n`, options };
}
