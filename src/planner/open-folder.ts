import { AppError } from "../core/app-error.ts";
import type { Log } from "../core/log.ts";
import type { PlanStore, StoredPlan } from "../store/plans/plans.ts";
import { Refusal, type Say } from "../texts/texts.ts";
import { describeState } from "../transaction/describe-state.ts";
import {
  assertRecovered,
  describeRecovery,
  type Recovery,
  recover,
} from "../transaction/recover/recover.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** How the folder of a plan is opened. */
export interface FolderDeps {
  /** The rules that hold now in a configured workspace, or in a folder. */
  readonly workspaceAt: (nameOrRoot: string) => Workspace;
  /** Tells the person something nobody asked for: that a crash was repaired, say. */
  readonly notice: (text: string) => void;
  readonly log: Log;
}

/** What a stored plan, or what was found for one, is bound to. */
export type FolderOf = Pick<StoredPlan, "workspaceRoot" | "workspaceEntry">;

/**
 * The folder of a stored plan with the rules that hold there now, after a crash as before it.
 *
 * @throws AppError ERR_WORKSPACE_UNKNOWN when the configuration has no workspace of that name in that
 * folder any more: what was granted then, and the checks, were those of another entry
 */
export function openFolder(folders: FolderDeps, bound: FolderOf): Workspace {
  const workspace = findFolder(folders, bound);
  if (!workspace) throw new Refusal("ERR_WORKSPACE_UNKNOWN", describeGone(bound));
  recoverFirst(folders, workspace);
  return workspace;
}

/** The same without repairs, and undefined where it is refused. */
export function findFolder(
  { workspaceAt }: FolderDeps,
  { workspaceRoot, workspaceEntry }: FolderOf,
): Workspace | undefined {
  try {
    const workspace = workspaceAt(workspaceEntry ?? workspaceRoot);
    const isSame = workspaceEntry === undefined || workspace.entry === workspaceEntry;
    return isSame && workspace.root === workspaceRoot ? workspace : undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === "ERR_WORKSPACE_UNKNOWN") return undefined;
    throw error;
  }
}

function describeGone({ workspaceRoot: root, workspaceEntry: name }: FolderOf): Say {
  return ({ planFolderGone, planEntryGone }) =>
    name === undefined ? planFolderGone(root) : planEntryGone(name, root);
}

/** Nothing is planned or checked on files that a crash left half changed. */
export function recoverFirst(folders: FolderDeps, workspace: Workspace): void {
  assertRecovered(workspace, recoverAndTell(folders, workspace));
}

/** Repairs what a crash left, and tells the person. */
export function recoverAndTell(
  { log, notice }: FolderDeps,
  workspace: Workspace,
): readonly Recovery[] {
  try {
    for (const sentence of describeState(workspace)) notice(sentence);
    const recovered = recover(workspace, { log });
    for (const recovery of recovered) {
      if (recovery.looked.status === "incomplete") continue; // refused below, with the reason
      notice(`papa-yu had ended in the middle of ${describeRecovery(workspace, recovery)}`);
    }
    return recovered;
  } catch (error) {
    // Somebody is at work: what is there is theirs, and the transaction will wait its turn.
    if (!(error instanceof AppError) || error.code !== "ERR_WORKSPACE_BUSY") throw error;
    return [];
  }
}

/** A stored plan, and its folder. */
export function openPlan(plans: PlanStore, folders: FolderDeps, planId: string) {
  const plan = plans.loadPlan(planId);
  if (!plan) {
    throw new Refusal("ERR_PLAN_UNKNOWN", ({ planUnknown }) => planUnknown(planId));
  }
  return { plan, workspace: openFolder(folders, plan) };
}
