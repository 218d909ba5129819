import type { Log } from "../../core/log.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ChangeSet } from "../change.ts";
import { type HistoryEntry, nextToTakeBack } from "../journal/journal.ts";
import { type LockRequest, withWorkspaceLock } from "../lock.ts";
import { assertRecovered, recoverLeftovers } from "../recover/recover.ts";
import { runLocked, toRejection } from "../run/run.ts";
import { hasImages, needsImages } from "../stage/stage.ts";
import type { OnStep } from "../swap/swap.ts";
import type { TransactionFailure, TransactionRequest } from "../transaction.ts";
import { computeReversal, type Reversal } from "./reversal.ts";

export { type Conflict, computeReversal } from "./reversal.ts";

/** What {@link undo} and {@link redo} need. */
export interface UndoRequest extends LockRequest, Pick<TransactionRequest, "isAsChecked"> {
  readonly log: Log;
  /** The transaction that must be the next to go back; without it whichever is. */
  readonly only?: string;
  /** What taking it back must do to the files, by its change set id; without it whatever it does. */
  readonly exactly?: string;
  /** The id of the work it belongs to, as the journal records it. */
  readonly work?: string;
  readonly onStep?: OnStep;
}

/** How an undo or a redo ended. */
export type UndoResult =
  | {
      readonly ok: true;
      readonly status: "undone" | "redone";
      readonly txId: string;
      readonly summary: string;
      /** What was done; `notes` names files that were merged with later edits. */
      readonly changeSet: ChangeSet;
    }
  | {
      readonly ok: false;
      /** `conflicts` are left as they are; all others are taken back, as `changeSet` says. */
      readonly status: "conflict";
      readonly code: "UNDO_CONFLICT";
      readonly message: string;
      readonly conflicts: readonly string[];
      readonly changeSet: ChangeSet;
      /** Missing when every file was in conflict: then nothing was done, and undo may be tried again. */
      readonly txId?: string;
    }
  | TransactionFailure;

/** Takes back the newest transaction that is not taken back yet. Never throws. */
export function undo(request: UndoRequest): Promise<UndoResult> {
  return takeBack(request, "undo");
}

/** Takes back the newest undo, if nothing was applied since. Never throws. */
export function redo(request: UndoRequest): Promise<UndoResult> {
  return takeBack(request, "redo");
}

async function takeBack(request: UndoRequest, kind: "undo" | "redo"): Promise<UndoResult> {
  try {
    return await withWorkspaceLock(request, kind, () => {
      assertRecovered(request.workspace, recoverLeftovers(request.workspace, request));
      return takeBackLocked(request, kind);
    });
  } catch (error) {
    return toRejection(error);
  }
}

/** What the next undo or redo of a workspace would do, or why it does nothing. */
export function previewTakeBack(workspace: Workspace, kind: "undo" | "redo"): TakeBackPreview {
  const target = nextToTakeBack(workspace, kind);
  return target ? previewOf(workspace, kind, target) : { ok: false, result: nothingTo(kind) };
}

/** What taking back comes to on the files as they are. */
export type TakeBackPreview =
  | { readonly ok: true; readonly target: HistoryEntry; readonly reversal: Reversal }
  | {
      readonly ok: false;
      /** Undefined: there is nothing. */
      readonly target?: HistoryEntry;
      /** What cannot be taken back, where that is why. */
      readonly conflicts?: Reversal["conflicts"];
      readonly result: UndoResult;
    };

function previewOf(
  workspace: Workspace,
  kind: "undo" | "redo",
  target: HistoryEntry,
): TakeBackPreview {
  if (isPruned(workspace, target)) return { ok: false, target, result: pruned(kind, target) };
  const reversal = computeReversal(workspace, target);
  if (!isStuck(reversal)) return { ok: true, target, reversal };
  return { ok: false, target, conflicts: reversal.conflicts, result: toConflict(reversal) };
}

function isStuck({ changeSet, conflicts }: Reversal): boolean {
  return changeSet.changes.length === 0 && conflicts.length > 0;
}

async function takeBackLocked(request: UndoRequest, kind: "undo" | "redo"): Promise<UndoResult> {
  const { workspace, only, exactly } = request;
  const target = nextToTakeBack(workspace, kind);
  if (!target) return nothingTo(kind);
  if (only !== undefined && target.txId !== only) return notNewest(kind);
  const found = previewOf(workspace, kind, target);
  if (!found.ok) return found.result;
  const { changeSet: planned, conflicts } = found.reversal;
  if (exactly !== undefined && planned.id !== exactly) return stale(kind);
  const { summary, txId: reverses } = target;
  const left = conflicts.length === 0 ? {} : { left: describeConflicts(conflicts, REST) };
  const work = request.work === undefined ? {} : { work: request.work };
  const intent = { kind, changeSet: planned, summary, reverses, ...work, ...left };
  const result = await runLocked({ ...request, intent });
  if (!result.ok) return result;
  const { txId, notes = [] } = result;
  const changeSet = { ...planned, notes: [...planned.notes, ...notes] };
  if (conflicts.length > 0) return toConflict({ changeSet, conflicts }, txId);
  return { ok: true, status: kind === "undo" ? "undone" : "redone", txId, summary, changeSet };
}

function nothingTo(kind: "undo" | "redo"): TransactionFailure {
  const code = kind === "undo" ? "UNDO_NOTHING" : "REDO_NOTHING";
  return { ok: false, status: "rejected", code, message: `There is nothing to ${kind}` };
}

function notNewest(kind: "undo" | "redo"): TransactionFailure {
  const code = kind === "undo" ? "UNDO_NOTHING" : "REDO_NOTHING";
  const message = "This is not the newest change any more; /history shows what can be undone";
  return { ok: false, status: "rejected", code, message };
}

function stale(kind: "undo" | "redo"): TransactionFailure {
  const message = `Cannot ${kind}: files changed since it was looked at; look at it again`;
  return { ok: false, status: "rejected", code: "ERR_CHANGE_SET_STALE", message };
}

function isPruned(workspace: Workspace, { txId, changes }: HistoryEntry): boolean {
  return needsImages(changes) && !hasImages(workspace, txId);
}

function pruned(kind: "undo" | "redo", { summary }: HistoryEntry): TransactionFailure {
  const why =
    "what it overwrote is not kept any more (retention.history_days and max_mb say how long)";
  const message = `Cannot ${kind} "${summary}": ${why}; change it back with a new plan`;
  return { ok: false, status: "rejected", code: "UNDO_PRUNED", message };
}

const REST = "the rest was taken back";

function describeConflicts(conflicts: Reversal["conflicts"], rest: string): string {
  const list = conflicts.map(({ path, reason }) => `"${path}": ${reason}`).join("; ");
  return `Cannot take back ${list}; left as it is, ${rest}`;
}

function toConflict({ changeSet, conflicts }: Reversal, txId?: string): UndoResult {
  const rest = txId === undefined ? "nothing was taken back" : REST;
  return {
    ok: false,
    status: "conflict",
    code: "UNDO_CONFLICT",
    message: describeConflicts(conflicts, rest),
    conflicts: conflicts.map(({ path }) => path),
    changeSet,
    ...(txId !== undefined && { txId }),
  };
}
