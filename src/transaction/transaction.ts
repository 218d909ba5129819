import type { ErrorCode } from "../core/error-codes.ts";
import type { Log } from "../core/log.ts";
import type { Sandbox } from "../system/sandbox/sandbox.ts";
import type { FileNote } from "../texts/notes/notes.ts";
import type { CheckCommand } from "../workspace/workspace.ts";
import type { Change, ChangeSet, CheckResult, CheckStep } from "./change.ts";
import type { TransactionKind } from "./journal/journal.ts";
import type { LockRequest } from "./lock.ts";
import type { LookedAgain } from "./look-again.ts";
import type { OnStep } from "./swap/swap.ts";

/** One change set to make, all of it or nothing. */
export interface TransactionRequest extends LockRequest {
  readonly intent: TransactionIntent;
  /** What has to pass before it is committed; default: nothing. */
  readonly checks?: CheckRequest;
  /**
   * Asked last before the first file is touched, with the lock held: whether the folder is the one
   * that the change set was checked on; default: nobody checked it.
   */
  readonly isAsChecked?: () => Promise<boolean>;
  readonly log: Log;
  readonly onStep?: OnStep;
}

/** What a transaction does and why, as its journal will say. */
export interface TransactionIntent {
  readonly changeSet: ChangeSet;
  readonly kind: TransactionKind;
  readonly summary: string;
  /** The transaction that an undo or a redo takes back. */
  readonly reverses?: string;
  /** What an undo or a redo leaves as it is, and why. */
  readonly left?: string;
  /** The id of the work it belongs to, see {@link JournalHeader.work}. */
  readonly work?: string;
  /** What all parts of a goal have in common, see {@link JournalHeader.row}. */
  readonly series?: string;
}

/** The checks of a transaction, and how they run. */
export interface CheckRequest {
  readonly commands: readonly CheckCommand[];
  /** Of each command. */
  readonly timeoutMs: number;
  /** What they run in; without it they run as papa-yu does. */
  readonly sandbox?: Sandbox;
  /** They get the allow-listed part of it; default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (step: CheckStep) => void;
}

/** How a transaction ended: everything new, or everything old and why. */
export type TransactionResult =
  | {
      readonly ok: true;
      readonly status: "committed";
      readonly txId: string;
      readonly changes: readonly Change[];
      readonly check?: CheckResult;
      /** What somebody did to the files meanwhile, and where their work is. */
      readonly notes?: readonly FileNote[];
    }
  | TransactionFailure;

/** How a transaction ended that is not committed. */
export type TransactionFailure = {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
} & (
  | {
      /** No file of the workspace was touched. */
      readonly status: "rejected";
      readonly txId?: undefined;
      readonly check?: undefined;
    }
  | {
      readonly status: LookedAgain["status"];
      readonly txId: string;
      readonly check?: CheckResult;
      /** Whether any file was changed before it went back. */
      readonly touched: boolean;
      /** The state of the files; `status` comes from it. */
      readonly looked: LookedAgain;
    }
);
