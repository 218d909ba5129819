import { closeSync, fchmodSync, openSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { hasCode, orElse } from "../../core/app-error.ts";
import { STATE_DIR } from "../../workspace/workspace.ts";
import type { Change, ChangeSet } from "../change.ts";
import { contentOf } from "../change-set.ts";
import { parentOf, type Tree } from "../tree.ts";
import { removeImages } from "./objects.ts";

export { keepAccess, noteOnOwner, type Owner, takeFromFolder } from "./access.ts";
export {
  hasImages,
  type Images,
  imagesPath,
  needsImages,
  OBJECTS,
  openImages,
  removeImages,
  writeImages,
} from "./objects.ts";

/** The journal's name in the folder of its transaction. */
const JOURNAL_FILE = "journal.jsonl";

/** Next to the journal: a folder of its own would cost each transaction as much as a file. */
const PREFIX = "stage-";

/** Where the files of one change wait or are kept, as paths in the workspace. */
export interface Slot {
  /** The new content, in the transaction's folder. */
  readonly staged: string;
  /** The file whose place it takes, with its owner, times and attributes; not on every disk. */
  readonly old: string;
  /** A copy next to the target, where that is on another disk or a roll-back finds no stage. */
  readonly sibling: string;
}

/** The slot of the change with this index. */
export function slotOf(txId: string, index: number, path: string): Slot {
  const staged = `${transactionPath(txId)}/${PREFIX}${index}`;
  const folder = parentOf(path);
  const name = `.papa-yu-${txId}-${index}`;
  return { staged, old: `${staged}.old`, sibling: folder === "" ? name : `${folder}/${name}` };
}

/** The folder of a transaction, as a path in the workspace. */
export function transactionPath(txId: string): string {
  return `${STATE_DIR}/tx/${txId}`;
}

/** Its journal, as a path in the workspace. */
export function journalPath(txId: string): string {
  return `${transactionPath(txId)}/${JOURNAL_FILE}`;
}

/** Functions that each write one new content with its final mode, to be synced together. */
export function stageWriters(
  tree: Tree,
  txId: string,
  changeSet: ChangeSet,
): readonly (() => number)[] {
  return changeSet.changes.flatMap((change, index) => {
    if (!("after" in change)) return [];
    const bytes = contentOf(changeSet, change.after);
    const { staged } = slotOf(txId, index, change.path);
    return () => writeNew(tree.at(staged), bytes, change.after.mode);
  });
}

/** Writes a file that must not be there yet, and returns it open. */
export function writeNew(path: string, bytes: Uint8Array, mode: number): number {
  const fd = openSync(path, "wx", 0o600);
  try {
    writeFileSync(fd, bytes);
    fchmodSync(fd, mode & 0o777); // regardless of the umask; nothing lends its owner's rights
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Removes the new contents from the stage, which makes room for a roll-back. The files that were
 * taken out of the workspace stay until it is done, even if they have other names.
 */
export function clearStage(tree: Tree, txId: string): void {
  removeStaged(tree, txId, (name) => name.endsWith(".old"));
}

/** Removes what is left in the stage. */
export function removeStage(tree: Tree, txId: string): void {
  removeStaged(tree, txId, () => false);
}

/**
 * Removes what a finished transaction may have left: its stage, and copies next to its targets.
 * Nothing else has these names, and no more is looked at than its changes list.
 */
export function removeLitter(tree: Tree, txId: string, changes: readonly Change[]): void {
  removeStage(tree, txId);
  for (const [index, { path }] of changes.entries()) {
    const { sibling } = slotOf(txId, index, path);
    attempt(() => {
      if (tree.has(sibling)) unlinkSync(tree.touch(sibling));
    });
  }
}

/** Removes all of a transaction that never began. */
export function removeTransaction(tree: Tree, txId: string): void {
  removeImages(tree, txId);
  empty(tree, transactionPath(txId), (name) => name === JOURNAL_FILE || name.startsWith(PREFIX));
  attempt(() => rmdirSync(tree.at(transactionPath(txId))));
}

function removeStaged(tree: Tree, txId: string, isKept: (name: string) => boolean): void {
  const isLitter = (name: string) => name.startsWith(PREFIX) && !isKept(name);
  empty(tree, transactionPath(txId), isLitter);
}

/** Unlinks one by one what is in a folder: no link leads anywhere else. */
function empty(tree: Tree, folder: string, isLitter: (name: string) => boolean): void {
  attempt(() => {
    for (const name of tree.list(folder)) {
      attempt(() => {
        if (isLitter(name)) removeEntry(tree, `${folder}/${name}`);
      });
    }
  });
}

/** A folder goes that a change took away, unless somebody wrote into it meanwhile. */
function removeEntry(tree: Tree, path: string): void {
  orElse(
    () => unlinkSync(tree.at(path)),
    hasCode("EISDIR", "EPERM"),
    () => rmdirSync(tree.at(path)),
  );
}

/** What cannot be removed is litter, and no reason to fail. */
function attempt(remove: () => void): void {
  try {
    remove();
  } catch {
    // a check may have removed it already
  }
}
