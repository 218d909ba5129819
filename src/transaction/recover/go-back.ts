import { describeDiskError } from "../../core/app-error.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import type { DescriptorReserve } from "../../system/descriptor-reserve.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { CheckResult } from "../change.ts";
import type { Journal } from "../journal/journal.ts";
import { describeLooked, isResolved, type LookedAgain, resumeCommand } from "../look-again.ts";
import { removeImages } from "../stage/stage.ts";
import { rollBack, type TakenFile } from "../swap/swap.ts";
import type { TransactionFailure, TransactionRequest } from "../transaction.ts";
import { openTree } from "../tree.ts";

/** A transaction whose journal is open. */
export interface Run {
  readonly request: TransactionRequest;
  readonly txId: string;
  readonly journal: Journal;
  /** Descriptors that only the roll-back may use. */
  readonly reserve: DescriptorReserve;
  /** Which folder it is in: another one may come to its path while the checks run. */
  readonly folder: string | undefined;
  /** The files whose place was taken, by the number of the change. */
  readonly taken: Map<number, TakenFile>;
  /** Whether the first change was at least tried. */
  touched?: boolean;
  check?: CheckResult | undefined;
}

/** Why a transaction is rolled back. */
export interface Reason {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Rolls back what was done, and reports the state of the files afterwards. Never throws. */
export function goBack(run: Run, reason: Reason): TransactionFailure {
  const { request, txId, journal, check, reserve, folder, taken, touched = false } = run;
  const { workspace, log, onStep } = request;
  const { changeSet, kind } = request.intent;
  reserve.release();
  noteBack(journal, reason.message);
  const images = changeSet.contents;
  const options = {
    images,
    taken,
    ...(folder !== undefined && { folder }),
    ...(onStep && { onStep }),
  };
  const looked = rollBack(workspace, txId, changeSet.changes, options);
  const { status } = looked;
  log("APPLY_ROLLBACK", { tx_id: txId, kind, code: reason.code, reason: reason.message, status });
  const unclosed = endRolledBack(workspace, txId, journal, looked, reason);
  onStep?.("outcome");
  const message = `${reason.message}; ${describeLooked(looked, workspace, txId)}${unclosed}`;
  const code = codeOf(looked, reason.code);
  const how = { status, txId, touched, looked, ...(check && { check }) };
  return { ok: false, code, message, ...how };
}

/** A code that says that every file is back is used only where that is true. */
export function codeOf({ status }: LookedAgain, code: ErrorCode): ErrorCode {
  switch (status) {
    case "rolled_back":
      return code;
    case "conflict":
      return "ERR_RECOVERY_CONFLICT";
    case "incomplete":
      return "ERR_ROLLBACK_INCOMPLETE";
    default:
      return status satisfies never;
  }
}

/**
 * Ends the journal of what went back and removes the images, which only the roll-back needed; where a path is
 * pending it stays open, and recovery takes it up again. A disk that takes no more only leaves the
 * last line to recovery.
 *
 * @returns what to say when the last line could not be written
 */
export function endRolledBack(
  workspace: Workspace,
  txId: string,
  journal: Journal,
  looked: LookedAgain,
  reason: Reason,
): string {
  if (!isResolved(looked)) return "";
  try {
    using tree = openTree(workspace.root);
    journal.end({ status: "rolled_back", ...reason, code: codeOf(looked, reason.code), looked });
    if (looked.status === "rolled_back") removeImages(tree, txId);
    return "";
  } catch (error) {
    const why = describeDiskError(error);
    return `; the journal could not be ended: ${why}, then ${resumeCommand(workspace.root)}`;
  }
}

/** On a full disk the note fails, and the files must go back all the same. */
function noteBack(journal: Journal, why: string): void {
  try {
    journal.back(why);
  } catch {
    // recovery goes by the missing outcome
  }
}
