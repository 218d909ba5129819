import type { ChangeSet } from "../../transaction/change.ts";
import { keepShown } from "../../transaction/last-check.ts";
import { renderDiff, viewChanges } from "../../transaction/preview.ts";
import { previewTakeBack, type UndoResult } from "../../transaction/undo/undo.ts";
import type { PreviewView } from "../../transaction/views.ts";
import { resolveChecks } from "../../workspace/checks/checks.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  commandsOf,
  describeChecks,
  findUnseen,
  readFolderState,
  type Verification,
  type VerifyDeps,
  type VerifyRequest,
  verifyChangeSet,
} from "./verify.ts";

/** What the newest change, taken back, comes to. */
export type UndoCheck =
  | CheckedUndo
  /** There are checks, and nothing they could run in without a change of the folder. */
  | { readonly kind: "none"; readonly reason: string }
  | { readonly kind: "refused"; readonly result: UndoResult };

/** An undo that was looked at, on exactly the files as they were then. */
export interface CheckedUndo {
  readonly kind: "checked";
  readonly txId: string;
  readonly preview: PreviewView;
  /** Paths that were edited since and would stay as they are. */
  readonly conflicts: readonly string[];
  /** Undefined: the workspace has no checks, as a note of the preview says. */
  readonly verification: Verification | undefined;
  readonly changeSet: ChangeSet;
}

/**
 * Runs the checks of a folder on what an undo would make of it, in a view. What the checks keep and
 * generators make is no part of that: an undo brings back what was there, and no more.
 */
export async function checkUndo(
  deps: VerifyDeps,
  { workspace: configured, signal, onProgress }: Omit<VerifyRequest, "changeSet">,
): Promise<UndoCheck> {
  const workspace = onlyChecked(configured);
  const found = previewTakeBack(workspace, "undo");
  if (!found.ok) return { kind: "refused", result: found.result };
  const { target, reversal } = found;
  const { changeSet, conflicts } = reversal;
  const checks = await resolveChecks(workspace);
  const unseen = await findUnseen(deps.verifications.known, workspace);
  if (unseen.length > 0) {
    const list = unseen.map(({ argv }) => argv.join(" ")).join(", ");
    return { kind: "none", reason: `nobody has seen its checks yet (${list}); ${HOW_SEEN}` };
  }
  const request = { workspace, changeSet, signal, ...(onProgress && { onProgress }) };
  const verification = checks.length > 0 ? await verifyChangeSet(deps, request) : undefined;
  keepShown(deps, workspace, verification);
  if (checks.length > 0 && !verification) return { kind: "none", reason: NO_VIEW };
  return {
    kind: "checked",
    txId: target.txId,
    conflicts: conflicts.map(({ path }) => path),
    preview: {
      planId: target.txId,
      changeSetId: changeSet.id,
      workspace: workspace.name,
      summary: target.summary,
      changes: viewChanges(changeSet),
      diff: renderDiff(changeSet),
      notes: [
        ...changeSet.notes,
        ...conflicts.map(({ path, reason }) => `${path} stays as it is: ${reason}`),
        ...(verification ? [] : [describeUnchecked(workspace)]),
      ],
      checks: describeChecks(deps.verifications.known, workspace, checks),
      ...(verification && { checked: { ...verification, fixRounds: 0, fixNotes: [] } }),
    },
    verification,
    changeSet,
  };
}

/** Whether no file of the folder, nor what runs on it, is another than what was checked. */
export async function isUndoCurrent(
  workspace: Workspace,
  { changeSet, verification }: CheckedUndo,
  signal: AbortSignal,
): Promise<boolean> {
  if (!verification) return true;
  const commands = await commandsOf(onlyChecked(workspace), changeSet);
  const now = await readFolderState(onlyChecked(workspace), commands, signal);
  return now === verification.fingerprint;
}

/** Why an undo was not checked that somebody wanted to be. */
export function describeUnchecked({ check }: Pick<Workspace, "check">): string {
  const why =
    check === "none" ? "check = false in the configuration" : "no checks were found in it";
  return `Nothing was checked: the workspace has no checks (${why})`;
}

function onlyChecked(workspace: Workspace): Workspace {
  return { ...workspace, checkWhen: "before", generate: "none", keep: [] };
}

const HOW_SEEN =
  "look at them with papayu doctor -w WORKSPACE in a terminal; papayu undo alone checks nothing";
const NO_VIEW =
  "its checks can run in no view here, or may reach the network; papayu doctor says more, and papayu undo alone checks nothing";
