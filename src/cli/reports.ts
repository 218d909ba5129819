import type { ApplyOutcome, PreviewOutcome } from "../planner/operations.ts";
import type { PlanOutcome } from "../planner/plan.ts";
import type { CheckResult } from "../transaction/change.ts";

/** The JSON shapes that other programs rely on; field names are the interface's. */

/** JSON of `plan`. */
export function toPlanReport(plan: PlanOutcome): Record<string, unknown> {
  return {
    ok: plan.ok,
    ...(plan.ok && { plan_id: plan.planId, summary: plan.summary }),
    actions: [],
    context_requests_served: plan.requestsServed,
    protocol_version_used: plan.protocolVersion,
    trace_id: plan.traceId,
    ...(!plan.ok && { error: plan.message, error_code: plan.code }),
  };
}

/** JSON of `preview`. */
export function toPreviewReport(outcome: PreviewOutcome): Record<string, unknown> {
  if (outcome.ok) {
    const { planId, changeSetId, summary, changes, diff } = outcome.preview;
    return {
      ok: true,
      plan_id: planId,
      change_set_id: changeSetId,
      summary,
      changes,
      diff,
      blocked: [],
      trace_id: outcome.traceId,
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

/** JSON of `apply`, `undo` and `redo`. */
export function toApplyReport(outcome: ApplyOutcome): Record<string, unknown> {
  const { ok, status, txId, changeSetId, changes, check, error, errorCode, traceId } = outcome;
  return {
    ok,
    status,
    ...(txId && { tx_id: txId }),
    ...(changeSetId && { change_set_id: changeSetId }),
    changes,
    ...(check && { check: toCheckReport(check) }),
    ...(error && { error, error_code: errorCode }),
    ...(traceId && { protocol_version_used: 2, protocol_attempts: ["v2"], trace_id: traceId }),
  };
}

function toCheckReport(check: CheckResult): Record<string, unknown> {
  return {
    ok: check.ok,
    sandbox: check.sandbox,
    stages: check.stages.map((stage) => ({
      name: stage.name,
      command: stage.command,
      exit_code: stage.exitCode,
      duration_ms: stage.durationMs,
      timed_out: stage.timedOut,
      output: stage.output,
    })),
  };
}
