import { lstatSync } from "node:fs";
import { systemErrorCode } from "../../core/app-error.ts";
import { carriesId } from "../../workspace/identity.ts";
import type { LedgerKey, OpenEntry } from "../../workspace/ledger.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { lookAgain } from "../look-again.ts";
import { transactionPath } from "../stage/stage.ts";
import { openTree, type Tree } from "../tree.ts";
import { parseRecord } from "./journal-record.ts";
import { findOwn, headerOf, readJournal } from "./own-journals.ts";
import { type JournalHeader, toFirstRecord } from "./write-journal.ts";

/** What this home began in a workspace and what has not ended. */
export interface Leftovers {
  /** To be taken back by the next process. */
  readonly own: readonly OpenEntry[];
  /** Began at this path, in what may be another folder: nothing in it says that it is the same. */
  readonly uncertain: readonly OpenEntry[];
}

/** What the home notes before a transaction begins: the first record, and which folder it is in. */
export function toRow(header: JournalHeader, transaction: LedgerKey, root: string): string {
  return JSON.stringify({ ...toFirstRecord(header, transaction), folder: markOf(root) });
}

/**
 * What has not ended. Without its folder it never began, or is in a copy that is not here now; or
 * the state folder was taken away, by a person or a tool such as `git clean`. Where this is the
 * very folder in which the newest began, what is at its paths decides. A folder that was deleted
 * and cloned again at the same path may hold the same, and there it is somebody's work.
 */
export function findLeftovers(workspace: Workspace): Leftovers {
  const found = findOwn(workspace);
  const open = found?.ledger.listOpen(found.workspaceId) ?? [];
  if (!found || open.length === 0) return { own: [], uncertain: [] };
  const { ledger, workspaceId } = found;
  using tree = openTree(workspace.root);
  const mark = markOf(workspace.root);
  const newest = ledger.list(workspaceId).at(-1)?.txId;
  const left = open.flatMap((entry) => {
    const { txId, header } = entry;
    const isHere = mark !== undefined && mark === parseRecord(header)["folder"];
    if (!isFolder(tree, transactionPath(txId))) {
      if (isHere && txId === newest) return { entry, isSure: true };
      const { status } = lookAgain(tree, headerOf(header).changes, new Map());
      return status === "incomplete" ? { entry, isSure: false } : [];
    }
    if (isHere) return { entry, isSure: true };
    const isOwn = () => readJournal(tree, ledger.findKey(), { workspaceId, txId }).kind === "own";
    return { entry, isSure: carriesId(workspace, workspaceId) || isOwn() };
  });
  const pick = (isSure: boolean) =>
    left.filter((each) => each.isSure === isSure).map(({ entry }) => entry);
  return { own: pick(true), uncertain: pick(false) };
}

/**
 * Tells a folder from another one that came to its path later. A disk that was restored or moved
 * gives other numbers, and one that notes no birth gives a number again: then what is in the state
 * folder decides, or a person is asked.
 */
export function markOf(root: string): string | undefined {
  const { ino, birthtimeNs } = lstatSync(root, { bigint: true });
  return birthtimeNs === 0n ? undefined : `${ino}:${birthtimeNs}`;
}

/** Whether a folder is there, and no link is on the way to it. */
export function isFolder(tree: Tree, path: string): boolean {
  try {
    return tree.look(path).kind === "folder";
  } catch (error) {
    if (/^(ENOTDIR|ELOOP)$/.test(systemErrorCode(error) ?? "")) return false; // a link on the way
    throw error;
  }
}
