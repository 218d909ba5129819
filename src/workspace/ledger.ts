/**
 * What the home folder knows of the transactions in workspaces. A workspace may have come from
 * anywhere, its state folder with it; what the home knows was written by this papa-yu.
 */
export interface Ledger {
  /** The key that journals are sealed with, made at first need and on the disk. */
  key(): Buffer;
  /** The same without making one; undefined: this home never sealed anything, or it was lost. */
  findKey(): Buffer | undefined;
  /** Where the workspace with this id was last; undefined: it is unknown here. */
  rootOf(workspaceId: string): string | undefined;
  /** Where the workspace with this transaction was last; undefined: it is unknown here. */
  rootWith(txId: string): string | undefined;
  /** The id of the workspace that was last at this real path. */
  idAt(root: string): string | undefined;
  /** Notes that this id is the workspace at this path, from now on; on the disk when it returns. */
  claim(workspaceId: string, root: string): void;
  /**
   * Notes a transaction before anything of it is written, or anew while it is open; on the disk
   * when it returns.
   */
  begin(transaction: LedgerKey, header: string): void;
  /**
   * Notes the seal with which its journal is about to end, or that it is not: where the journal is
   * gone later, it had ended. A crash of the process keeps the note, a power cut may not.
   */
  ending(transaction: LedgerKey, seal: string | undefined): void;
  /** Notes how its journal ended. The journal was the first to know, so the disk is not waited for. */
  end(transaction: LedgerKey, seal: string | undefined): void;
  /** Notes one that has ended, and that this home makes its own; on the disk when it returns. */
  keep(transaction: LedgerKey, seal: string): void;
  /** Whether the home knows of it at all. */
  has(transaction: LedgerKey): boolean;
  /** The id of the newest transaction of a workspace. */
  newest(workspaceId: string): string | undefined;
  /**
   * The transactions of a workspace, newest first, or those older than `before`: whoever stops early
   * has not paid for the rest.
   */
  newestFirst(workspaceId: string, before?: string): Iterable<LedgerEntry>;
  /** The first `most` that are newer than `after`, the oldest first. */
  oldestFirst(workspaceId: string, after: string, most: number): readonly LedgerEntry[];
  /** How many there are of a workspace; at most `most` are counted. */
  count(workspaceId: string, most: number): number;
  /**
   * Ids of the oldest transactions, at most `most`, that began before an instant and ended, and that
   * no work can ask for which is not over.
   */
  oldest(workspaceId: string, before: number, most: number): readonly string[];
  /** Forgets one that ended and of which nothing is left in its workspace. */
  forget(transaction: LedgerKey): void;
  /** Those that have not ended, oldest first. */
  listOpen(workspaceId: string): readonly OpenEntry[];
}

/** Which transaction, of which workspace. */
export interface LedgerKey {
  readonly workspaceId: string;
  readonly txId: string;
}

/** One that runs, or that a crash cut off. */
export interface OpenEntry {
  readonly kind: "open";
  readonly txId: string;
  /** What was about to be done: the first line of its journal, as JSON. */
  readonly header: string;
  /** With which its journal was about to end, or has. */
  readonly seal: string | undefined;
}

/** A transaction as the home knows it. */
export type LedgerEntry =
  | OpenEntry
  | {
      readonly kind: "ended";
      readonly txId: string;
      /** Of the last line of its journal; undefined: no journal of it was kept. */
      readonly seal: string | undefined;
    };
