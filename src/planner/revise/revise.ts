import type { GoalNote, StoredPlan } from "../../store/plans/plans.ts";
import type { Change, ChangeSet } from "../../transaction/change.ts";
import type { LeftOut, LeftPart } from "../../transaction/compute/leave-out.ts";
import type { WithLines, WrittenLines } from "../../transaction/compute/write-lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { PlanOptions, PlanOutcome } from "../plan.ts";
import type { ChangeDeps } from "../prepare/prepare.ts";

/** What a person does not want of a change set that was shown. */
export interface Unwanted {
  /** The id under which it was shown. */
  readonly changeSetId: string;
  readonly parts: readonly LeftPart[];
  /** Says what was left out, for whoever plans the goal again: it is kept with it. */
  readonly toNote: (left: readonly LeftChange[]) => GoalNote;
}

/** Lines that a person wrote in the place of others of a change set that was shown. */
export interface Rewritten {
  /** The id under which it was shown. */
  readonly changeSetId: string;
  readonly lines: readonly WrittenLines[];
  /** Says so, for whoever plans the goal again. */
  readonly note: GoalNote;
}

/** One thing that was left out, for whoever is told of it. */
export interface LeftChange {
  readonly path: string;
  readonly kind: Change["kind"];
  /** Of a file of which other hunks stay: those that do not, as a diff has them. */
  readonly lines?: readonly string[];
}

/** A plan that a person changed, or why there is none. */
export type ChangedPlan =
  | { readonly ok: true; readonly planId: string }
  | Exclude<LeftOut | WithLines, { readonly ok: true }>
  /** The lines stand there as they were written. */
  | { readonly ok: false; readonly why: "the same" }
  /** There was nothing that it was to be without. */
  | { readonly ok: false; readonly why: "nothing left out" }
  /** What is stored of the plan gives another change set by now. */
  | { readonly ok: false; readonly why: "outdated" }
  /** A command writes it, and would again. */
  | { readonly ok: false; readonly why: "by command"; readonly path: string }
  /** No action can bring the file where it would have to be. */
  | { readonly ok: false; readonly why: "no action"; readonly path: string }
  /** A gate refuses what is left, such as the most actions of one change set. */
  | { readonly ok: false; readonly why: "refused"; readonly message: string };

/** What a person makes of a plan, beside saying yes or no to it. */
export interface Revisions {
  /** Whether plans go by what people say of them: built-in rules go by the goal and the folder alone. */
  followsWords(): Promise<boolean>;
  /** Plans the goal of a plan again, in its folder, with a note on it if there is one. */
  planAgain(
    planId: string,
    note: GoalNote | undefined,
    options: PlanOptions,
  ): Promise<{ readonly workspace: Workspace; readonly plan: PlanOutcome }>;
  /**
   * Stores the plan that stays when files or hunks are left out of its change set: one of its own,
   * whose actions go through every gate again. A note on its goal says what was left out, so that a later plan
   * for it knows. No author is asked, and none corrects what a person chose.
   */
  leaveOut(planId: string, unwanted: Unwanted, signal: AbortSignal): Promise<ChangedPlan>;
  /** Stores the plan that leaves files as its change set does, but for lines that a person wrote. As above. */
  rewrite(planId: string, rewritten: Rewritten, signal: AbortSignal): Promise<ChangedPlan>;
}

/** A plan in its folder. */
export interface Bound {
  readonly plan: StoredPlan;
  readonly workspace: Workspace;
}

/** What revisions work with. */
export interface RevisionDeps {
  readonly changes: ChangeDeps;
  readonly open: (planId: string) => Bound;
  readonly plan: (bound: Bound, options: PlanOptions) => Promise<PlanOutcome>;
  /** What was shown by an id, and of it what no command added. */
  readonly showAgain: (
    bound: Bound,
    changeSetId: string,
    signal: AbortSignal,
  ) => Promise<{ readonly changeSet: ChangeSet; readonly ownSet: ChangeSet } | undefined>;
}

/** Binds them to their parts. */
export function createRevisions(deps: RevisionDeps): Revisions {
  const { open, plan: planGoal } = deps;
  return {
    followsWords: async () => deps.changes.answers.author.name !== "offline",
    async planAgain(planId, note, options) {
      const bound = open(planId);
      const notes = [...(bound.plan.notes ?? []), ...(note ? [note] : [])];
      const plan = await planGoal(bound, { ...options, ...(notes.length > 0 && { notes }) });
      return { workspace: bound.workspace, plan };
    },

    async leaveOut(planId, unwanted, signal) {
      const { planWithout } = await import("./plan-changed.ts"); // few leave anything out
      return planWithout(deps, open(planId), unwanted, signal);
    },

    async rewrite(planId, rewritten, signal) {
      const { planRewritten } = await import("./plan-changed.ts");
      return planRewritten(deps, open(planId), rewritten, signal);
    },
  };
}
