import type { Workspace } from "../../workspace/workspace.ts";
import type { Change, Kept } from "../change.ts";
import { rowOfWork } from "./find-work.ts";
import { type OwnTransaction, readOwnTransactions } from "./own-journals.ts";
import type { TransactionKind } from "./write-journal.ts";

/** One transaction of a workspace's past. */
export interface HistoryEntry {
  readonly txId: string;
  readonly kind: TransactionKind;
  /** `open`: unfinished; running now, or left by a crash and rolled back at the next start. */
  readonly status: "committed" | "rolled_back" | "open";
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly summary: string;
  readonly changeSetId: string;
  readonly changes: readonly Change[];
  /** The id of the work that it belongs to. */
  readonly work?: string;
  /** What it has in common with the other parts of its goal. */
  readonly row?: string;
  /** The transaction that an undo or a redo took back. */
  readonly reverses?: string;
  /** Files that a roll-back left as somebody else had made them. */
  readonly kept: readonly Kept[];
}

/** What undo and redo would take back, the next one last. */
export interface UndoStacks {
  readonly undo: readonly HistoryEntry[];
  readonly redo: readonly HistoryEntry[];
}

/** The transactions of a workspace that this home made, oldest first. */
export function readHistory(workspace: Workspace): readonly HistoryEntry[] {
  return Array.from(readOwnTransactions(workspace), toEntry).toReversed();
}

/** The newest of them, oldest first, without reading the others. */
export function readNewest(workspace: Workspace, most: number): readonly HistoryEntry[] {
  return Array.from(readOwnTransactions(workspace).take(most), toEntry).toReversed();
}

function toEntry({ txId, header, outcome }: OwnTransaction): HistoryEntry {
  const kept = outcome?.status === "rolled_back" ? outcome.kept : [];
  return { txId, ...header, status: outcome?.status ?? "open", kept };
}

/** Derives both stacks: an apply clears redo, an undo moves to redo, a redo moves back. */
export function buildUndoStacks(history: readonly HistoryEntry[]): UndoStacks {
  const undo: HistoryEntry[] = [];
  const redo: HistoryEntry[] = [];
  for (const entry of history) {
    if (entry.status !== "committed") continue;
    switch (entry.kind) {
      case "apply":
        if (entry.changes.length === 0) break; // it did nothing, so nothing can take it back
        undo.push(entry);
        redo.length = 0;
        break;
      case "undo":
        take(undo, entry);
        redo.push(entry);
        break;
      case "redo":
        take(redo, entry);
        undo.push(entry);
        break;
      default:
        entry.kind satisfies never;
    }
  }
  return { undo, redo };
}

/** What it takes back: the newest, or, where newer ones are none of ours, the one it names. */
function take(stack: HistoryEntry[], { reverses }: HistoryEntry): void {
  const index = stack.findLastIndex(({ txId }) => txId === reverses);
  if (index >= 0) stack.splice(index, 1);
}

/**
 * The parts that are taken back with the newest change, or with the transaction `only` where that is
 * of the row on top: all of one goal that follow each other, the newest first. None where there is
 * nothing to undo; a change that is no part of a row is alone, and so is one that is not on top.
 */
export function rowOnTop(workspace: Workspace, only?: string): readonly HistoryEntry[] {
  const history = readHistory(workspace);
  const newest = buildUndoStacks(history).undo.toReversed();
  const target = only === undefined ? newest[0] : history.find(({ txId }) => txId === only);
  if (!target) return [];
  const row = rowOf(target, history);
  if (row === undefined) return [target];
  const end = newest.findIndex((entry) => rowOf(entry, history) !== row);
  const parts = newest.slice(0, end === -1 ? newest.length : end);
  return parts.length > 0 ? parts : [target];
}

/** What was redone is of the row that made it. */
function rowOf(entry: HistoryEntry, history: readonly HistoryEntry[]): string | undefined {
  const { row, work, reverses } = entry;
  const origin = reverses && history.find(({ txId }) => txId === reverses);
  if (origin) return rowOf(origin, history);
  return row ?? (work === undefined ? undefined : rowOfWork(work)); // older journals say no row
}
