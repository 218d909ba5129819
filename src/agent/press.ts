import type { Press } from "../channels/channel.ts";
import type { AppError } from "../core/app-error.ts";
import type { Approval, CallApproval } from "../store/approvals.ts";
import { readHistory } from "../transaction/journal/journal.ts";
import { listKept } from "../transaction/look-again.ts";
import { checkPress } from "./approval.ts";
import { continueChat } from "./chat.ts";
import {
  askToRun,
  isOfCommand,
  takeBackIn,
  turnRoutine,
  useWorkspace,
} from "./commands/commands.ts";
import type { Agent, AgentCore, PlanDeps, RequestContext } from "./deps.ts";
import { notRun } from "./gate/gate.ts";
import { tellOutcome } from "./interrupted/interrupted.ts";
import {
  applyApproved,
  applyPlan,
  applySidePlan,
  askForRevision,
  forgetSidePlan,
  isSidePlan,
  planFix,
  planWithResearch,
  showOutput,
} from "./plans/plans.ts";
import { refusal, type Say } from "./refusal.ts";
import { appendAnswer, readyCall, runApproved } from "./run-approved.ts";
import { recordedIntent, recordIntent, selectedWorkspace, setPlan } from "./session/session.ts";

/** Work that a press leads to and that has to wait for what runs in the session. */
export type FollowUp = (request: RequestContext, agent: Agent) => Promise<void>;

/** Does what a button or a yes asks for, or throws the truth about it. */
export async function actOn(
  request: RequestContext,
  agent: Agent,
  { act, ref }: Press,
): Promise<FollowUp | undefined> {
  const { core, plans, commands } = agent;
  const { emit, texts } = request;
  switch (act) {
    case "apply":
      if (isSidePlan(request, core, ref)) {
        await applySidePlan(request, plans, ref);
        return undefined;
      }
      assertOwnPlan(request, core, ref);
      await applyPlan(request, plans, ref);
      return undefined;
    case "change":
      assertOwnPlan(request, core, ref);
      await askForRevision(request, core, ref);
      return undefined;
    case "drop":
      dropPlan(request, core, ref);
      await emit({ kind: "content", text: texts.agent.planDropped });
      return undefined;
    case "approve":
      return approve(request, agent, requireApproval(request, core, ref));
    case "reject":
      await reject(request, core, requireApproval(request, core, ref));
      return undefined;
    case "withdraw":
      settle(request, core, requireApproval(request, core, ref), "replaced");
      return undefined;
    case "undo":
      await undoTransaction(request, plans, ref);
      return undefined;
    case "show_output":
      await showOutput(request, core, ref);
      return undefined;
    case "plan_fix":
      await planFix(request, plans, ref);
      return undefined;
    case "use_research":
      await planWithResearch(request, plans, ref);
      return undefined;
    case "stop_auto_use":
      await plans.operations.stopAutoUse(ref, request.speaker.userId);
      await emit({ kind: "content", text: texts.autoUse.off });
      return undefined;
    case "use_ws":
      await emit({ kind: "content", text: useWorkspace(request, core, ref) });
      return undefined;
    case "run_routine":
      return askToRun(request, commands, ref);
    case "routine_on":
    case "routine_off":
      await turnRoutine(request, commands, ref, act === "routine_on");
      return undefined;
    default:
      return act satisfies never;
  }
}

async function approve(
  request: RequestContext,
  agent: Agent,
  approval: Approval,
): Promise<FollowUp | undefined> {
  const { core, plans } = agent;
  recordIntent(request, core, approval.approvalId);
  if (approval.kind === "tool_call") return approveCall(request, agent, approval);
  const { planId, state, changeSetId } = approval;
  if (state === "waiting") settle(request, core, approval, "approved");
  await applyApproved(request, plans, planId, changeSetId);
  return undefined;
}

/** Runs the call that was shown; then the turn goes on with what came of it. */
async function approveCall(
  request: RequestContext,
  { core, turns }: Agent,
  approval: CallApproval,
): Promise<FollowUp | undefined> {
  const { state, approvalId } = approval;
  const next = isOfCommand(core, approvalId) ? undefined : continueChat;
  if (state === "done" || state === "interrupted") return next; // what is known of it was told
  const ready = await readyCall(request, turns, approval);
  if (state === "waiting") settle(request, core, approval, ready.ok ? "approved" : "replaced");
  if (!ready.ok) throw invalid(request, ready.say);
  await runApproved(request, turns, approval, ready);
  return next;
}

async function reject(request: RequestContext, core: AgentCore, approval: Approval): Promise<void> {
  settle(request, core, approval, "rejected");
  const texts = request.texts.agent;
  if (approval.kind === "change_set") {
    return request.emit({ kind: "content", text: texts.changeRejected });
  }
  const why = "the person said no. Do not ask for it again, nor for the same in another way";
  appendAnswer(core, approval, notRun(why));
  await request.emit({ kind: "content", text: texts.callRejected });
}

function dropPlan(request: RequestContext, core: AgentCore, planId: string): void {
  if (isSidePlan(request, core, planId)) return forgetSidePlan(core, planId);
  assertOwnPlan(request, core, planId);
  setPlan(request, core, null);
}

/** A plan's buttons work for the person who asked, until a newer plan or a drop. */
function assertOwnPlan(request: RequestContext, core: AgentCore, planId: string): void {
  const { speaker } = request;
  const state = core.sessions.state(speaker.sessionId);
  if (state.planId !== planId) throw invalid(request, ({ planGone }) => planGone);
  if (state.userId !== speaker.userId) throw invalid(request, ({ notYourPlan }) => notYourPlan);
}

/** The approval, if the press on it counts. */
function requireApproval(request: RequestContext, core: AgentCore, approvalId: string): Approval {
  const { speaker } = request;
  const approval = core.approvals.load(approvalId);
  const verdict = checkPress(approval, speaker, core.clock.now());
  if (verdict.ok) return verdict.approval;
  if (approval && countedBefore(request, core, approval)) return approval;
  const became = approval && whatBecame(request, core, approval);
  throw invalid(request, became ?? ((refusals) => refusals[verdict.truth]));
}

/** Whether this very yes counted before papa-yu ended: then it does now, and work goes on. */
function countedBefore(
  request: RequestContext,
  core: AgentCore,
  { approvalId, state }: Approval,
): boolean {
  const isYes = state === "approved" || state === "done" || state === "interrupted";
  return isYes && recordedIntent(request, core) === approvalId;
}

/** Takes an approval out of waiting, for the one press that counts. */
function settle(
  request: RequestContext,
  { approvals }: AgentCore,
  { approvalId }: Approval,
  state: "approved" | "rejected" | "replaced",
): void {
  if (approvals.settle(approvalId, state)) return;
  throw invalid(request, ({ answered }) => answered);
}

/** Of an approval that counted, but whose change is not there: a crash or a check took it back. */
function whatBecame(request: RequestContext, core: AgentCore, approval: Approval): Say | undefined {
  if (approval.kind !== "change_set") return undefined;
  const { state, userId, changeSetId } = approval;
  if (state !== "approved" || userId !== request.speaker.userId) return undefined;
  const history = readHistory(selectedWorkspace(request, core));
  const entry = history.findLast((each) => each.changeSetId === changeSetId);
  if (entry?.status !== "rolled_back") return undefined;
  const { txId, kept } = entry;
  return ({ putBack, putBackExcept }) =>
    kept.length === 0 ? putBack : putBackExcept(listKept(kept, txId));
}

/** Undoes `txId`, for who applied it, while it is the newest change of its workspace. */
async function undoTransaction(
  request: RequestContext,
  deps: PlanDeps,
  txId: string,
): Promise<void> {
  const { core } = deps;
  const { speaker, texts } = request;
  if (core.settings.of("undo.").get(txId) !== speaker.userId) {
    throw invalid(request, ({ notYourApply }) => notYourApply);
  }
  const workspace = core.workspaces.withTransaction(txId) ?? selectedWorkspace(request, core);
  const outcome = await takeBackIn(request, deps, workspace, "undo", txId);
  if (outcome.errorCode === "UNDO_NOTHING") {
    throw refusal("UNDO_NOTHING", texts, ({ notNewest }) => notNewest);
  }
  await tellOutcome(request, core, outcome);
}

function invalid({ texts }: RequestContext, say: Say): AppError {
  return refusal("APPROVAL_INVALID", texts, say);
}
