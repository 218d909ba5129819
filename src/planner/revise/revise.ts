import type { GoalNote } from "../../store/plans/plans.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { PlanOptions, PlanOutcome } from "../plan.ts";
import type { Bound, ChangedPlan, ChangingDeps, Rewritten, Unwanted } from "./revision.ts";

export type { LeftChange } from "./revision.ts";

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

/** What revisions work with. */
export interface RevisionDeps extends ChangingDeps {
  readonly open: (planId: string) => Bound;
  readonly plan: (bound: Bound, options: PlanOptions) => Promise<PlanOutcome>;
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
