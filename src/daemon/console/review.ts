import { maskTexts } from "../../agent/session/session.ts";
import { type Button, buttonsOf } from "../../channels/event-buttons.ts";
import type { Action, Review, ReviewFile } from "../../channels/http/http-channel.ts";
import type { Comment } from "../../channels/press.ts";
import { renderEvent } from "../../channels/render-event.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Approval } from "../../store/approvals.ts";
import { createPlanStore, type StoredPlan } from "../../store/plans/plans.ts";
import type { Texts } from "../../texts/texts.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { viewChanges } from "../../transaction/preview.ts";
import type { OutcomeView, PreviewView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { App } from "../app/app.ts";
import { type Placed, placeComments, withComment } from "./comments.ts";
import { toFileDocument, toFileRows, toPreviewFacts } from "./documents.ts";
import { findPastChange, isWhole, type PastChange } from "./past-change.ts";
import { type Since, sinceOf } from "./since.ts";

/** An approval of a change set. */
export type ChangeApproval = Extract<Approval, { readonly kind: "change_set" }>;

/** What can be shown of an approval. */
export interface Shown {
  readonly changeSet?: ChangeSet;
  readonly preview?: PreviewView;
  readonly past?: PastChange;
}

/** Reads change sets that were asked about. */
export interface Reviews {
  /** Read anew: what was shown may not be so any more. */
  load(approval: ChangeApproval): Promise<Shown>;
  review(approvalId: string): Promise<Review | undefined>;
  file(approvalId: string, n: number): Promise<ReviewFile | undefined>;
  /** Keeps what somebody is about to say of one place; false: it does not wait, or is not the owner's. */
  draft(approvalId: string, said: Comment): boolean;
}

/** Whole change sets that are held for who reads their files one by one. */
const HELD = 3;
/** Nobody waits longer for a page. */
const MOST_MS = 60_000;

/** Reviews of one daemon, of the approvals that `isOwners` counts as the owner's. */
export function createReviews(
  app: Pick<App, "current" | "state" | "clock">,
  isOwners: (userId: string) => boolean,
): Reviews {
  const plans = createPlanStore(app.state.store);
  /** By what they are made of, so that what is held is right for as long as it is. */
  const held = new Map<string, ChangeSet>();
  /** The last two that were compared: files are read one by one. */
  let compared: { readonly pair: string; readonly since: Since } | undefined;

  function find(approvalId: string): ChangeApproval | undefined {
    const approval = app.current.agent.core.approvals.load(approvalId);
    return approval?.kind === "change_set" ? approval : undefined;
  }

  function hold(changeSetId: string, changeSet: ChangeSet): void {
    held.delete(changeSetId);
    held.set(changeSetId, changeSet);
    for (const [oldest] of held) if (held.size > HELD) held.delete(oldest);
  }

  async function load(approval: ChangeApproval): Promise<Shown> {
    const { core, plans: own } = app.current.agent;
    const { planId, changeSetId, state } = approval;
    const plan = plans.loadPlan(planId);
    const workspace = plan && findWorkspace(plan, (name) => core.workspaces.get(name));
    if (!workspace) return {};
    if (state !== "waiting") {
      const past = findPastChange(workspace, changeSetId);
      if (past) return { past, changeSet: past.changeSet };
    }
    const signal = AbortSignal.timeout(MOST_MS);
    return (await own.operations.showAgain(planId, changeSetId, signal)) ?? {};
  }

  const draftsOf = (approvalId: string) =>
    app.current.agent.core.settings.of("draft.").get(approvalId)?.comments ?? [];

  /** The question that this one took the place of, as long as its change set can be read. */
  async function previousOf(
    { approvalId }: ChangeApproval,
    now: ChangeSet,
  ): Promise<Previous | undefined> {
    const earlier = app.current.agent.core.settings.of("earlier.").get(approvalId);
    const approval = earlier && find(earlier.approvalId);
    if (!approval) return undefined;
    const before = held.get(approval.changeSetId) ?? (await load(approval)).changeSet;
    const since = before && sinceOnce(before, now);
    return {
      approvalId: approval.approvalId,
      comments: placeComments(earlier.comments ?? [], before, now),
      ...(since && { since }),
    };
  }

  function sinceOnce(before: ChangeSet, now: ChangeSet): Since {
    const pair = `${before.id} ${now.id}`;
    if (compared?.pair !== pair) compared = { pair, since: sinceOf(before, now) };
    return compared.since;
  }

  function nextOf({ approvalId, state }: ChangeApproval): string | undefined {
    if (state !== "replaced") return undefined;
    const all = app.current.agent.core.settings.of("earlier.").below("");
    return all.findLast(({ value }) => value.approvalId === approvalId)?.id;
  }

  return {
    load,
    async review(approvalId) {
      const approval = find(approvalId);
      if (!approval) return undefined;
      const shown = await load(approval);
      const changeSet = held.get(approval.changeSetId) ?? shown.changeSet;
      if (changeSet) hold(approval.changeSetId, changeSet);
      const plan = plans.loadPlan(approval.planId);
      const isOwn = isOwners(approval.userId);
      const previous = changeSet && (await previousOf(approval, changeSet));
      const lineage = {
        previous,
        next: nextOf(approval),
        drafts: isOwn ? draftsOf(approvalId) : [],
      };
      return toReview(app, { approval, plan, shown, changeSet, isOwn, lineage });
    },
    async file(approvalId, n) {
      const approval = find(approvalId);
      if (!approval) return undefined;
      const changeSet = held.get(approval.changeSetId) ?? (await load(approval)).changeSet;
      if (!changeSet) return undefined;
      hold(approval.changeSetId, changeSet);
      const { redact } = app.current.agent.core;
      const previous = await previousOf(approval, changeSet);
      const document = toFileDocument(changeSet, n, redact, previous?.since);
      return document && { ...document, path: redact(document.path) };
    },
    draft(approvalId, said) {
      const approval = find(approvalId);
      const isWaiting = approval && stateOf(approval, app.clock.now()) === "waiting";
      if (!isWaiting || !isOwners(approval.userId)) return false;
      const comments = withComment(draftsOf(approvalId), said);
      const drafts = app.current.agent.core.settings.of("draft.");
      if (!comments) return false;
      if (comments.length === 0) drafts.remove(approvalId);
      else drafts.set(approvalId, { comments });
      return true;
    },
  };
}

/** The question before another, and what is different since. */
interface Previous {
  readonly approvalId: string;
  /** What was said of it, at the lines of now. */
  readonly comments: readonly Placed[];
  readonly since?: Since;
}

/** What waits, or what became of it. */
export function stateOf({ state, expiresAt }: Approval, now: number): string {
  switch (state) {
    case "waiting":
      return expiresAt > now ? "waiting" : "expired";
    case "replaced":
      return "superseded";
    case "approved":
    case "done":
    case "interrupted":
      return "approved";
    case "rejected":
      return "rejected";
    default:
      return state satisfies never;
  }
}

/** What may be pressed about a change set that waits; only a no where it cannot be read. */
export function actionsOf(
  ref: string,
  preview: PreviewView | undefined,
  labels: Texts["buttons"],
): readonly Action[] {
  if (!preview) return [{ act: "reject", ref, label: labels.reject }];
  return toActions(buttonsOf({ kind: "approval", approvalId: ref, preview }, labels));
}

function toActions(buttons: readonly Button[]): readonly Action[] {
  return buttons.map(({ label, press: { act, ref } }) => ({ act, ref, label }));
}

function findWorkspace(
  { workspaceEntry, workspaceRoot }: StoredPlan,
  get: (name: string) => Workspace,
): Workspace | undefined {
  try {
    const workspace = get(workspaceEntry ?? workspaceRoot);
    return workspace.root === workspaceRoot ? workspace : undefined;
  } catch {
    return undefined; // the configuration has it no more
  }
}

interface Reviewed {
  readonly approval: ChangeApproval;
  readonly plan: StoredPlan | undefined;
  readonly shown: Shown;
  /** What is known of its files, now or from before. */
  readonly changeSet: ChangeSet | undefined;
  readonly isOwn: boolean;
  readonly lineage: {
    readonly previous: Previous | undefined;
    readonly next: string | undefined;
    readonly drafts: readonly Comment[];
  };
}

function toReview(
  { current, clock }: Pick<App, "current" | "clock">,
  { approval, plan, shown, changeSet, isOwn, lineage }: Reviewed,
): Review {
  const { approvalId, planId, changeSetId, sessionId, createdAt, expiresAt } = approval;
  const { core, texts } = current.agent;
  const { preview, past } = shown;
  const state = stateOf(approval, clock.now());
  const generated = (preview?.changes ?? []).filter((each) => each.generated);
  const document = {
    approval_id: approvalId,
    plan_id: planId,
    change_set_id: changeSetId,
    session_id: sessionId,
    workspace: plan?.workspaceName ?? null,
    goal: toVisibleText(plan?.goal ?? ""),
    summary: plan?.summary ?? "",
    state,
    asked_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
    digest: changeSetId,
    checks: [],
    notes: [],
    side_effects: [],
    ...(preview && toPreviewFacts(preview, texts)),
    // The files are others by now: a yes would be refused.
    ...(!shown.changeSet && { outdated: true }),
    files: changeSet
      ? toFileRows(changeSet, new Set(generated.map(({ path }) => path)), lineage.previous?.since)
      : [],
    ...(lineage.previous && { previous: toPrevious(lineage.previous) }),
    ...(lineage.next !== undefined && { next: lineage.next }),
    drafts: lineage.drafts,
    actions: state === "waiting" && isOwn ? actionsOf(approvalId, preview, texts.buttons) : [],
    ...(past && {
      outcome: toOutcome(past, { workspace: plan?.workspaceName ?? "", texts, isOwn }),
    }),
  };
  return maskTexts(document, core.redact);
}

function toPrevious({ approvalId, comments, since }: Previous) {
  return { approval_id: approvalId, comments, ...(since && { gone: since.gone }) };
}

/** What every channel says of it, and what may be pressed below. */
function toOutcome(
  { txId, status, changeSet }: PastChange,
  {
    workspace,
    texts,
    isOwn,
  }: { readonly workspace: string; readonly texts: Texts; readonly isOwn: boolean },
) {
  const head = { ok: status === "committed" || status === "undone", status, tx_id: txId };
  if (status === "open") return { ...head, text: "", actions: [] };
  const outcome: OutcomeView = {
    ok: head.ok,
    status,
    workspace,
    txId,
    changes: viewKept(changeSet),
  };
  const { text, buttons } = renderEvent({ kind: "outcome", outcome }, texts);
  const mayUndo = status === "committed" && isOwn;
  const actions = mayUndo ? toActions(buttons) : [];
  return { ...head, text, actions, ...(mayUndo && { undo_ref: txId }) };
}

/** The rows of those changes whose contents are still kept. */
function viewKept(changeSet: ChangeSet): OutcomeView["changes"] {
  const changes = changeSet.changes.filter((change) => isWhole(changeSet, change));
  return viewChanges({ ...changeSet, changes });
}
