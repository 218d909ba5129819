import type { Press } from "../channels/channel.ts";
import { AppError } from "../core/app-error.ts";
import type { Approval } from "../store/approvals.ts";
import { readHistory } from "../transaction/history.ts";
import { listKept } from "../transaction/roll-back.ts";
import { judgePress } from "./approval.ts";
import { AUTO_USE } from "./auto-use.ts";
import type { Exchange } from "./deps.ts";
import { applyApproved, applyPlan, undoKey } from "./flows.ts";
import { planWithResearch } from "./plan-goal.ts";
import { selectedWorkspace, setPlan } from "./session-state.ts";

/** Does what a button or a yes asks for, or throws the truth about it. */
export async function actOn(exchange: Exchange, { act, ref }: Press): Promise<void> {
  const { emit } = exchange;
  switch (act) {
    case "apply":
      assertOwnPlan(exchange, ref);
      await applyPlan(exchange, ref);
      return;
    case "drop":
      assertOwnPlan(exchange, ref);
      setPlan(exchange, null);
      return emit({ kind: "content", text: "Plan dropped." });
    case "approve": {
      const { planId, changeSetId } = settle(exchange, ref, "approved");
      return applyApproved(exchange, planId, changeSetId);
    }
    case "reject":
      settle(exchange, ref, "rejected");
      return emit({ kind: "content", text: "Rejected. Nothing was changed." });
    case "undo":
      return undoTransaction(exchange, ref);
    case "use_research":
      return planWithResearch(exchange, ref);
    case "stop_auto_use":
      await exchange.deps.operations.stopAutoUse(ref, exchange.speaker.userId);
      return emit({ kind: "content", text: AUTO_USE.off[exchange.deps.language] });
    default:
      act satisfies never;
  }
}

/** A plan's buttons work for the person who asked, until a newer plan or a drop. */
function assertOwnPlan({ deps, speaker }: Exchange, planId: string): void {
  const state = deps.sessions.state(speaker.sessionId);
  if (state.planId !== planId) {
    throw invalid("This plan was applied, dropped or replaced; make a new one");
  }
  if (state.userId !== speaker.userId) {
    throw invalid("Only the person who asked for this plan can press this");
  }
}

/** Takes an approval out of waiting, for the one press that counts. */
function settle(exchange: Exchange, approvalId: string, state: "approved" | "rejected"): Approval {
  const { deps, speaker } = exchange;
  const approval = deps.approvals.load(approvalId);
  const verdict = judgePress(approval, speaker, deps.clock.now());
  if (!verdict.ok) throw invalid((approval && whatBecame(exchange, approval)) ?? verdict.message);
  if (deps.approvals.settle(approvalId, state)) return verdict.approval;
  throw invalid("This change set was answered a moment ago");
}

/** Of an approval that counted, but whose change is not there: a crash or a check took it back. */
function whatBecame(
  exchange: Exchange,
  { state, userId, changeSetId }: Approval,
): string | undefined {
  const { speaker } = exchange;
  if (state !== "approved" || userId !== speaker.userId) return undefined;
  const history = readHistory(selectedWorkspace(exchange));
  const entry = history.findLast((each) => each.changeSetId === changeSetId);
  if (entry?.status !== "rolled_back") return undefined;
  const { txId, kept } = entry;
  return kept.length === 0
    ? "This was approved, but every file was put back; send ok to see the change set again"
    : `This was approved, but put back, all but what somebody changed since: ${listKept(kept, txId)}; look at these, then make a new plan`;
}

/** Undoes `txId`, for who applied it, while it is the newest change of its workspace. */
async function undoTransaction(exchange: Exchange, txId: string): Promise<void> {
  const { deps, speaker, emit, signal } = exchange;
  if (deps.settings.get(undoKey(txId)) !== speaker.userId) {
    throw invalid("Only the person who applied this can press this");
  }
  const workspace = deps.workspaces.withTransaction(txId) ?? selectedWorkspace(exchange);
  const outcome = await deps.operations.undo(workspace, signal, txId);
  if (outcome.errorCode === "UNDO_NOTHING") throw new AppError("UNDO_NOTHING", outcome.error ?? "");
  await emit({ kind: "outcome", outcome });
}

function invalid(message: string): AppError {
  return new AppError("APPROVAL_INVALID", message);
}
