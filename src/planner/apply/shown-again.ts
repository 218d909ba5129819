import { AppError } from "../../core/app-error.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import type { PreviewView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Candidate, type CorrectDeps, loadCandidate, loadKnown } from "../correct/correct.ts";
import { approvalIdOf, createPreparation } from "../prepare/prepare.ts";
import { previewOf } from "./series-view.ts";

/** A change set that was shown for approval, with all of its contents. */
export interface ShownAgain {
  readonly preview: PreviewView;
  readonly changeSet: ChangeSet;
  /** Without what commands added to it. */
  readonly ownSet: ChangeSet;
}

/** A plan in its folder, and the id under which it was shown. */
export interface Shown {
  readonly plan: Candidate["plan"];
  readonly workspace: Workspace;
  readonly changeSetId: string;
}

/**
 * What was shown for approval, once more for who reads it: no author is asked, nothing runs, nothing
 * is stored or forgotten. Undefined where what is stored of the plan gives another change set on the
 * files as they are now.
 */
export async function showAgain(
  deps: Deps,
  { plan, workspace, changeSetId }: Shown,
  signal: AbortSignal,
): Promise<ShownAgain | undefined> {
  const { plans } = deps.changes.records;
  const ids = plan.parts?.map(({ planId }) => planId) ?? [plan.planId];
  if (ids.some((planId) => !plans.loadChangeSet(planId))) return undefined;
  const quiet = inQuiet(deps);
  const prepared = await createPreparation(quiet.changes)(plan, workspace, signal);
  if (!prepared.ok) return undefined;
  const { transactions } = quiet;
  const ready = { plan, workspace, prepared };
  const candidate = await loadUnmade(transactions.verifications, ready);
  if (!candidate) return undefined;
  const known = loadKnown(transactions, candidate);
  for (const verified of known ? [known, undefined] : [undefined]) {
    const { changeSet } = verified ?? candidate;
    if (approvalIdOf(prepared, changeSet) !== changeSetId) continue;
    const preview = await previewOf(transactions, candidate, verified);
    return { preview, changeSet, ownSet: candidate.changeSet };
  }
  return undefined;
}

/** Undefined where all parts of the plan are made: as files are now nothing of it is left to be shown. */
async function loadUnmade(
  ...args: Parameters<typeof loadCandidate>
): Promise<Candidate | undefined> {
  try {
    return await loadCandidate(...args);
  } catch (error) {
    if (error instanceof AppError && error.code === "ERR_CHANGE_SET_STALE") return undefined;
    throw error;
  }
}

/** What checks and makes a change set. */
type Deps = Pick<CorrectDeps, "transactions" | "changes">;

/** Who only looks leaves no word in the log and no row in the database, and asks no author. */
function inQuiet({ transactions, changes }: Deps): Deps {
  const { verifications } = transactions;
  const nothing = () => {};
  const { author } = changes.answers;
  const silent = {
    ...author,
    answer: async () => {
      throw new Error("somebody who only looks asks no author");
    },
  };
  return {
    transactions: {
      ...transactions,
      log: nothing,
      verifications: {
        ...verifications,
        drop: nothing,
        dropCorrections: nothing,
        noteShown: nothing,
        known: { ...verifications.known, show: nothing },
      },
    },
    changes: { ...changes, answers: { ...changes.answers, author: silent, log: nothing } },
  };
}
