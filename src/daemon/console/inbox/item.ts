import type { InboxItem } from "../../../channels/http/http-channel.ts";
import { shorten } from "../../../core/cut-text.ts";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { Approval } from "../../../store/approvals.ts";
import type { StoredPlan } from "../../../store/plans/plans.ts";
import type { App } from "../../app/app.ts";
import { type ChangeApproval, withoutRefused } from "../review-document.ts";
import type { Viewer } from "../viewer.ts";

/** What an item is made with. */
export interface ItemSources {
  readonly app: Pick<App, "current" | "state" | "clock">;
  readonly viewer: Viewer;
}

/** How much a change set is, and what may be pressed about it. */
export type ChangeSize = Pick<InboxItem, "files" | "added" | "removed" | "check" | "actions">;

const TITLE_CHARS = 200;

/** A change set that somebody is asked about, or that is applied now. */
export function toChangeItem(
  { app, viewer }: ItemSources,
  plan: StoredPlan | undefined,
  approval: ChangeApproval,
  { actions, files, added, removed, check }: ChangeSize,
): InboxItem {
  const { approvalId, planId, changeSetId, userId } = approval;
  return {
    ...toHead(approval, viewer),
    kind: "change_set",
    ...(plan && { workspace: plan.workspaceName }),
    title: toTitle(plan?.goal ?? planId),
    ...(files !== undefined && { files, added, removed, check }),
    ...withoutRefused(app.current.agent.core.security, viewer.isOwn(userId) ? actions : []),
    ref: approvalId,
    digest: changeSetId,
  };
}

/** What all questions have. */
export function toHead(
  {
    approvalId,
    sessionId,
    createdAt,
    expiresAt,
  }: Pick<Approval, "approvalId" | "sessionId" | "createdAt" | "expiresAt">,
  { toShown }: Viewer,
) {
  return {
    id: approvalId,
    session_id: toShown(sessionId),
    at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  };
}

/** The first line of what others wrote, with all that is hidden in it. */
export function toTitle(text: string): string {
  const [line = ""] = text.trim().split(/\r?\n/u, 1);
  return shorten(toVisibleText(line), TITLE_CHARS);
}
