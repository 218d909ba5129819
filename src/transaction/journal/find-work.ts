import type { Workspace } from "../../workspace/workspace.ts";
import { readOwnTransactions } from "./own-journals.ts";
import type { JournalHeader, Outcome } from "./write-journal.ts";

/** How a piece of work ended in a workspace, according to its journals. */
export type WorkOutcome =
  /** It never changed anything there. */
  | { readonly kind: "none" }
  /** Some of its change sets follow each other and are committed, the newest last. */
  | {
      readonly kind: "parts";
      readonly parts: readonly CommittedPart[];
      /** How many were made before it by another work. */
      readonly before: number;
      /** How many there are with those, or would have been: the last of them ends it. */
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
  const parts: (CommittedPart & { readonly place: Place })[] = [];
  for (const { txId, header, outcome } of readOwnTransactions(workspace)) {
    const place = placeIn(work, header.work);
    if (!place && header.work !== work) continue;
    if (outcome?.status === "committed") {
      if (!place) return { kind: "committed", txId, header };
      parts.unshift({ txId, header, place });
      if (place.number === 1) break;
    } else if (newest.kind === "none") {
      newest = outcome
        ? { ...outcome, kind: "rolled_back", txId, header }
        : { kind: "unfinished", txId };
    }
  }
  const [first] = parts;
  if (!first) return newest;
  const { number, all } = first.place;
  return {
    kind: "parts",
    parts: parts.map(({ txId, header }) => ({ txId, header })),
    before: number - 1,
    all,
  };
}

/** The work of one part of several that follow each other, from 1. */
export function workOfPart(work: string, number: number, all: number): string {
  return `${work}#${number}/${all}`;
}

/** The work that a transaction is a part of, or its own. */
export function seriesOfWork(work: string): string {
  return work.replace(/#\d+\/\d+$/u, "");
}

interface CommittedPart {
  readonly txId: string;
  readonly header: JournalHeader;
}

interface Place {
  readonly number: number;
  readonly all: number;
}

/** Which part of this very work it is; undefined: none. */
function placeIn(work: string, ofPart: string | undefined): Place | undefined {
  if (!ofPart?.startsWith(`${work}#`)) return undefined;
  const found = /^(\d+)\/(\d+)$/u.exec(ofPart.slice(work.length + 1));
  return found ? { number: Number(found[1]), all: Number(found[2]) } : undefined;
}
