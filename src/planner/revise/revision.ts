import type { GoalNote, StoredPlan } from "../../store/plans/plans.ts";
import type { Change, ChangeSet } from "../../transaction/change.ts";
import type { LeftOut, LeftPart } from "../../transaction/compute/leave-out.ts";
import type { WithLines, WrittenLines } from "../../transaction/compute/write-lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";
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

/** A plan in its folder. */
export interface Bound {
  readonly plan: StoredPlan;
  readonly workspace: Workspace;
}

/** What a plan that a person changed is made with. */
export interface ChangingDeps {
  readonly changes: ChangeDeps;
  /** What was shown by an id, and of it what no command added. */
  readonly showAgain: (
    bound: Bound,
    changeSetId: string,
    signal: AbortSignal,
  ) => Promise<{ readonly changeSet: ChangeSet; readonly ownSet: ChangeSet } | undefined>;
}
