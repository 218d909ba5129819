import type { ChangeSet } from "../../transaction/change.ts";
import { viewChanges } from "../../transaction/preview.ts";
import type { PartView, PreviewView, SeriesView } from "../../transaction/views.ts";
import {
  type Candidate,
  type CorrectDeps,
  loadKnown,
  type Ready,
  type TransactionDeps,
  type Verified,
  verifyCandidate,
  type Waiting,
} from "../correct/correct.ts";
import { buildPreview } from "../outcome-view.ts";
import { approvalIdOf, approvedContentOf, changeSetsOf, type Part } from "../prepare/prepare.ts";

/** A candidate as it is shown for approval, which is noted; of a series all of it with its parts. */
export async function previewOf(
  deps: TransactionDeps,
  candidate: Candidate,
  verified: Verified | undefined,
): Promise<PreviewView> {
  const preview = await buildPreview(deps, candidate, verified);
  const { plan, prepared } = candidate;
  const { changeSet } = verified ?? candidate;
  const id = approvalIdOf(prepared, changeSet);
  const contentId = approvedContentOf(prepared, changeSet);
  deps.verifications.noteShown(plan.planId, id, contentId);
  if (!prepared.series) return preview;
  const series = toSeriesView(deps, candidate, verified);
  return { ...preview, changeSetId: id, row: series };
}

function toSeriesView(
  deps: TransactionDeps,
  candidate: Candidate,
  verified: Verified | undefined,
): SeriesView {
  const { series } = candidate.prepared;
  const all = changeSetsOf(candidate.prepared, (verified ?? candidate).changeSet);
  const parts = all.map((changeSet, index) => {
    const part = series?.parts[index];
    const isLast = index === all.length - 1;
    const known = isLast ? verified : part && loadKnown(deps, upTo(candidate, part));
    return toPartView(changeSet, part, known?.check.ok);
  });
  return { done: series?.made.length ?? 0, parts };
}

function toPartView(changeSet: ChangeSet, part?: Part, passes?: boolean): PartView {
  const views = viewChanges(changeSet);
  return {
    changeSetId: changeSet.id,
    ...(part && { planId: part.planId, summary: part.summary }),
    changes: changeSet.changes.length,
    added: views.reduce((sum, { added }) => sum + added, 0),
    removed: views.reduce((sum, { removed }) => sum + removed, 0),
    ...(passes !== undefined && { checks: passes ? "passes" : "fails" }),
  };
}

/**
 * Checks each part of a series on top of those before it, and keeps what that came to: a series that stops
 * in the middle leaves the folder there. The last one is checked with all of it before, and corrected.
 */
export async function checkParts(
  deps: CorrectDeps,
  ready: Ready,
  { signal, onProgress }: Waiting,
): Promise<void> {
  const waiting = { signal, ...(onProgress && { onProgress }) };
  for (const part of ready.prepared.series?.parts.slice(0, -1) ?? []) {
    const asking = { isOpen: false, isAgain: false };
    await verifyCandidate(deps, upTo(ready, part), waiting, asking);
  }
}

/** A part with those before it, as one change set of the part's plan. */
function upTo({ plan, workspace, prepared }: Ready, { planId, upTo: changeSet }: Part): Candidate {
  const { series: _, ...alone } = prepared;
  return {
    plan: { ...plan, planId },
    workspace,
    prepared: { ...alone, changeSet },
    changeSet,
    rounds: [],
  };
}
