import { toGenerationLines } from "../channels/checked-lines.ts";
import type { ApplyOutcome, PreviewOutcome } from "../planner/operations.ts";
import type { PlanOutcome } from "../planner/plan.ts";
import { versionName } from "../protocol/version.ts";
import { NOTES_EN } from "../texts/notes/en.ts";
import { wordNotes } from "../texts/notes/notes.ts";
import { textsIn } from "../texts/texts.ts";
import type {
  Change,
  CheckResult,
  CheckStage,
  FixNote,
  Generation,
  Kept,
  SideEffect,
} from "../transaction/change.ts";
import type { HistoryEntry } from "../transaction/journal/journal.ts";
import type { LookedAgain } from "../transaction/look-again.ts";
import type { Recovery } from "../transaction/recover/recover.ts";
import type { PartOutcome, PartView, PlannedCheck, PlannedSeries } from "../transaction/views.ts";

/** The JSON shapes that other programs rely on; field names are the interface's. */

/** JSON of `plan`. */
export function toPlanReport(plan: PlanOutcome): Record<string, unknown> {
  return {
    ok: plan.ok,
    ...(plan.ok && { plan_id: plan.planId, summary: plan.summary }),
    ...(plan.ok && plan.row && { row: toPlannedSeriesReport(plan.row) }),
    actions: [],
    context_requests_served: plan.requestsServed,
    protocol_version_used: plan.protocolVersion,
    trace_id: plan.traceId,
    ...(plan.onlineUsed && { online_context_used: true }),
    ...(!plan.ok && { error: plan.message, error_code: plan.code }),
    ...(!plan.ok && plan.onlineSuggested && { online_fallback_suggested: plan.onlineSuggested }),
  };
}

function toPlannedSeriesReport({
  files,
  parts,
  mostRequests,
}: PlannedSeries): Record<string, unknown> {
  return { files, parts, most_requests: mostRequests };
}

/** JSON of `preview`. */
export function toPreviewReport(outcome: PreviewOutcome): Record<string, unknown> {
  if (outcome.ok) {
    const {
      planId,
      changeSetId,
      summary,
      changes,
      diff,
      notes,
      checks,
      unseen,
      checked,
      fixPaths,
      generation,
      triesLeft,
      row,
    } = outcome.preview;
    return {
      ok: true,
      plan_id: planId,
      change_set_id: changeSetId,
      summary,
      changes,
      diff,
      blocked: [],
      notes: [
        ...wordNotes(notes, NOTES_EN),
        ...(unseen
          ? ["the checks were found in the folder, and none runs before a yes to this"]
          : []),
        ...(checked?.judges ?? []).map((path) => `${path} decides what is checked`),
        ...toNotes(generation),
      ],
      view: checked?.view ?? "none",
      checks: checks.map(toPlannedReport),
      ...(unseen && { unseen }),
      ...(checked && { check: toCheckReport(checked.check) }),
      side_effects: [...toLeftOut(generation), ...(checked?.sideEffects ?? [])],
      fix_rounds: checked?.fixRounds ?? 0,
      ...(fixPaths && { fix_paths: fixPaths }),
      ...(row && { row: toSeriesReport(row) }),
      ...toFixNotes(checked?.fixNotes),
      ...(triesLeft !== undefined && { tries_left: triesLeft }),
      ...(outcome.traceId && { trace_id: outcome.traceId }),
    };
  }
  const { planId, blocked, code, message, traceId } = outcome;
  return {
    ok: false,
    plan_id: planId,
    change_set_id: null,
    changes: [],
    diff: "",
    blocked: blocked.map((problem) => ({
      path: problem.path,
      error_code: problem.code,
      message: problem.message,
    })),
    error: message,
    error_code: code,
    ...(traceId && { trace_id: traceId }),
  };
}

/** JSON of a check that may run. */
export function toPlannedReport({ command, from, tookMs }: PlannedCheck): Record<string, unknown> {
  return { command, ...(from && { from }), ...(tookMs !== undefined && { last_ms: tookMs }) };
}

/** JSON of `apply`, `undo` and `redo`; only an apply has a plan. */
export function toApplyReport(outcome: ApplyOutcome, planId?: string): Record<string, unknown> {
  const { ok, status, txId, changeSetId, changes, reason, check, touched = false } = outcome;
  const { kept, pending, error, errorCode, origin, sideEffects, generation } = outcome;
  const { fixRounds, fixPaths, fixNotes, row } = outcome;
  const notes = [...wordNotes(outcome.notes ?? [], NOTES_EN), ...toNotes(generation)];
  return {
    ok,
    status,
    ...(planId && { plan_id: planId }),
    ...(txId && { tx_id: txId }),
    ...(changeSetId && { change_set_id: changeSetId }),
    changes,
    ...(reason && { reason }),
    ...(check && { check: toCheckReport(check) }),
    ...(sideEffects && { side_effects: [...toLeftOut(generation), ...sideEffects] }),
    ...(fixRounds !== undefined && { fix_rounds: fixRounds }),
    ...(fixPaths && { fix_paths: fixPaths }),
    ...(row && { row: toSeriesReport(row) }),
    ...toFixNotes(fixNotes),
    touched,
    ...(kept && { kept }),
    ...(pending && { pending }),
    ...(notes.length > 0 && { notes }),
    ...(error && { error, error_code: errorCode }),
    ...(origin?.traceId && {
      protocol_version_used: origin.attempts.at(-1),
      protocol_attempts: origin.attempts.map(versionName),
      trace_id: origin.traceId,
    }),
  };
}

/** Change sets that follow each other, before or after they were made. */
function toSeriesReport({
  done,
  parts,
  undoable,
}: {
  readonly done: number;
  readonly parts: readonly (PartView | PartOutcome)[];
  readonly undoable?: number;
}): Record<string, unknown> {
  return {
    done,
    parts: parts.map((part) => {
      const common = { change_set_id: part.changeSetId, changes: part.changes };
      if ("status" in part) {
        const { status, txId } = part;
        return { ...common, status, ...(txId !== undefined && { tx_id: txId }) };
      }
      const { planId, summary, added, removed, checks } = part;
      const plan = planId === undefined ? {} : { plan_id: planId, summary };
      return { ...common, ...plan, added, removed, ...(checks && { checks }) };
    }),
    ...(undoable !== undefined && { undoable }),
  };
}

/** What of lock files is no row of the changes, in words. */
function toNotes(generation: Generation | undefined): readonly string[] {
  if (generation?.kind === "made") return [];
  return toGenerationLines(generation, textsIn("en"), (name) => name);
}

function toLeftOut(generation: Generation | undefined): readonly SideEffect[] {
  return generation?.kind === "made" ? generation.leftOut : [];
}

/** Corrections that are no part of it, where there are any. */
function toFixNotes(notes: readonly FixNote[] = []): Record<string, unknown> {
  if (notes.length === 0) return {};
  return {
    fix_notes: notes.map(({ why, paths, code }) => ({
      why,
      ...(paths && { paths }),
      ...(code !== undefined && { error_code: code }),
    })),
  };
}

/** JSON of checks, the same wherever they ran. */
export function toCheckReport(check: CheckResult): Record<string, unknown> {
  const { baseline } = check;
  return {
    ok: check.ok,
    sandbox: check.sandbox,
    ...(check.sandboxNote && { sandbox_note: check.sandboxNote }),
    ...(check.sandboxGaps && { sandbox_gaps: check.sandboxGaps }),
    stages: check.stages.map(toStageReport),
    ...(baseline && {
      baseline: {
        ok: baseline.ok,
        stages: baseline.stages.map(toStageReport),
        same_failure: baseline.isSame,
        failing_before: baseline.before,
        failing_now: baseline.added,
      },
    }),
  };
}

function toStageReport(stage: CheckStage): Record<string, unknown> {
  return {
    name: stage.name,
    command: stage.command,
    exit_code: stage.exitCode,
    duration_ms: stage.durationMs,
    timed_out: stage.timedOut,
    ...(stage.excess && { over_limit: stage.excess.kind }),
    output: stage.output,
  };
}

/** JSON of `history`. */
export function toHistoryReport(entries: readonly HistoryEntry[]): Record<string, unknown> {
  return {
    ok: true,
    entries: entries.map((entry) => ({
      tx_id: entry.txId,
      kind: entry.kind,
      status: entry.kept.length > 0 ? "conflict" : entry.status,
      at: new Date(entry.at).toISOString(),
      summary: entry.summary,
      change_set_id: entry.changeSetId,
      changes: entry.changes.map(toChangeReport),
      ...(entry.reverses && { reverses: entry.reverses }),
    })),
  };
}

function toChangeReport(change: Change): Record<string, unknown> {
  return {
    path: change.path,
    kind: change.kind,
    before_sha256: "before" in change ? change.before.sha256 : null,
    after_sha256: "after" in change ? change.after.sha256 : null,
  };
}

/** JSON of `recover`; not ok when not every file is as it was. */
export function toRecoverReport(
  recovered: readonly Recovery[],
): Record<string, unknown> & { readonly ok: boolean } {
  const has = (status: LookedAgain["status"]) =>
    recovered.some(({ looked }) => looked.status === status);
  const failure = has("incomplete") ? INCOMPLETE : has("conflict") ? CONFLICT : undefined;
  return {
    ok: failure === undefined,
    recovered: recovered.map(({ txId, kind, summary, looked }) => ({
      tx_id: txId,
      kind,
      summary,
      status: looked.status,
      kept: looked.kept.map(toKeptReport),
      pending: looked.pending.map((each) => ({
        ...toKeptReport(each),
        reason: each.reason,
        lost: each.isLost === true,
      })),
    })),
    ...failure,
  };
}

const CONFLICT = {
  error: "Files that somebody changed since were left as they are",
  error_code: "ERR_RECOVERY_CONFLICT",
};
const INCOMPLETE = {
  error: "Not every file could go back; remove what stops it, then run papayu recover again",
  error_code: "ERR_ROLLBACK_INCOMPLETE",
};

function toKeptReport({ path, beforeSha256 }: Kept): Record<string, unknown> {
  return { path, before_sha256: beforeSha256 };
}
