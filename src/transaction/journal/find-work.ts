import type { Workspace } from "../../workspace/workspace.ts";
import { readOwnTransactions } from "./own-journals.ts";
import type { JournalHeader, Outcome } from "./write-journal.ts";

/** How a piece of work ended in a workspace, according to its journals. */
export type WorkOutcome =
  /** It never changed anything there. */
  | { readonly kind: "none" }
  /** Some of its change sets are committed, the newest last, and the one that ends it is not. */
  | {
      readonly kind: "parts";
      readonly parts: readonly { readonly txId: string; readonly header: JournalHeader }[];
      /** How many there would have been. */
      readonly all: number;
    }
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
  const parts: { readonly txId: string; readonly header: JournalHeader }[] = [];
  for (const { txId, header, outcome } of readOwnTransactions(workspace)) {
    if (outcome?.status === "committed" && allParts(work, header.work) > 0) {
      parts.unshift({ txId, header });
    }
    if (header.work !== work) continue;
    if (outcome?.status === "committed") return { kind: "committed", txId, header };
    if (newest.kind !== "none") continue;
    newest = outcome
      ? { ...outcome, kind: "rolled_back", txId, header }
      : { kind: "unfinished", txId };
  }
  const [first] = parts;
  if (!first) return newest;
  return { kind: "parts", parts, all: allParts(work, first.header.work) };
}

/**
 * The work of one part of several that follow each other; the last has that of all of them, so that a
 * work which was cut off between two parts has not ended.
 */
export function workOfPart(work: string, number: number, all: number): string {
  return number === all ? work : `${work}#${number}/${all}`;
}

/** The work that a transaction is a part of, or its own. */
export function rowOfWork(work: string): string {
  return work.replace(/#\d+\/\d+$/u, "");
}

/** Of a part of this very work, how many parts it has; else 0. */
function allParts(work: string, ofPart: string | undefined): number {
  if (!ofPart?.startsWith(`${work}#`)) return 0;
  return Number(/^\d+\/(\d+)$/u.exec(ofPart.slice(work.length + 1))?.[1] ?? 0);
}
