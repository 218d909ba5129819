import { AppError } from "../core/app-error.ts";
import type { Log } from "../core/log.ts";
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
  /** The rules that hold in the folder of a stored plan. */
  readonly workspaceAt: (root: string) => Workspace;
  /** Tells the person something nobody asked for: that a crash was repaired, say. */
  readonly notice: (text: string) => void;
  readonly log: Log;
}

/** The folder of a stored plan with the rules that hold there now, after a crash as before it. */
export function openFolder(folders: FolderDeps, root: string): Workspace {
  const workspace = folders.workspaceAt(root);
  if (workspace.root !== root) {
    const message = `Cannot use the plan: its folder "${root}" now leads to "${workspace.root}"; make a new plan`;
    throw new AppError("ERR_WORKSPACE_UNKNOWN", message);
  }
  recoverFirst(folders, workspace);
  return workspace;
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
