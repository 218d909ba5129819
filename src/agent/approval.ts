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
  switch (approval.state) {
    case "approved":
      return { ok: false, message: "This change set was approved already; nothing was done again" };
    case "rejected":
      return { ok: false, message: "This change set was rejected; make a new plan" };
    case "replaced":
      return { ok: false, message: "This change set was dropped, or a newer one took its place" };
    case "waiting":
      if (approval.expiresAt > now) return { ok: true, approval };
      return { ok: false, message: "This approval has expired; make the plan again" };
    default:
      return approval.state satisfies never;
  }
}
