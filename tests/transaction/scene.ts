import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import type { Action } from "../../src/protocol/response.ts";
import type { Change, ChangeSet } from "../../src/transaction/change.ts";
import { computeChangeSet } from "../../src/transaction/compute/compute.ts";
import { beginJournal, toFirstRecord } from "../../src/transaction/journal/write-journal.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { journalPath, transactionPath } from "../../src/transaction/stage/stage.ts";
import type {
  CheckRequest,
  TransactionIntent,
  TransactionRequest,
  TransactionResult,
} from "../../src/transaction/transaction.ts";
import { claimIdentity } from "../../src/workspace/identity.ts";
import type { CheckCommand, Workspace } from "../../src/workspace/workspace.ts";
import { homeOf, ledgerAt } from "../support/ledger.ts";
import { silentLog } from "../support/silent-log.ts";

/** A workspace with no rules of its own, known to a home beside it. */
export function workspaceAt(root: string, protectedPaths: readonly string[] = []): Workspace {
  const ledger = ledgerAt(homeOf(root));
  const rules = { check: "none", checkTimeoutMs: 60_000, maxActions: 0, protectedPaths } as const;
  return { name: "test", root, ...rules, ledger };
}

/** The change set of actions that must have no faults. */
export function changeSetOf(workspace: Workspace, actions: readonly Action[]): ChangeSet {
  const computed = computeChangeSet(workspace, actions);
  if (!computed.ok) throw new Error(computed.problems.map(({ message }) => message).join("; "));
  return computed.changeSet;
}

/** What a test may say of a transaction: of its lock, its intent and its checks. */
export type RequestOptions = Partial<Omit<TransactionRequest, "intent" | "checks">> &
  Partial<TransactionIntent> &
  Partial<Omit<CheckRequest, "commands">> & { readonly checks?: readonly CheckCommand[] };

/** A request with everything that a test does not care about. */
export function requestFor(
  workspace: Workspace,
  changeSet: ChangeSet,
  options: RequestOptions = {},
): TransactionRequest {
  const { checks = [], timeoutMs = 60_000, sandbox, env, onProgress, ...rest } = options;
  const { kind = "apply", summary = "a test", reverses, left, work, series, ...others } = rest;
  return {
    workspace,
    intent: {
      changeSet,
      kind,
      summary,
      ...(reverses !== undefined && { reverses }),
      ...(left !== undefined && { left }),
      ...(work !== undefined && { work }),
      ...(series !== undefined && { series }),
    },
    checks: {
      commands: checks,
      timeoutMs,
      ...(sandbox && { sandbox }),
      ...(env && { env }),
      ...(onProgress && { onProgress }),
    },
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
    ...others,
  };
}

/** Computes and applies actions. */
export function applyActions(
  workspace: Workspace,
  actions: readonly Action[],
  options: RequestOptions = {},
): Promise<TransactionResult> {
  return runTransaction(requestFor(workspace, changeSetOf(workspace, actions), options));
}

/**
 * A transaction that never ended, as a crash of this home leaves it: with a folder and a journal,
 * or known to the home only.
 */
export function leaveUnfinished(
  workspace: Workspace,
  changes: readonly Change[],
  { inHomeOnly = false, txId = "tx_1" }: { inHomeOnly?: boolean; txId?: string } = {},
): void {
  const ledger = workspace.ledger;
  if (!ledger) throw new Error("the workspace has no home");
  const header = { kind: "apply", at: 1, changeSetId: "x", summary: "x", changes } as const;
  const transaction = { workspaceId: claimIdentity(workspace, ledger), txId };
  ledger.begin(transaction, JSON.stringify(toFirstRecord(header, transaction)));
  if (inHomeOnly) return;
  mkdirSync(join(workspace.root, transactionPath(txId)), { recursive: true });
  const path = join(workspace.root, journalPath(txId));
  beginJournal(path, header, { ledger, transaction }).close();
}

/** A check that runs Bun with inline code. */
export function bunCheck(code: string, name = "test") {
  return { name, argv: ["bun", "-e", code] };
}
