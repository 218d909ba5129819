import type { Workspace } from "../../workspace/workspace.ts";
import { readOwnTransactions } from "./own-journals.ts";
import type { JournalHeader, Outcome } from "./write-journal.ts";

/** How a piece of work ended in a workspace, according to its journals. */
export type WorkOutcome =
  /** It never changed anything there. */
  | { readonly kind: "none" }
  /** It runs now, or recovery has to put it back. */
  | { readonly kind: "unfinished"; readonly txId: string }
  | { readonly kind: "committed"; readonly txId: string; readonly header: JournalHeader }
  | ({
      readonly kind: "rolled_back";
      readonly txId: string;
      readonly header: JournalHeader;
    } & Omit<Extract<Outcome, { status: "rolled_back" }>, "status">);

/**
 * How `work` ended, also after a crash: what it committed, or else how its newest transaction
 * ended. The journal says so even when the process died before it could report.
 */
export function findByWork(workspace: Workspace, work: string): WorkOutcome {
  let newest: WorkOutcome = { kind: "none" };
  for (const { txId, header, outcome } of readOwnTransactions(workspace)) {
    if (header.work !== work) continue;
    if (outcome?.status === "committed") return { kind: "committed", txId, header };
    if (newest.kind !== "none") continue;
    newest = outcome
      ? { ...outcome, kind: "rolled_back", txId, header }
      : { kind: "unfinished", txId };
  }
  return newest;
}
