import type { Press } from "../channels/channel.ts";
import type { AppError } from "../core/app-error.ts";
import type { Approval, CallApproval } from "../store/approvals.ts";
import { readHistory } from "../transaction/journal/journal.ts";
import { listKept } from "../transaction/look-again.ts";
import { judgePress } from "./approval.ts";
import { continueChat } from "./chat.ts";
import {
  askToRun,
  isOfCommand,
  takeBackIn,
  turnRoutine,
  useWorkspace,
} from "./commands/commands.ts";
import type { RequestContext } from "./deps.ts";
import { notRun } from "./gate/gate.ts";
import { tellOutcome } from "./interrupted/interrupted.ts";
import {
  applyApproved,
  applyBeside,
  applyPlan,
  askForWish,
  forgetBeside,
  isBeside,
  planFix,
  planWithResearch,
  showOutput,
} from "./plans/plans.ts";
import { refusal, type Say } from "./refusal.ts";
import { appendAnswer, readyCall, runApproved } from "./run-approved.ts";
import { keepMeant, meantAtFirst, selectedWorkspace, setPlan } from "./session/session.ts";

/** Work that a press leads to and that has to wait for what runs in the session. */
export type FollowUp = (request: RequestContext) => Promise<void>;

/** Does what a button or a yes asks for, or throws the truth about it. */
export async function actOn(
  request: RequestContext,
  { act, ref }: Press,
): Promise<FollowUp | undefined> {
  const { deps, emit } = request;
  const { agent: texts, autoUse } = deps.texts;
  switch (act) {
    case "apply":
      if (isBeside(request, ref)) {
        await applyBeside(request, ref);
        return undefined;
      }
      assertOwnPlan(request, ref);
      await applyPlan(request, ref);
      return undefined;
    case "change":
      assertOwnPlan(request, ref);
      await askForWish(request, ref);
      return undefined;
    case "drop":
      dropPlan(request, ref);
      await emit({ kind: "content", text: texts.planDropped });
      return undefined;
    case "approve":
      return approve(request, judge(request, ref));
    case "reject":
      await reject(request, judge(request, ref));
      return undefined;
    case "withdraw":
      settle(request, judge(request, ref), "replaced");
      return undefined;
    case "undo":
      await undoTransaction(request, ref);
      return undefined;
    case "show_output":
      await showOutput(request, ref);
      return undefined;
    case "plan_fix":
      await planFix(request, ref);
      return undefined;
    case "use_research":
      await planWithResearch(request, ref);
      return undefined;
    case "stop_auto_use":
      await deps.operations.stopAutoUse(ref, request.speaker.userId);
      await emit({ kind: "content", text: autoUse.off });
      return undefined;
    case "use_ws":
      await emit({ kind: "content", text: useWorkspace(request, ref) });
      return undefined;
    case "run_routine":
      return askToRun(request, ref);
    case "routine_on":
    case "routine_off":
      await turnRoutine(request, ref, act === "routine_on");
      return undefined;
    default:
      return act satisfies never;
  }
}

async function approve(request: RequestContext, approval: Approval): Promise<FollowUp | undefined> {
  keepMeant(request, approval.approvalId);
  if (approval.kind === "tool_call") return approveCall(request, approval);
  const { planId, state, changeSetId } = approval;
  if (state === "waiting") settle(request, approval, "approved");
  await applyApproved(request, planId, changeSetId);
  return undefined;
}

/** Runs the call that was shown; then the turn goes on with what came of it. */
async function approveCall(
  request: RequestContext,
  approval: CallApproval,
): Promise<FollowUp | undefined> {
  const { state, approvalId } = approval;
  const next = isOfCommand(request, approvalId) ? undefined : continueChat;
  if (state === "done" || state === "interrupted") return next; // what is known of it was told
  const ready = await readyCall(request, approval);
  if (state === "waiting") settle(request, approval, ready.ok ? "approved" : "replaced");
  if (!ready.ok) throw invalid(request, ready.say);
  await runApproved(request, approval, ready);
  return next;
}

async function reject(request: RequestContext, approval: Approval): Promise<void> {
  settle(request, approval, "rejected");
  const texts = request.deps.texts.agent;
  if (approval.kind === "change_set") {
    return request.emit({ kind: "content", text: texts.changeRejected });
  }
  const why = "the person said no. Do not ask for it again, nor for the same in another way";
  appendAnswer(request.deps, approval, notRun(why));
  await request.emit({ kind: "content", text: texts.callRejected });
}

function dropPlan(request: RequestContext, planId: string): void {
  if (isBeside(request, planId)) return forgetBeside(request, planId);
  assertOwnPlan(request, planId);
  setPlan(request, null);
}

/** A plan's buttons work for the person who asked, until a newer plan or a drop. */
function assertOwnPlan(request: RequestContext, planId: string): void {
  const { deps, speaker } = request;
  const state = deps.sessions.state(speaker.sessionId);
  if (state.planId !== planId) throw invalid(request, ({ planGone }) => planGone);
  if (state.userId !== speaker.userId) throw invalid(request, ({ notYourPlan }) => notYourPlan);
}

/** The approval, if the press on it counts. */
function judge(request: RequestContext, approvalId: string): Approval {
  const { deps, speaker } = request;
  const approval = deps.approvals.load(approvalId);
  const verdict = judgePress(approval, speaker, deps.clock.now());
  if (verdict.ok) return verdict.approval;
  if (approval && countedBefore(request, approval)) return approval;
  const became = approval && whatBecame(request, approval);
  throw invalid(request, became ?? ((refusals) => refusals[verdict.truth]));
}

/** Whether this very yes counted before papa-yu ended: then it does now, and work goes on. */
function countedBefore(request: RequestContext, { approvalId, state }: Approval): boolean {
  const isYes = state === "approved" || state === "done" || state === "interrupted";
  return isYes && meantAtFirst(request) === approvalId;
}

/** Takes an approval out of waiting, for the one press that counts. */
function settle(
  request: RequestContext,
  { approvalId }: Approval,
  state: "approved" | "rejected" | "replaced",
): void {
  if (request.deps.approvals.settle(approvalId, state)) return;
  throw invalid(request, ({ answered }) => answered);
}

/** Of an approval that counted, but whose change is not there: a crash or a check took it back. */
function whatBecame(request: RequestContext, approval: Approval): Say | undefined {
  if (approval.kind !== "change_set") return undefined;
  const { state, userId, changeSetId } = approval;
  if (state !== "approved" || userId !== request.speaker.userId) return undefined;
  const history = readHistory(selectedWorkspace(request));
  const entry = history.findLast((each) => each.changeSetId === changeSetId);
  if (entry?.status !== "rolled_back") return undefined;
  const { txId, kept } = entry;
  return ({ putBack, putBackExcept }) =>
    kept.length === 0 ? putBack : putBackExcept(listKept(kept, txId));
}

/** Undoes `txId`, for who applied it, while it is the newest change of its workspace. */
async function undoTransaction(request: RequestContext, txId: string): Promise<void> {
  const { deps, speaker } = request;
  if (deps.settings.of("undo.").get(txId) !== speaker.userId) {
    throw invalid(request, ({ notYourApply }) => notYourApply);
  }
  const workspace = deps.workspaces.withTransaction(txId) ?? selectedWorkspace(request);
  const outcome = await takeBackIn(request, workspace, "undo", txId);
  if (outcome.errorCode === "UNDO_NOTHING") {
    throw refusal("UNDO_NOTHING", deps.texts, ({ notNewest }) => notNewest);
  }
  await tellOutcome(request, outcome);
}

function invalid({ deps }: RequestContext, say: Say): AppError {
  return refusal("APPROVAL_INVALID", deps.texts, say);
}
