import { maskTexts } from "../../agent/session/session.ts";
import { type Button, buttonsOf } from "../../channels/event-buttons.ts";
import type { Action, Review } from "../../channels/http/http-channel.ts";
import { renderEvent } from "../../channels/render-event.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Approval } from "../../store/approvals.ts";
import type { StoredPlan } from "../../store/plans/plans.ts";
import type { Texts } from "../../texts/texts.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import type { Rename } from "../../transaction/compute/compute.ts";
import { viewChanges } from "../../transaction/preview.ts";
import type { OutcomeView, PreviewView } from "../../transaction/views.ts";
import type { App } from "../app/app.ts";
import { toFileRows, toPreviewFacts } from "./documents.ts";
import { isWhole, type PastChange } from "./past-change.ts";
import type { Draft, Placed, Since } from "./versions/versions.ts";

/** An approval of a change set. */
export type ChangeApproval = Extract<Approval, { readonly kind: "change_set" }>;

/** What can be shown of an approval. */
export interface Shown {
  readonly changeSet?: ChangeSet;
  readonly preview?: PreviewView;
  readonly past?: PastChange;
}

/** The question before another, and what is different since. */
export interface Previous {
  readonly approvalId: string;
  /** Whoever asks has looked at it. */
  readonly isLooked: boolean;
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
  return buttons.map(({ label, press: { act, ref }, isAnyway }) => ({
    act,
    ref,
    label,
    ...(isAnyway && { anyway: true }),
  }));
}

/** What is refused while papa-yu may only read. */
const WRITES: ReadonlySet<string> = new Set([
  "apply",
  "approve",
  "approve_whole",
  "check_first",
  "try_another",
  "undo",
  "redo",
  "run_routine",
]);

/** Of what would be offered what is not refused anyway, and that something is missing. */
export function withoutRefused(
  { autonomy }: Pick<App["current"]["agent"]["core"]["security"], "autonomy">,
  offered: readonly Action[],
): { readonly actions: readonly Action[]; readonly locked?: "readonly" } {
  const actions = autonomy === "readonly" ? offered.filter(({ act }) => !WRITES.has(act)) : offered;
  return { actions, ...(actions.length < offered.length && { locked: "readonly" }) };
}

/** All that is known of it. */
export interface Reviewed {
  readonly approval: ChangeApproval;
  readonly plan: StoredPlan | undefined;
  readonly shown: Shown;
  /** What is known of its files, now or from before. */
  readonly changeSet: ChangeSet | undefined;
  readonly isOwn: boolean;
  readonly lineage: {
    readonly previous: Previous | undefined;
    readonly next: string | undefined;
    readonly draft: Draft;
    /** Of the question before it, to come to this one. */
    readonly leftOut: Draft["unticked"];
    readonly seen: ReadonlyMap<string, string> | undefined;
    readonly renames: readonly Rename[];
  };
}

/** A change set as it is told. */
export function toReview(
  { current, clock }: Pick<App, "current" | "clock">,
  { approval, plan, shown, changeSet, isOwn, lineage }: Reviewed,
): Review {
  const { approvalId, planId, changeSetId, sessionId, createdAt, expiresAt } = approval;
  const { core, texts } = current.agent;
  const { preview, past } = shown;
  const state = stateOf(approval, clock.now());
  const generated = (preview?.changes ?? []).filter((each) => each.generated);
  const offered = state === "waiting" && isOwn ? actionsOf(approvalId, preview, texts.buttons) : [];
  const outcome = past && toOutcome(past, { workspace: plan?.workspaceName ?? "", texts, isOwn });
  const undoing = withoutRefused(core.security, outcome?.actions ?? []);
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
      ? toFileRows(
          changeSet,
          new Set(generated.map(({ path }) => path)),
          lineage.previous?.since,
          lineage,
        )
      : [],
    ...(lineage.previous && { previous: toPrevious(lineage.previous) }),
    ...(lineage.next !== undefined && { next: lineage.next }),
    ...(lineage.leftOut.length > 0 && { left_out: lineage.leftOut }),
    drafts: lineage.draft.comments,
    unticked: lineage.draft.unticked,
    ...(undoing.locked && { locked: undoing.locked }),
    ...withoutRefused(core.security, offered),
    ...(outcome && { outcome: { ...outcome, actions: undoing.actions } }),
  };
  return maskTexts(document, core.redact);
}

function toPrevious({ approvalId, isLooked, comments, since }: Previous) {
  return {
    approval_id: approvalId,
    comments,
    ...(isLooked && { looked: true }),
    ...(since && { gone: since.gone }),
  };
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
