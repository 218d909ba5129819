import type { Speaker } from "../channels/channel.ts";
import type { Approval } from "../store/approvals.ts";

/** Whether a person's yes or no counts, and if not, the truth about the button. */
export type PressVerdict =
  | { readonly ok: true; readonly approval: Approval }
  | { readonly ok: false; readonly message: string };

/**
 * An approval counts once, for the person and the session it was shown to, until it expires
 * or a newer one takes its place.
 */
export function judgePress(
  approval: Approval | undefined,
  speaker: Speaker,
  now: number,
): PressVerdict {
  if (!approval)
    return { ok: false, message: "This button belongs to nothing known here any more" };
  if (approval.userId !== speaker.userId || approval.sessionId !== speaker.sessionId) {
    return { ok: false, message: "Only the person who was asked can answer this" };
  }
  if (approval.state === "waiting" && approval.expiresAt > now) return { ok: true, approval };
  const message = approval.kind === "change_set" ? changeSetTruth(approval) : callTruth(approval);
  return { ok: false, message };
}

function changeSetTruth({ state }: Approval): string {
  switch (state) {
    case "approved":
    case "done":
    case "interrupted":
      return "This change set was approved already; nothing was done again";
    case "rejected":
      return "This change set was rejected; make a new plan";
    case "replaced":
      return "This change set was dropped, or a newer one took its place";
    case "waiting":
      return "This approval has expired; make the plan again";
    default:
      return state satisfies never;
  }
}

function callTruth({ state }: Approval): string {
  switch (state) {
    case "approved":
      return "This call was approved already; it is not run twice";
    case "done":
      return "This call was approved and has run; it is not run twice. Ask what came of it";
    case "interrupted":
      return "This call was approved, but papa-yu ended while it ran: look whether it took effect. It is not run again";
    case "rejected":
      return "This call was rejected; nothing was run";
    case "replaced":
      return "This call was dropped, or a newer question took its place; nothing was run";
    case "waiting":
      return "This approval has expired; nothing was run. Ask for it again";
    default:
      return state satisfies never;
  }
}
