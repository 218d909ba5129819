import type { Speaker } from "../channels/channel.ts";
import type { AppError } from "../core/app-error.ts";
import type { Approval } from "../store/approvals.ts";
import { isNamedRunning, nameProcess } from "../system/processes/processes.ts";
import type { Texts } from "../texts/texts.ts";
import { Refusal, type Say } from "../texts/texts.ts";
import { readHistory } from "../transaction/journal/journal.ts";
import { listKept } from "../transaction/look-again.ts";
import type { AgentCore, RequestContext } from "./deps.ts";
import { recordedIntent, selectedWorkspace } from "./session/session.ts";

/** Whether a person's yes or no counts, and if not, the truth about the button. */
export type PressVerdict =
  | { readonly ok: true; readonly approval: Approval }
  | { readonly ok: false; readonly truth: Truth };

type Truth = keyof {
  [Name in keyof Texts["refusals"] as Texts["refusals"][Name] extends string ? Name : never]: true;
};

/**
 * An approval counts once, for the person and the session it was shown to, until it expires
 * or a newer one takes its place.
 */
export function checkPress(
  approval: Approval | undefined,
  speaker: Speaker,
  now: number,
): PressVerdict {
  if (!approval) return { ok: false, truth: "nothingKnown" };
  if (approval.userId !== speaker.userId || approval.sessionId !== speaker.sessionId) {
    return { ok: false, truth: "notAsked" };
  }
  if (approval.state === "waiting" && approval.expiresAt > now) return { ok: true, approval };
  const truths = approval.kind === "change_set" ? CHANGE_TRUTHS : CALL_TRUTHS;
  return { ok: false, truth: truths[approval.state] };
}

const CHANGE_TRUTHS: Readonly<Record<Approval["state"], Truth>> = {
  approved: "changeApproved",
  done: "changeApproved",
  interrupted: "changeApproved",
  rejected: "changeRejected",
  replaced: "changeReplaced",
  waiting: "changeExpired",
};

const CALL_TRUTHS: Readonly<Record<Approval["state"], Truth>> = {
  approved: "callApproved",
  done: "callDone",
  interrupted: "callInterrupted",
  rejected: "callRejected",
  replaced: "callReplaced",
  waiting: "callExpired",
};

/**
 * The approval, if the press on it counts.
 *
 * @throws AppError APPROVAL_INVALID with the truth about it
 */
export function requireApproval(
  request: RequestContext,
  core: AgentCore,
  approvalId: string,
): Approval {
  const { speaker } = request;
  const approval = core.approvals.load(approvalId);
  const verdict = checkPress(approval, speaker, core.clock.now());
  if (verdict.ok) return verdict.approval;
  if (approval && countedBefore(request, core, approval)) return approval;
  const became = approval && whatBecame(request, core, approval);
  throw invalid(became ?? ((refusals) => refusals[verdict.truth]));
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

/**
 * Takes an approval out of waiting, for the one press that counts.
 *
 * @throws AppError APPROVAL_INVALID where another was faster
 */
export function settle(
  request: RequestContext,
  core: AgentCore,
  { approvalId }: Approval,
  state: "approved" | "rejected" | "replaced",
): void {
  if (core.approvals.settle(approvalId, state)) return;
  requireApproval(request, core, approvalId); // something else became of it meanwhile
  throw invalid(({ answered }) => answered);
}

/**
 * Of an approval that counted, but whose change is not there: a crash or a check took it back, or
 * papa-yu ended before its first file.
 */
function whatBecame(request: RequestContext, core: AgentCore, approval: Approval): Say | undefined {
  if (approval.kind !== "change_set") return undefined;
  const { state, userId, changeSetId, runner } = approval;
  if (state !== "approved" || userId !== request.speaker.userId) return undefined;
  const history = readHistory(selectedWorkspace(request, core));
  const entry = history.findLast((each) => each.changeSetId === changeSetId);
  if (!entry && runner !== undefined && hasEnded(runner)) return ({ notBegun }) => notBegun;
  if (entry?.status !== "rolled_back") return undefined;
  const { txId, kept } = entry;
  return ({ putBack, putBackExcept }) =>
    kept.length === 0 ? putBack : putBackExcept(listKept(kept, txId));
}

function hasEnded(runner: string): boolean {
  return runner !== nameProcess() && !isNamedRunning(runner);
}

/** A press that does not count, and why. */
export function invalid(say: Say): AppError {
  return new Refusal("APPROVAL_INVALID", say);
}
