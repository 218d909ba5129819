import { closeSync, fchmodSync, openSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { hasCode, orElse } from "../../core/app-error.ts";
import { STATE_DIR } from "../../workspace/workspace.ts";
import type { Change, ChangeSet } from "../change.ts";
import { contentOf } from "../change-set.ts";
import { type Found, hasContent, parentOf, type Tree } from "../tree.ts";
import { removeImages } from "./objects.ts";

export { keepAccess, keepOwner, takeFromFolder } from "./access.ts";
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

/** Of what was taken out of the workspace, and may be somebody's. */
const OLD = ".old";

/** Where the files of one change wait or are kept, as paths in the workspace. */
export interface Slot {
  /** The new content, in the transaction's folder. */
  readonly staged: string;
  /** The file whose place it takes, with its owner, times and attributes; not on every disk. */
  readonly old: string;
  /** What a roll-back takes away, until it is looked at: it may be somebody's by then. */
  readonly aside: string;
  /** A copy next to the target, where that is on another disk or a roll-back finds no stage. */
  readonly sibling: string;
  /** The same as `old` where the stage is on another disk. */
  readonly siblingOld: string;
  /** What a roll-back takes away there, until it is looked at. */
  readonly siblingAside: string;
}

/** The slot of the change with this index. */
export function slotOf(txId: string, index: number, path: string): Slot {
  const staged = `${transactionPath(txId)}/${PREFIX}${index}`;
  const folder = parentOf(path);
  const name = `${besidePrefix(txId)}${index}`;
  const sibling = folder === "" ? name : `${folder}/${name}`;
  return {
    staged,
    old: `${staged}${OLD}`,
    aside: `${staged}.aside${OLD}`,
    sibling,
    siblingOld: `${sibling}${OLD}`,
    siblingAside: `${sibling}.aside${OLD}`,
  };
}

function besidePrefix(txId: string): string {
  return `.papa-yu-${txId}-`;
}

/** Where something is kept that somebody saved in the middle of a change; it is never removed. */
const KEPT = "kept-";

/** A name for it, by the number of the change; `turn` counts those that are taken. */
export function keptPath(txId: string, index: number, turn: number): string {
  return `${transactionPath(txId)}/${KEPT}${index}${turnOf(turn)}`;
}

/** The same beside its path, where the stage is gone or on another disk. */
export function keptBeside({ sibling }: Slot, turn: number): string {
  return `${sibling}${KEPT_BESIDE}${turnOf(turn)}`;
}

const KEPT_BESIDE = ".kept";

function turnOf(turn: number): string {
  return turn === 0 ? "" : `-${turn}`;
}

/** All that is kept so of a transaction, by the path that it was at. */
export function listKeptFiles(
  tree: Tree,
  txId: string,
  changes: readonly Change[],
): ReadonlyMap<string, readonly string[]> {
  const kept = new Map<string, string[]>();
  const look = (
    folder: string,
    isKept: (name: string, index: number) => boolean,
    prefix: string,
  ) => {
    for (const name of namesIn(tree, folder).toSorted()) {
      const index = Number.parseInt(name.slice(prefix.length), 10);
      const path = name.startsWith(prefix) ? changes[index]?.path : undefined;
      if (path === undefined || !isKept(name, index)) continue;
      kept.set(path, [...(kept.get(path) ?? []), folder === "" ? name : `${folder}/${name}`]);
    }
  };
  look(transactionPath(txId), () => true, KEPT);
  const prefix = besidePrefix(txId);
  for (const folder of new Set(changes.map(({ path }) => parentOf(path)))) {
    const isKept = (name: string, index: number) =>
      name.startsWith(`${prefix}${index}${KEPT_BESIDE}`);
    attempt(() => look(folder, isKept, prefix)); // a folder that lets nobody look is no reason to fail
  }
  return kept;
}

function namesIn(tree: Tree, folder: string): readonly string[] {
  return orElse(
    () => tree.list(folder),
    hasCode("ENOENT", "ENOTDIR", "ELOOP"),
    () => [],
  );
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

/** The mode of a copy beside its path, where others may look, before it has its owner and its list. */
export const FOR_OWNER = 0o600;

/** Writes a file that must not be there yet, and returns it open. */
export function writeNew(path: string, bytes: Uint8Array, mode: number): number {
  const fd = openSync(path, "wx", FOR_OWNER);
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
  removeStaged(tree, txId, (name) => name.endsWith(OLD));
}

/** Removes what is left in the stage. */
export function removeStage(tree: Tree, txId: string): void {
  removeStaged(tree, txId, () => false);
}

/** Whether anything is left in the stage: a kill came before it was emptied. */
export function hasStage(tree: Tree, txId: string): boolean {
  return namesIn(tree, transactionPath(txId)).some((name) => name.startsWith(PREFIX));
}

/**
 * Removes what a finished transaction may have left: its stage, and copies next to its targets.
 * Nothing else has these names, and no more is looked at than its changes list.
 */
export function removeLitter(tree: Tree, txId: string, changes: readonly Change[]): void {
  removeStage(tree, txId);
  for (const [index, change] of changes.entries()) {
    const { sibling, siblingOld, siblingAside } = slotOf(txId, index, change.path);
    attempt(() => {
      if (tree.has(sibling)) unlinkSync(tree.touch(sibling));
      for (const place of [siblingOld, siblingAside]) removeKnown(tree, place, change);
    });
  }
}

/** Removes what of the changes is kept beside its path in a folder that is to go itself. */
export function clearBeside(
  tree: Tree,
  txId: string,
  changes: readonly Change[],
  folder: string,
): void {
  const prefix = besidePrefix(txId);
  for (const name of namesIn(tree, folder)) {
    const index = Number.parseInt(name.slice(prefix.length), 10);
    const change = name.startsWith(prefix) ? changes[index] : undefined;
    if (!change || parentOf(change.path) !== folder) continue;
    const { siblingOld, siblingAside } = slotOf(txId, index, change.path);
    for (const place of [siblingOld, siblingAside]) removeKnown(tree, place, change);
  }
}

/** Removes what was moved out of a path, unless it is somebody's. */
export function removeKnown(tree: Tree, moved: string, change: Change): void {
  attempt(() => {
    if (tree.has(moved) && isKnown(tree.look(moved), change)) unlinkSync(tree.touch(moved));
  });
}

/** Whether it is a file of before or of after, and so none that somebody would miss. */
export function isKnown(found: Found, change: Change): boolean {
  const states = [
    ...("before" in change ? [change.before] : []),
    ...("after" in change ? [change.after] : []),
  ];
  return states.some((state) => hasContent(found, state));
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
