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
import type { Exchange } from "./deps.ts";
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
  undoKey,
} from "./plans/plans.ts";
import { refusal, type Say } from "./refusal.ts";
import { appendAnswer, readyCall, runApproved } from "./run-approved.ts";
import { keepMeant, meantAtFirst, selectedWorkspace, setPlan } from "./session/session.ts";

/** Work that a press leads to and that has to wait for what runs in the session. */
export type FollowUp = (exchange: Exchange) => Promise<void>;

/** Does what a button or a yes asks for, or throws the truth about it. */
export async function actOn(
  exchange: Exchange,
  { act, ref }: Press,
): Promise<FollowUp | undefined> {
  const { deps, emit } = exchange;
  const { agent: texts, autoUse } = deps.texts;
  switch (act) {
    case "apply":
      if (isBeside(exchange, ref)) {
        await applyBeside(exchange, ref);
        return undefined;
      }
      assertOwnPlan(exchange, ref);
      await applyPlan(exchange, ref);
      return undefined;
    case "change":
      assertOwnPlan(exchange, ref);
      await askForWish(exchange, ref);
      return undefined;
    case "drop":
      dropPlan(exchange, ref);
      await emit({ kind: "content", text: texts.planDropped });
      return undefined;
    case "approve":
      return approve(exchange, judge(exchange, ref));
    case "reject":
      await reject(exchange, judge(exchange, ref));
      return undefined;
    case "withdraw":
      settle(exchange, judge(exchange, ref), "replaced");
      return undefined;
    case "undo":
      await undoTransaction(exchange, ref);
      return undefined;
    case "show_output":
      await showOutput(exchange, ref);
      return undefined;
    case "plan_fix":
      await planFix(exchange, ref);
      return undefined;
    case "use_research":
      await planWithResearch(exchange, ref);
      return undefined;
    case "stop_auto_use":
      await deps.operations.stopAutoUse(ref, exchange.speaker.userId);
      await emit({ kind: "content", text: autoUse.off });
      return undefined;
    case "use_ws":
      await emit({ kind: "content", text: useWorkspace(exchange, ref) });
      return undefined;
    case "run_routine":
      return askToRun(exchange, ref);
    case "routine_on":
    case "routine_off":
      await turnRoutine(exchange, ref, act === "routine_on");
      return undefined;
    default:
      return act satisfies never;
  }
}

async function approve(exchange: Exchange, approval: Approval): Promise<FollowUp | undefined> {
  keepMeant(exchange, approval.approvalId);
  if (approval.kind === "tool_call") return approveCall(exchange, approval);
  const { planId, state, changeSetId } = approval;
  if (state === "waiting") settle(exchange, approval, "approved");
  await applyApproved(exchange, planId, changeSetId);
  return undefined;
}

/** Runs the call that was shown; then the turn goes on with what came of it. */
async function approveCall(
  exchange: Exchange,
  approval: CallApproval,
): Promise<FollowUp | undefined> {
  const { state, approvalId } = approval;
  const next = isOfCommand(exchange, approvalId) ? undefined : continueChat;
  if (state === "done" || state === "interrupted") return next; // what is known of it was told
  const ready = await readyCall(exchange, approval);
  if (state === "waiting") settle(exchange, approval, ready.ok ? "approved" : "replaced");
  if (!ready.ok) throw invalid(exchange, ready.say);
  await runApproved(exchange, approval, ready);
  return next;
}

async function reject(exchange: Exchange, approval: Approval): Promise<void> {
  settle(exchange, approval, "rejected");
  const texts = exchange.deps.texts.agent;
  if (approval.kind === "change_set") {
    return exchange.emit({ kind: "content", text: texts.changeRejected });
  }
  const why = "the person said no. Do not ask for it again, nor for the same in another way";
  appendAnswer(exchange.deps, approval, notRun(why));
  await exchange.emit({ kind: "content", text: texts.callRejected });
}

function dropPlan(exchange: Exchange, planId: string): void {
  if (isBeside(exchange, planId)) return forgetBeside(exchange, planId);
  assertOwnPlan(exchange, planId);
  setPlan(exchange, null);
}

/** A plan's buttons work for the person who asked, until a newer plan or a drop. */
function assertOwnPlan(exchange: Exchange, planId: string): void {
  const { deps, speaker } = exchange;
  const state = deps.sessions.state(speaker.sessionId);
  if (state.planId !== planId) throw invalid(exchange, ({ planGone }) => planGone);
  if (state.userId !== speaker.userId) throw invalid(exchange, ({ notYourPlan }) => notYourPlan);
}

/** The approval, if the press on it counts. */
function judge(exchange: Exchange, approvalId: string): Approval {
  const { deps, speaker } = exchange;
  const approval = deps.approvals.load(approvalId);
  const verdict = judgePress(approval, speaker, deps.clock.now());
  if (verdict.ok) return verdict.approval;
  if (approval && countedBefore(exchange, approval)) return approval;
  const became = approval && whatBecame(exchange, approval);
  throw invalid(exchange, became ?? ((refusals) => refusals[verdict.truth]));
}

/** Whether this very yes counted before papa-yu ended: then it does now, and work goes on. */
function countedBefore(exchange: Exchange, { approvalId, state }: Approval): boolean {
  const isYes = state === "approved" || state === "done" || state === "interrupted";
  return isYes && meantAtFirst(exchange) === approvalId;
}

/** Takes an approval out of waiting, for the one press that counts. */
function settle(
  exchange: Exchange,
  { approvalId }: Approval,
  state: "approved" | "rejected" | "replaced",
): void {
  if (exchange.deps.approvals.settle(approvalId, state)) return;
  throw invalid(exchange, ({ answered }) => answered);
}

/** Of an approval that counted, but whose change is not there: a crash or a check took it back. */
function whatBecame(exchange: Exchange, approval: Approval): Say | undefined {
  if (approval.kind !== "change_set") return undefined;
  const { state, userId, changeSetId } = approval;
  if (state !== "approved" || userId !== exchange.speaker.userId) return undefined;
  const history = readHistory(selectedWorkspace(exchange));
  const entry = history.findLast((each) => each.changeSetId === changeSetId);
  if (entry?.status !== "rolled_back") return undefined;
  const { txId, kept } = entry;
  return ({ putBack, putBackExcept }) =>
    kept.length === 0 ? putBack : putBackExcept(listKept(kept, txId));
}

/** Undoes `txId`, for who applied it, while it is the newest change of its workspace. */
async function undoTransaction(exchange: Exchange, txId: string): Promise<void> {
  const { deps, speaker } = exchange;
  if (deps.settings.get(undoKey(txId)) !== speaker.userId) {
    throw invalid(exchange, ({ notYourApply }) => notYourApply);
  }
  const workspace = deps.workspaces.withTransaction(txId) ?? selectedWorkspace(exchange);
  const outcome = await takeBackIn(exchange, workspace, "undo", txId);
  if (outcome.errorCode === "UNDO_NOTHING") {
    throw refusal("UNDO_NOTHING", deps.texts, ({ notNewest }) => notNewest);
  }
  await tellOutcome(exchange, outcome);
}

function invalid({ deps }: Exchange, say: Say): AppError {
  return refusal("APPROVAL_INVALID", deps.texts, say);
}
