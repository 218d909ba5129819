import { toFailureText } from "../../../channels/failure-lines.ts";
import type { InboxItem } from "../../../channels/http/http-channel.ts";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { Approval } from "../../../store/approvals.ts";
import type { PlanStore } from "../../../store/plans/plans.ts";
import { isNamedRunning, nameProcess } from "../../../system/processes/processes.ts";
import { withoutRefused } from "../review-document.ts";
import { type ChangeSize, type ItemSources, toChangeItem, toTitle } from "./item.ts";

/** What else the inbox has. */
interface ListedAlready {
  /** What is listed as a question already. */
  readonly waiting: readonly Approval[];
  /** What was read of a change set while it waited. */
  readonly sizeOf: (approvalId: string) => ChangeSize | undefined;
}

interface SessionPlan {
  readonly sessionId: string;
  readonly userId: string;
  readonly planId: string;
  /** It is kept next to what waits in the session, which has a plan of its own. */
  readonly isBeside: boolean;
}

/**
 * Plans that a session would apply, and those that are kept next to what waits there. One that is
 * worked on offers nothing: once its change set was approved it stays the line that it was until then.
 */
export function listPlans(
  sources: ItemSources,
  plans: Pick<PlanStore, "loadPlan">,
  { waiting, sizeOf }: ListedAlready,
): readonly InboxItem[] {
  const { app, viewer } = sources;
  const { approvals, sessions, settings } = app.current.agent.core;
  const asked = new Set(waiting.map((each) => (each.kind === "change_set" ? each.planId : "")));
  const beside = settings.of("side_plan.").below("");
  const all: readonly SessionPlan[] = [
    ...sessions.withPlans().map((each) => Object.assign({}, each, { isBeside: false })),
    ...beside.map(({ id, value: { sessionId, userId } }) => {
      return { sessionId, userId, planId: id, isBeside: true };
    }),
  ]
    .filter(({ planId }) => !asked.has(planId))
    .filter(({ userId }) => viewer.seesAll || viewer.isOwn(userId));
  return all.flatMap((each): readonly InboxItem[] => {
    const { sessionId, planId } = each;
    const plan = plans.loadPlan(planId);
    if (!plan) return [];
    const last = approvals.lastAbout(sessionId, planId);
    const attempt = settings.of("attempt.").get(planId);
    const isWorking = attempt?.runner !== undefined && isRunning(attempt.runner);
    if (isWorking && last?.kind === "change_set" && last.state === "approved") {
      const size = { ...sizeOf(last.approvalId), actions: [] };
      return [{ ...toChangeItem(sources, plan, last, size), working: true }];
    }
    const isRejected = last?.state === "rejected";
    return [
      {
        id: planId,
        kind: "plan",
        ...(isRejected && { rejected: true }),
        session_id: viewer.toShown(sessionId),
        workspace: plan.workspaceName,
        title: toTitle(plan.goal),
        at: new Date(plan.createdAt).toISOString(),
        shown: toVisibleText(plan.summary),
        ...(isWorking ? { actions: [], working: true } : offerOf(sources, each, isRejected)),
        ...(!isWorking && toFailed(sources, planId)),
        ref: planId,
      },
    ];
  });
}

/** One that a kill cut off is worked on by nobody. */
function isRunning(runner: string): boolean {
  return runner === nameProcess() || isNamedRunning(runner);
}

function offerOf(
  { app, viewer }: ItemSources,
  { userId, planId: ref, isBeside }: SessionPlan,
  isRejected: boolean,
) {
  const { security } = app.current.agent.core;
  const { buttons } = app.current.texts();
  // Whoever is asked about each change is shown it; under full autonomy it would be applied.
  const isAgain = isRejected && security.autonomy === "supervised";
  const offered = [
    { act: "apply" as const, ref, label: isAgain ? buttons.showAgain : buttons.apply },
    ...(isBeside ? [] : [{ act: "change" as const, ref, label: buttons.change }]),
    { act: "drop" as const, ref, label: buttons.drop },
  ];
  return withoutRefused(security, viewer.isOwn(userId) ? offered : []);
}

/** How the newest attempt failed, as it is told everywhere. */
function toFailed({ app, viewer }: ItemSources, planId: string): Pick<InboxItem, "failed"> {
  const { message, code, said, at } =
    app.current.agent.core.settings.of("attempt.").get(planId) ?? {};
  if (message === undefined || at === undefined) return {};
  const reader = viewer.seesAll ? "owner" : "another"; // of folders of this machine others hear nothing
  const told = toFailureText({ code, message, said }, app.current.texts(), reader);
  const text = toVisibleText(told);
  return { failed: { ...(code !== undefined && { code }), text, at: new Date(at).toISOString() } };
}
