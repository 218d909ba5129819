import { errorMessage } from "../../core/app-error.ts";
import type { ChangeSet, CheckResult } from "../../transaction/change.ts";
import { keepLastCheck } from "../../transaction/last-check.ts";
import { viewChanges } from "../../transaction/preview.ts";
import { runTransaction } from "../../transaction/run/run.ts";
import type { TransactionResult } from "../../transaction/transaction.ts";
import { keepCommitted } from "../../transaction/view/view.ts";
import { isSameAsSeen } from "../../workspace/fingerprint.ts";
import {
  type Candidate,
  readStateFor,
  type TransactionDeps,
  type Verified,
} from "../correct/correct.ts";
import { madeIn, toBeyond, toChecked, toFiles, toHistoryLine } from "../outcome-view.ts";
import { checksOf, noteTimes, skippedIn } from "../verify/verify.ts";
import type { ApplyOptions, ApplyOutcome } from "./options.ts";

/** What a change set is made with. */
export interface Making {
  readonly deps: TransactionDeps;
  readonly candidate: Candidate;
  /** What its checks came to in a view; without it they run after the swap. */
  readonly verified: Verified | undefined;
  readonly options: ApplyOptions;
  /** Whether a fingerprint of the folder is the one that counts. */
  readonly isSame?: (now: string) => boolean;
}

/**
 * Makes the change; what was checked before is not checked again. Undefined, and nothing is written,
 * where the folder is not any more what it was checked on.
 */
export async function commit(making: Making): Promise<ApplyOutcome | undefined> {
  const { changeSet } = making.verified ?? making.candidate;
  const made = await makeChecked(making, changeSet);
  return made && toOutcome(making, changeSet, made);
}

/** Whether the folder still is what the candidate was checked on. */
export async function isAsChecked({
  candidate,
  verified,
  options,
  isSame = (now) => isSameAsSeen(now, verified?.fingerprint ?? ""),
}: Making): Promise<boolean> {
  return verified === undefined || isSame(await readStateFor(candidate, verified, options.signal));
}

/** What a transaction of a candidate has of its own. */
interface Own {
  /** Added to what the history says of it. */
  readonly suffix?: string;
  /** The id of the work that it belongs to. */
  readonly work?: string | undefined;
  /** What it has in common with the other parts of its goal. */
  readonly series?: string;
  /** Whether the folder is what this very change set was checked on. */
  readonly isFolderRight?: () => Promise<boolean>;
}

/** Runs one transaction; undefined where the folder has moved. */
export async function makeChecked(
  making: Making,
  changeSet: ChangeSet,
  {
    suffix = "",
    work = making.options.work,
    series,
    isFolderRight = () => isAsChecked(making),
  }: Own = {},
): Promise<TransactionResult | undefined> {
  const { deps, candidate, verified, options } = making;
  const { clock, log, sandbox } = deps;
  const { plan, workspace } = candidate;
  const { signal, onProgress } = options;
  let hasMoved = false;
  const result = await runTransaction({
    workspace,
    intent: {
      changeSet,
      kind: "apply",
      summary: `${toHistoryLine(plan.goal)}${suffix}`,
      ...(work !== undefined && { work }),
      ...(series !== undefined && { series }),
    },
    ...(verified && {
      isAsChecked: async () => {
        hasMoved = !(await isFolderRight());
        return !hasMoved;
      },
    }),
    ...(!verified && {
      checks: {
        commands: await checksOf(workspace, changeSet),
        timeoutMs: workspace.checkTimeoutMs,
        sandbox,
        ...(onProgress && { onProgress }),
      },
    }),
    clock,
    log,
    signal,
  });
  const { check } = result;
  if (check) noteBehind(deps, () => noteTimes(deps.verifications.known, workspace, check));
  return hasMoved ? undefined : result;
}

/** Notes what a change led to: where that cannot be, the change has ended as it has. */
export function noteBehind({ log }: Pick<TransactionDeps, "log">, note: () => void): void {
  try {
    note();
  } catch (error) {
    log("NOTE_FAILED", { message: errorMessage(error) });
  }
}

/** How the transaction of a candidate ended, or the last one of its series. */
export async function toOutcome(
  { deps, candidate, verified }: Making,
  changeSet: ChangeSet,
  result: TransactionResult,
): Promise<ApplyOutcome> {
  const { clock, log, viewsDir } = deps;
  const { workspace } = candidate;
  const { txId } = result;
  const skipped = verified ? undefined : await skippedIn(workspace, changeSet);
  if (result.ok && verified) keepCommitted(viewsDir, workspace.root, changeSet.id);
  const told = toChecked(verified);
  const check: CheckResult | undefined = told.check ?? result.check;
  if (check && txId !== undefined) {
    keepLastCheck(workspace, check, { now: clock.now(), ref: txId, log });
  }
  return {
    ok: result.ok,
    status: result.status,
    workspace: workspace.name,
    changes: viewChanges(changeSet, madeIn(verified)),
    changeSetId: changeSet.id,
    ...(txId !== undefined && { txId }),
    ...told,
    ...(check && { check }),
    ...(skipped && { generation: skipped }),
    ...toBeyond(candidate),
    ...(result.ok && result.notes && { notes: result.notes }),
    ...(!result.ok && { errorCode: result.code, error: result.message }),
    ...toFiles(result),
  };
}
