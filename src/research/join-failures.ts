import type { Failure } from "../core/app-error.ts";

/**
 * A plan's own failure, with why research could not help; a caller who cancelled gets only that.
 */
export function joinFailures(plan: Omit<Failure, "ok">, research: Failure): Failure {
  if (research.code === "ERR_CANCELLED") return research;
  return { ok: false, code: plan.code, message: `${plan.message}\n${research.message}` };
}
