import type { Change, ChangeSet } from "../../transaction/change.ts";
import { type HistoryEntry, readNewest, readOwnAfter } from "../../transaction/journal/journal.ts";
import { openImages } from "../../transaction/stage/stage.ts";
import { openTree } from "../../transaction/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** How far back the change of an approval is looked for. */
const NEWEST = 500;

/** What became of a change set in its folder. */
export interface PastChange {
  readonly txId: string;
  readonly status: HistoryEntry["status"] | "undone";
  /** With those contents that are still there: in the journal, or in the folder as it was left. */
  readonly changeSet: ChangeSet;
}

/** The change that an approval led to, as its journal has it; undefined: there is none. */
export function findPastChange(workspace: Workspace, changeSetId: string): PastChange | undefined {
  const newest = readNewest(workspace, NEWEST);
  const entry = newest.findLast(
    (each) => each.kind === "apply" && each.changeSetId === changeSetId,
  );
  if (!entry) return undefined;
  const isBack = isTakenBack(newest, entry.txId);
  const status = entry.status === "committed" && isBack ? "undone" : entry.status;
  return { txId: entry.txId, status, changeSet: withContents(workspace, entry) };
}

/** Whether the contents of a change are there: of one of the past they may be gone. */
export function isWhole({ contents }: ChangeSet, change: Change): boolean {
  const states = [
    ...("before" in change ? [change.before] : []),
    ...("after" in change ? [change.after] : []),
  ];
  return states.every(({ sha256 }) => contents.has(sha256));
}

/** What a transaction was, as far as it takes another one back. */
type Reversal = Pick<HistoryEntry, "txId" | "status" | "reverses">;

/** Whether a change of a workspace is taken back by now, as far as what followed is looked through. */
export function wasTakenBack(workspace: Workspace, txId: string): boolean {
  const later = Array.from(
    readOwnAfter(workspace, txId, MOST_NEWER),
    ({ txId: newer, header, outcome }): Reversal => ({
      txId: newer,
      status: outcome?.status ?? "open",
      ...(header.reverses !== undefined && { reverses: header.reverses }),
    }),
  );
  return isTakenBack(later, txId);
}

/** Whether an undo took it back that no redo took back. */
function isTakenBack(newest: readonly Reversal[], txId: string): boolean {
  const reversal = newest.findLast((each) => each.status === "committed" && each.reverses === txId);
  return reversal !== undefined && !isTakenBack(newest, reversal.txId);
}

/** How many changes that followed are looked through for what one wrote. */
const MOST_NEWER = 500;

/**
 * A change of the past with those contents that are still there: in its archive, in the folder, or,
 * where it was changed again since, in the archives of what followed.
 */
export function withContents(
  workspace: Workspace,
  { txId, changes, changeSetId }: HistoryEntry,
): ChangeSet {
  using images = openImages(workspace, txId);
  using tree = openTree(workspace.root);
  const contents = new Map<string, Uint8Array>();
  const keep = (hash: string, path: string) => {
    if (contents.has(hash)) return;
    const found = tree.look(path);
    const isThere = found.kind === "file" && found.state.sha256 === hash;
    const bytes = isThere ? found.bytes : images.read(hash);
    if (bytes) contents.set(hash, bytes);
  };
  for (const change of changes) {
    if ("before" in change) keep(change.before.sha256, change.path);
    if ("after" in change) keep(change.after.sha256, change.path);
  }
  const missing = new Set(
    changes.flatMap((change) =>
      "after" in change && !contents.has(change.after.sha256) ? [change.after.sha256] : [],
    ),
  );
  if (missing.size === 0) return { id: changeSetId, changes, contents, notes: [] };
  for (const { txId: newer, header } of readOwnAfter(workspace, txId, MOST_NEWER)) {
    const here = header.changes.flatMap((change) =>
      "before" in change && missing.has(change.before.sha256) ? [change.before.sha256] : [],
    );
    if (here.length === 0) continue;
    using others = openImages(workspace, newer);
    for (const hash of here) {
      const bytes = others.read(hash);
      if (!bytes) continue;
      contents.set(hash, bytes);
      missing.delete(hash);
    }
    if (missing.size === 0) break;
  }
  return { id: changeSetId, changes, contents, notes: [] };
}
