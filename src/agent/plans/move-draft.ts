import { type Comment, placeOf, type Revision } from "../../channels/press.ts";
import type { Approval } from "../../store/approvals.ts";
import type { PreviewView } from "../../transaction/views.ts";
import type { PlanDeps } from "../deps.ts";
import { moveComments, moveUnticked } from "./move-comments.ts";

/** A question, and the change set that takes the place of its own. */
interface Succession {
  readonly asked: Extract<Approval, { readonly kind: "change_set" }>;
  readonly next: Pick<PreviewView, "planId" | "changeSetId">;
  /** What was said of it by now, so that it is not still to be said. */
  readonly said?: readonly Comment[];
  /** What was left out of it by now, so that it is not still to be left out. */
  readonly leftOut?: Revision["leftOut"];
}

/**
 * What gives the draft of one question to another: what is about to be said at its places there, and
 * what is about to be left out where it is still changed. It is read in the step in which it goes over.
 */
export async function moveDraft(
  { core: { settings }, operations }: PlanDeps,
  signal: AbortSignal,
  { asked, next, said = [], leftOut }: Succession,
): Promise<(approvalId: string) => void> {
  const from = await operations.showAgain(asked.planId, asked.changeSetId, signal);
  const to = await operations.showAgain(next.planId, next.changeSetId, signal);
  return (approvalId) => {
    const drafts = settings.of("draft.");
    const { comments = [], unticked = [] } = drafts.get(asked.approvalId) ?? {};
    // What was written anew at its place meanwhile was not said.
    const words = new Set(said.map((each) => `${placeOf(each)} ${each.text}`));
    const left = comments.filter((each) => !words.has(`${placeOf(each)} ${each.text}`));
    const moved = from && to ? moveComments(left, from.changeSet, to.changeSet) : left;
    const parts = { parts: unticked, ...(leftOut && { leftOut }) };
    const out = to ? moveUnticked(parts, from?.changeSet, to.changeSet) : [];
    if (moved.length > 0 || out.length > 0) {
      drafts.set(approvalId, { comments: [...moved], ...(out.length > 0 && { unticked: out }) });
    }
    drafts.remove(asked.approvalId);
  };
}
