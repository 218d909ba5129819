import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";
import type { Change } from "./change.ts";

/** The file's name in the folder of its transaction. */
export const JOURNAL_FILE = "journal.jsonl";

/** Why a transaction ran: a plan's change set, or the way back and forth through history. */
export type TransactionKind = "apply" | "undo" | "redo";

/** First line: what is about to be done; everything a way back needs. */
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
}

/** A file that somebody else changed in between; it was left as it is. */
export interface Kept {
  readonly path: string;
  /** What it was before the transaction, in `.papa-yu/objects/`; null: it did not exist. */
  readonly beforeSha256: string | null;
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

/** The journal of one transaction, open for writing. */
export interface Journal {
  /** Notes a step for people; recovery compares hashes and needs none. */
  step(text: string): void;
  /** Notes that the way back begins: an outcome written before no longer holds. */
  back(why: string): void;
  /** Writes the last line and returns once the disk has it. */
  end(outcome: Outcome): void;
  close(): void;
}

/** Writes the first line of a new journal; the caller syncs the file before the first change. */
export function beginJournal(path: string, header: JournalHeader): Journal {
  const fd = openSync(path, "ax", 0o600);
  try {
    writeLine(fd, { v: 1, line: "begin", ...header });
    return toJournal(fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens a journal that a crash left, to write how it ended. */
export function reopenJournal(path: string): Journal {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
  try {
    writeSync(fd, "\n"); // the last line may be torn
    return toJournal(fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function toJournal(fd: number): Journal {
  return {
    step: (text) => writeLine(fd, { line: "step", did: text }),
    back: (why) => writeLine(fd, { line: "back", why }),
    end(outcome) {
      writeLine(fd, { line: "end", ...outcome });
      fsyncSync(fd);
    },
    close: () => closeSync(fd),
  };
}

function writeLine(fd: number, value: object): void {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
