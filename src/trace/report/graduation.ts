import type { ErrorCode } from "../../core/error-codes.ts";
import type { StoredTrace } from "../stored-trace.ts";
import { NON_UTF8, succeeded } from "./tally.ts";

/** Applies that the evaluation needs. */
export const GRADUATION_APPLIES = 100;

/** Faults are to stay under this part of the applies. */
const MOST_FAULTS = 0.01;

/** One thing that must hold before the fallback can be switched off. */
export interface GraduationRule {
  /** Which one, for who has words of their own for it. */
  readonly id: "applies" | "fallbacks" | "patches" | "repairs" | "updates";
  readonly rule: string;
  readonly ok: boolean;
  /** What the traces say, for people. */
  readonly found: string;
  /** The numbers in that, in its order. */
  readonly counts: readonly number[];
}

/** Whether the newest applies could have done without the fallback to v1. */
export interface Graduation {
  readonly apply_count: number;
  readonly ready: boolean;
  readonly verdict: string;
  readonly rules: readonly GraduationRule[];
}

/**
 * Evaluates the newest applies, at most {@link GRADUATION_APPLIES}. Those that met a file in
 * another encoding than UTF-8 are left out of account: no version of the protocol patches it.
 */
export function evaluateGraduation(latest: readonly StoredTrace[]): Graduation {
  const applies = latest.filter((trace) => !endedWith(trace, NON_UTF8));
  const rules = [
    checkCount(latest.length),
    checkFallbacks(applies),
    checkPatches(applies),
    checkRepairs(applies),
    checkUpdates(applies),
  ];
  const failing = rules.filter(({ ok }) => !ok);
  const reasons = failing.map(({ rule, found }) => `${rule} (found: ${found})`);
  const ready = failing.length === 0;
  const verdict = ready
    ? "v2-only is safe: set protocol.fallback_to_v1 = false"
    : `v2-only is not safe yet; what it still needs: ${reasons.join("; ")}`;
  return { apply_count: latest.length, ready, verdict, rules };
}

function checkCount(count: number): GraduationRule {
  const rule = `${GRADUATION_APPLIES} applies known`;
  const ok = count >= GRADUATION_APPLIES;
  return { id: "applies", rule, ok, found: `${count}`, counts: [count] };
}

function checkFallbacks(applies: readonly StoredTrace[]): GraduationRule {
  const count = applies.filter((trace) => trace.protocol_fallback_attempted).length;
  return checkShare("fallbacks", "fallback_rate under 1 %", count, applies.length);
}

function checkPatches(applies: readonly StoredTrace[]): GraduationRule {
  const count = applies.filter((trace) => endedWith(trace, PATCH_FAILED)).length;
  return checkShare("patches", `${PATCH_FAILED} under 1 %`, count, applies.length);
}

/** A repair keeps to the version; what only a fallback fixes would be lost without it. */
function checkRepairs(applies: readonly StoredTrace[]): GraduationRule {
  const healed = applies.filter(succeeded);
  const byFallback = healed.filter((trace) => endedWith(trace, PATCH_FAILED)).length;
  const byRepair = healed.filter((trace) => isRepaired(trace, PATCH_FAILED)).length;
  return {
    id: "repairs",
    counts: [byRepair, byFallback],
    rule: `${PATCH_FAILED} healed by repair more often than by fallback`,
    ok: byFallback === 0 || byRepair > byFallback,
    found: `${byRepair} by repair, ${byFallback} by fallback`,
  };
}

function checkUpdates(applies: readonly StoredTrace[]): GraduationRule {
  const count = applies.filter((trace) => endedWith(trace, UPDATE_FORBIDDEN)).length;
  const rule = `no ${UPDATE_FORBIDDEN}`;
  return { id: "updates", rule, ok: count === 0, found: `${count}`, counts: [count] };
}

const PATCH_FAILED = "ERR_PATCH_APPLY_FAILED";
const UPDATE_FORBIDDEN = "ERR_V2_UPDATE_EXISTING_FORBIDDEN";

function checkShare(
  id: GraduationRule["id"],
  rule: string,
  count: number,
  of: number,
): GraduationRule {
  const share = of === 0 ? 0 : count / of;
  const found = `${count} of ${of}, ${(share * 100).toFixed(1)} %`;
  return { id, rule, ok: share < MOST_FAULTS, found, counts: [count, of] };
}

/** Whether the protocol that the apply began with could not go on because of `code`. */
function endedWith(trace: StoredTrace, code: ErrorCode): boolean {
  return trace.protocol_fallback_reason === code || trace.error_code === code;
}

function isRepaired(trace: StoredTrace, code: ErrorCode): boolean {
  return trace.repair_code === code && !trace.protocol_fallback_attempted;
}
