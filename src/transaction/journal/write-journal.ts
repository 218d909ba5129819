import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  writeSync,
} from "node:fs";
import type { Ledger, LedgerKey } from "../../workspace/ledger.ts";
import type { Change, Kept } from "../change.ts";
import type { Resolved } from "../look-again.ts";
import { createSealer, type Sealer } from "./seal.ts";

/** Why a transaction ran: a plan's change set, or an undo or redo of an earlier one. */
export type TransactionKind = "apply" | "undo" | "redo";

/** First line: what is about to be done; everything a roll-back needs. */
export interface JournalHeader {
  readonly kind: TransactionKind;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly changeSetId: string;
  readonly summary: string;
  readonly changes: readonly Change[];
  /** The transaction that an undo or a redo takes back. */
  readonly reverses?: string;
  /**
   * What it is for: a message, a press, a call of a turn or a run of a routine, by the id under
   * which that is taken up again after a crash. A work commits at most one transaction.
   */
  readonly work?: string;
  /** Of a part of a goal: what all its parts have in common, also those made after a stop. */
  readonly row?: string;
  /** Of an undo or a redo that leaves something as it is: what, and why. */
  readonly left?: string;
}

/** Last line: how it ended. */
export type Outcome =
  | { readonly status: "committed" }
  | {
      readonly status: "rolled_back";
      /** One of the error codes. */
      readonly code: string;
      readonly message: string;
      readonly kept: readonly Kept[];
    };

/** What a journal may be ended with: one is rolled back only when every path was looked at again. */
export type Ending =
  | { readonly status: "committed" }
  | {
      readonly status: "rolled_back";
      readonly code: string;
      readonly message: string;
      readonly looked: Resolved;
    };

/** The journal of one transaction, open for writing. */
export interface Journal {
  /** Notes a step for people; recovery compares hashes and needs none. */
  step(text: string): void;
  /** Notes that the roll-back begins: an outcome written before no longer holds. */
  back(why: string): void;
  /**
   * Tells the home that it is about to end so, all of it being done. The journal is in a folder that
   * people clean: of one that is gone and had ended, nothing may ever be taken back. Throws what the
   * home says.
   */
  announce(ending: { readonly status: "committed" }): void;
  /** Writes the last line and returns once the disk has it. */
  end(ending: Ending): void;
  /** Whether this path still leads to what was written so far. */
  isWholeAt(path: string): boolean;
  close(): void;
}

/** A transaction and the home that vouches for it. */
export interface OwnedTransaction {
  readonly ledger: Ledger;
  readonly transaction: LedgerKey;
}

/** The first record as it is in the journal and in the home. */
export function toFirstRecord(header: JournalHeader, { workspaceId, txId }: LedgerKey): object {
  return { v: 2, line: "begin", workspace: workspaceId, tx: txId, ...header };
}

/** The last record of one that has ended. */
export function toLastRecord(outcome: Outcome): object {
  return { line: "end", ...outcome };
}

/** Writes the first line of a new journal; the caller syncs the file before the first change. */
export function beginJournal(
  path: string,
  header: JournalHeader,
  owned: OwnedTransaction,
): Journal {
  const { ledger, transaction } = owned;
  const sealer = createSealer(ledger.key(), transaction);
  const fd = openSync(path, "ax", 0o600);
  try {
    writeLine(fd, sealer.toLine(toFirstRecord(header, transaction)));
    return toJournal(fd, sealer, owned);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens a journal that a crash left, to go on after its last whole line. */
export function reopenJournal(
  path: string,
  last: { readonly seal: string; readonly end: number },
  owned: OwnedTransaction,
): Journal {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
  try {
    ftruncateSync(fd, last.end); // the last line may be incomplete
    const sealer = createSealer(owned.ledger.key(), owned.transaction, last.seal);
    return toJournal(fd, sealer, owned);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function toJournal(fd: number, first: Sealer, { ledger, transaction }: OwnedTransaction): Journal {
  let sealer = first;
  let writtenBytes = fstatSync(fd).size;
  let isAnnounced = false;

  /** A line that the disk refuses is taken out again: what follows it must count, and it must not. */
  const append = (record: object, isLast = false): void => {
    const { last } = sealer;
    const sizeBytes = fstatSync(fd).size;
    try {
      const line = sealer.toLine(record);
      writeLine(fd, line);
      if (isLast) fsyncSync(fd);
      writtenBytes += line.length;
    } catch (error) {
      sealer = createSealer(ledger.key(), transaction, last);
      ftruncateSync(fd, sizeBytes);
      throw error;
    }
  };

  return {
    step: (text) => append({ line: "step", did: text }),
    back(why) {
      if (isAnnounced) ledger.ending(transaction, undefined);
      isAnnounced = false;
      append({ line: "back", why });
    },
    announce(ending) {
      const next = createSealer(ledger.key(), transaction, sealer.last);
      next.toLine(toLastRecord(ending));
      ledger.ending(transaction, next.last);
      isAnnounced = true;
    },
    end(ending) {
      append(toLastRecord(toOutcome(ending)), true);
      noteEnd({ ledger, transaction }, sealer.last);
    },
    isWholeAt(path) {
      const found = lstatSync(path, { throwIfNoEntry: false });
      const { dev, ino, size } = fstatSync(fd);
      return found?.dev === dev && found.ino === ino && size === writtenBytes;
    },
    close: () => closeSync(fd),
  };
}

function toOutcome(ending: Ending): Outcome {
  if (ending.status === "committed") return ending;
  const { status, code, message, looked } = ending;
  const kept = looked.kept.map(({ path, beforeSha256 }) => ({ path, beforeSha256 }));
  return { status, code, message, kept };
}

/** Tells the home how a journal ended. The journal says it, too, so that a failure is made up for. */
export function noteEnd({ ledger, transaction }: OwnedTransaction, seal: string | undefined): void {
  try {
    ledger.end(transaction, seal);
  } catch {
    // it stays open there until recovery finds the journal ended
  }
}

function writeLine(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
