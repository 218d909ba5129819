import { parseJsonAs } from "../../core/guards.ts";
import { sha256 } from "../../core/sha256.ts";
import { type Baseline, type CheckResult, isCheckResult } from "../../transaction/change.ts";
import type { CheckCommand, Workspace } from "../../workspace/workspace.ts";
import { compareFailures } from "./failures.ts";
import type { VerifyDeps } from "./verification.ts";

type BaselineDeps = Pick<VerifyDeps, "verifications" | "clock">;

/** Checks that failed with a change, and the folder without it. */
interface Failed {
  readonly workspace: Workspace;
  /** Up to the one that failed. */
  readonly commands: readonly CheckCommand[];
  readonly check: CheckResult;
  /** Of the folder. */
  readonly fingerprint: string;
}

/**
 * What the checks up to the one that failed come to without the change: as it is known of exactly
 * these files, or from one run. All of them run, for a test may need what a build before it made.
 */
export async function runBaseline(
  deps: BaselineDeps,
  failed: Failed,
  run: () => Promise<CheckResult | undefined>,
): Promise<{ readonly baseline?: Baseline }> {
  const { workspace, check } = failed;
  const stored = deps.verifications.loadBaseline(workspace.root, keyOf(failed));
  const known = stored === undefined ? undefined : parseJsonAs(stored, isCheckResult);
  const result = known ?? (await run());
  if (!result) return {};
  if (!known) keepBaseline(deps, failed, result);
  const { ok, stages } = result;
  return { baseline: { ok, stages, ...compareFailures(check, result) } };
}

/** Keeps what checks came to on the folder as it is. */
export function keepBaseline(
  { verifications, clock }: BaselineDeps,
  unchanged: Omit<Failed, "check">,
  result: CheckResult,
): void {
  verifications.saveBaseline({
    workspaceRoot: unchanged.workspace.root,
    fingerprint: keyOf(unchanged),
    checkJson: JSON.stringify(result),
    createdAt: clock.now(),
  });
}

function keyOf({ fingerprint, commands }: Pick<Failed, "fingerprint" | "commands">): string {
  return sha256(JSON.stringify([fingerprint, commands]));
}

/** Whether checks failed with a change as they fail without it: then a person may still say yes. */
export function isExcused({ ok, baseline }: CheckResult): boolean {
  return !ok && baseline?.isSame === true;
}
