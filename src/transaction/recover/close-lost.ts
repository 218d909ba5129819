import { AppError } from "../../core/app-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { findLeftovers, findOwn, headerOf, noteEnd } from "../journal/journal.ts";
import { takeWorkspaceLock } from "../lock.ts";
import { describeLooked, isLostForGood, type LookedAgain, lookAgain } from "../look-again.ts";
import { removeTransaction } from "../stage/stage.ts";
import { openTree } from "../tree.ts";
import { type RecoverOptions, type Recovery, recoverLeftovers } from "./recover.ts";

/** How closing a transaction that can never be rolled back as a whole ended. */
export interface ClosedTransaction {
  /** What could be rolled back was, of this and of other transactions. */
  readonly recovered: readonly Recovery[];
  /**
   * The state of its files, which stays; undefined when all of it went back, or was settled, after
   * all.
   */
  readonly left: LookedAgain | undefined;
}

/**
 * Ends an unfinished transaction whose before-images are gone, or that began in what may be another
 * folder: its files stay as they are. A person who knows what is lost confirms it by its id.
 *
 * @throws AppError ERR_ADOPT when no such one is open, ERR_ROLLBACK_INCOMPLETE while a path can
 * still go back, ERR_WORKSPACE_BUSY, ERR_IO
 */
export function closeLost(
  workspace: Workspace,
  txId: string,
  options: RecoverOptions,
): ClosedTransaction {
  const release = takeWorkspaceLock(workspace, "recover --close", Date.now());
  try {
    const recovered = recoverLeftovers(workspace, options);
    const own = findOwn(workspace);
    const { own: sure, uncertain } = findLeftovers(workspace);
    const entry = [...sure, ...uncertain].find((each) => each.txId === txId);
    if (!own || !entry) {
      if (recovered.some((each) => each.txId === txId)) return { recovered, left: undefined };
      const known = [...sure, ...uncertain].map((each) => each.txId).join(", ") || "none";
      throw new AppError(
        "ERR_ADOPT",
        `Cannot close "${txId}": it is not open here; open: ${known}`,
      );
    }
    using tree = openTree(workspace.root);
    const isOwn = sure.includes(entry);
    const tried = recovered.find((each) => each.txId === txId)?.looked;
    if (tried && !isLostForGood(tried)) {
      const how = describeLooked(tried, workspace, txId);
      throw new AppError("ERR_ROLLBACK_INCOMPLETE", `Cannot close "${txId}" yet: ${how}`);
    }
    const left = tried ?? lookAgain(tree, headerOf(entry.header).changes, new Map());
    const transaction = { workspaceId: own.workspaceId, txId };
    noteEnd({ ledger: own.ledger, transaction }, undefined);
    if (isOwn) removeTransaction(tree, txId);
    options.log("TRANSACTION_CLOSED", { tx_id: txId, pending: left.pending.length });
    return { recovered: recovered.filter((each) => each.txId !== txId), left };
  } finally {
    release();
  }
}
