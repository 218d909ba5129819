import type { ErrorCode } from "../core/error-codes.ts";
import type { Log } from "../core/log.ts";
import type { Sandbox } from "../system/sandbox.ts";
import type { CheckCommand } from "../workspace/workspace.ts";
import type { Change, ChangeSet, CheckResult } from "./change.ts";
import type { Kept, TransactionKind } from "./journal.ts";
import type { LockRequest } from "./lock.ts";
import type { OnStep } from "./roll-back.ts";

/** One change set to make, all of it or nothing. */
export interface TransactionRequest extends LockRequest {
  readonly changeSet: ChangeSet;
  readonly kind: TransactionKind;
  readonly summary: string;
  /** The transaction that an undo or a redo takes back. */
  readonly reverses?: string;
  /** What it is for, as {@link JournalHeader.work} says. */
  readonly work?: string;
  readonly checks: readonly CheckCommand[];
  /** Of each check. */
  readonly checkTimeoutMs: number;
  /** What the checks run in; without it they run as papa-yu does. */
  readonly sandbox?: Sandbox;
  readonly log: Log;
  /** For the checks, which get the allow-listed part of it; default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (text: string) => void;
  readonly onStep?: OnStep;
}

/** How a transaction ended: everything new, or everything old and why. */
export type TransactionResult =
  | {
      readonly ok: true;
      readonly status: "committed";
      readonly txId: string;
      readonly changes: readonly Change[];
      readonly check?: CheckResult;
    }
  | TransactionFailure;

/**
 * `rejected`: nothing was touched. `rolled_back`: everything is back but `kept`; with the code
 * ERR_IO the disk refused even that, and recovery will try again.
 */
export interface TransactionFailure {
  readonly ok: false;
  readonly status: "rejected" | "rolled_back";
  readonly txId?: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly check?: CheckResult;
  /** Files that somebody edited meanwhile; left as they are. */
  readonly kept?: readonly Kept[];
}
