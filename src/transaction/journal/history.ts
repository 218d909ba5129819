import type { Workspace } from "../../workspace/workspace.ts";
import type { Change, Kept } from "../change.ts";
import { seriesOfWork } from "./find-work.ts";
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
  /** Why it was rolled back. */
  readonly error?: { readonly code: string; readonly message: string };
  readonly changeSetId: string;
  readonly changes: readonly Change[];
  /** The id of the work that it belongs to. */
  readonly work?: string;
  /** What it has in common with the other parts of its series, by the name that journals have for it. */
  readonly row?: string;
  /** The transaction that an undo or a redo took back. */
  readonly reverses?: string;
  /** Files that a roll-back left as somebody else had made them. */
  readonly kept: readonly Kept[];
}

/** The transactions of a workspace that this home made, oldest first. */
export function readHistory(workspace: Workspace): readonly HistoryEntry[] {
  return Array.from(readOwnTransactions(workspace), toEntry).toReversed();
}

/** The newest of them, oldest first, without reading the others. */
export function readNewest(workspace: Workspace, most: number): readonly HistoryEntry[] {
  return Array.from(readOwnTransactions(workspace).take(most), toEntry).toReversed();
}

/** The newest of those that are older than `before`, the newest first. */
export function readOlder(
  workspace: Workspace,
  before: string | undefined,
  most: number,
): readonly HistoryEntry[] {
  return Array.from(readOwnTransactions(workspace, before).take(most), toEntry);
}

/** One transaction by its id; undefined: this home made none in this workspace by it. */
export function readOne(workspace: Workspace, txId: string): HistoryEntry | undefined {
  // No id lies between one and what it is the beginning of.
  const [found] = readOlder(workspace, `${txId}\u0000`, 1);
  return found?.txId === txId ? found : undefined;
}

function toEntry({ txId, header, outcome }: OwnTransaction): HistoryEntry {
  const head = { txId, ...header, status: outcome?.status ?? "open" } as const;
  if (outcome?.status !== "rolled_back") return { ...head, kept: [] };
  const { kept, code, message } = outcome;
  return { ...head, kept, error: { code, message } };
}

/** The past of a workspace, of which only so much is read as somebody asks for. */
interface Past extends Disposable {
  newestFirst(): Generator<HistoryEntry>;
  find(txId: string): HistoryEntry | undefined;
}

function openPast(workspace: Workspace): Past {
  const source = readOwnTransactions(workspace);
  const known: HistoryEntry[] = [];
  function* newestFirst(): Generator<HistoryEntry> {
    for (let n = 0; ; n++) {
      const next = n < known.length ? undefined : source.next();
      if (next?.done) return;
      if (next) known.push(toEntry(next.value));
      const entry = known[n];
      if (entry) yield entry;
    }
  }
  return {
    newestFirst,
    find: (txId) => newestFirst().find((entry) => entry.txId === txId),
    [Symbol.dispose]: () => void source.return(undefined),
  };
}

/**
 * What undo or redo would take back, the next one first: no later one of its kind took it back. An
 * apply clears what could be redone; one that did nothing is none.
 */
function* stackOf(past: Past, kind: "undo" | "redo"): Generator<HistoryEntry> {
  const gone = new Set<string>();
  for (const entry of past.newestFirst()) {
    if (entry.status !== "committed") continue;
    if (entry.kind === kind && entry.reverses !== undefined) gone.add(entry.reverses);
    const isApply = entry.kind === "apply" && entry.changes.length > 0;
    if (isApply && kind === "redo") return;
    const isOn = kind === "redo" ? entry.kind === "undo" : isApply || entry.kind === "redo";
    if (isOn && !gone.has(entry.txId)) yield entry;
  }
}

/** What an undo or a redo takes back; undefined: there is nothing. Reads no further than to it. */
export function nextToTakeBack(
  workspace: Workspace,
  kind: "undo" | "redo",
): HistoryEntry | undefined {
  using past = openPast(workspace);
  return stackOf(past, kind).next().value ?? undefined;
}

/** Everything that can be undone, the newest first. */
export function listUndoable(workspace: Workspace): readonly HistoryEntry[] {
  using past = openPast(workspace);
  return [...stackOf(past, "undo")];
}

/**
 * The parts that are taken back with the newest change, or with the transaction `only` where that is
 * of the series on top: all of one goal that follow each other, the newest first. None where there is
 * nothing to undo; a change that is no part of a series is alone, and so is one that is not on top.
 */
export function seriesOnTop(workspace: Workspace, only?: string): readonly HistoryEntry[] {
  using past = openPast(workspace);
  const target = only === undefined ? stackOf(past, "undo").next().value : past.find(only);
  if (!target) return [];
  const series = seriesOf(target, past);
  if (series === undefined) return [target];
  const parts: HistoryEntry[] = [];
  for (const entry of stackOf(past, "undo")) {
    if (seriesOf(entry, past) !== series) break;
    parts.push(entry);
  }
  return parts.length > 0 ? parts : [target];
}

/** What was redone is of the series that made it. */
function seriesOf(entry: HistoryEntry, past: Past): string | undefined {
  const { row, work, reverses } = entry;
  const origin = reverses === undefined ? undefined : past.find(reverses);
  if (origin) return seriesOf(origin, past);
  return row ?? (work === undefined ? undefined : seriesOfWork(work)); // older journals do not say it
}
