import type { Speaker } from "../channels/channel.ts";
import type { Approval } from "../store/approvals.ts";
import type { Texts } from "../texts/texts.ts";

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
