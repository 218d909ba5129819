import { systemClock } from "../../src/core/clock.ts";
import { silentLog } from "../../src/core/log.ts";
import type { Action } from "../../src/protocol/response.ts";
import type { ChangeSet } from "../../src/transaction/change.ts";
import { computeChangeSet } from "../../src/transaction/compute.ts";
import { runTransaction } from "../../src/transaction/run.ts";
import type { TransactionRequest, TransactionResult } from "../../src/transaction/transaction.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";

/** A workspace with no rules of its own. */
export function workspaceAt(root: string, protectedPaths: readonly string[] = []): Workspace {
  return { name: "test", root, check: "none", checkTimeoutMs: 5000, maxActions: 0, protectedPaths };
}

/** The change set of actions that must have no faults. */
export function changeSetOf(workspace: Workspace, actions: readonly Action[]): ChangeSet {
  const computed = computeChangeSet(workspace, actions);
  if (!computed.ok) throw new Error(computed.problems.map(({ message }) => message).join("; "));
  return computed.changeSet;
}

/** A request with everything that a test does not care about. */
export function requestFor(
  workspace: Workspace,
  changeSet: ChangeSet,
  options: Partial<TransactionRequest> = {},
): TransactionRequest {
  return {
    workspace,
    changeSet,
    kind: "apply",
    summary: "a test",
    checks: [],
    checkTimeoutMs: 5000,
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
    ...options,
  };
}

/** Computes and applies actions. */
export function applyActions(
  workspace: Workspace,
  actions: readonly Action[],
  options: Partial<TransactionRequest> = {},
): Promise<TransactionResult> {
  return runTransaction(requestFor(workspace, changeSetOf(workspace, actions), options));
}

/** A check that runs Bun with inline code. */
export function bunCheck(code: string, name = "test") {
  return { name, argv: ["bun", "-e", code] };
}
