import {
  changedLines,
  type Grade,
  gradeOf,
  MOST_TRIES,
  type Tries,
  type Try,
} from "../../planner/tries/tries.ts";
import type { CliContext } from "../context.ts";
import { type Parsed, usageError } from "../parse.ts";
import { toCheckReport, toPlanReport } from "../reports.ts";

/** `--tries N`: so many ways to a goal. */
export const TRIES_OPTION = { tries: { type: "string" } } as const;

/** The number of them, or undefined. Throws ERR_USAGE for one that there cannot be. */
export function readTries(parsed: Parsed, context: CliContext): number | undefined {
  const text = parsed.text("tries");
  if (text === undefined) return undefined;
  const count = /^\d$/u.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_TRIES) return count;
  throw usageError(`Cannot plan in "${text}" ways: --tries is 1 to ${MOST_TRIES}`, context);
}

const GOOD: ReadonlySet<Grade> = new Set(["green", "unchecked", "nothing"]);

/** Why the one that comes first is none to apply; undefined where it is one. */
export function failureOf({ order }: Tries) {
  const [first] = order;
  if (!first || GOOD.has(gradeOf(first.end))) return undefined;
  const { end } = first;
  if (end.kind === "failed") return { code: end.code, message: end.message };
  const message = `None of the plans passes its checks, ${order.length} different ones were tried; nothing was written`;
  return { code: "AUTO_CHECK_FAILED_ROLLED_BACK", message } as const;
}

/** JSON of `plan --tries`: that of the plan that comes first, and all of them. */
export function toTriesReport(
  tries: Tries,
  notes: readonly string[],
): Readonly<Record<string, unknown>> {
  const { order, basis } = tries;
  const plan = order[0]?.end.plan;
  const failure = failureOf(tries);
  return {
    ...(plan ? toPlanReport(plan) : { actions: [] }),
    ok: failure === undefined,
    compared_by: basis === "checks" ? "checks" : "size",
    tries: order.map(toTryReport),
    notes,
    ...(failure && { error: failure.message, error_code: failure.code }),
  };
}

function toTryReport({ end, same, ...who }: Try): Readonly<Record<string, unknown>> {
  const { plan } = end;
  const state = gradeOf(end);
  return {
    ...(plan?.ok && { plan_id: plan.planId }),
    ok: GOOD.has(state),
    state,
    ...who,
    ...(plan?.ok && { summary: plan.summary }),
    ...(end.kind === "changes" && toChangesReport(end.preview)),
    ...(same.length > 0 && { same: same.map(({ planId, ...by }) => ({ plan_id: planId, ...by })) }),
    ...(end.kind === "failed" && { error: end.message, error_code: end.code }),
    ...(plan && { trace_id: plan.traceId }),
  };
}

function toChangesReport(preview: Extract<Try["end"], { kind: "changes" }>["preview"]) {
  const { changeSetId, checked, fixPaths } = preview;
  return {
    change_set_id: changeSetId,
    changed_lines: changedLines(preview),
    view: checked?.view ?? "none",
    ...(checked && { check: toCheckReport(checked.check) }),
    fix_rounds: checked?.fixRounds ?? 0,
    ...(fixPaths && { fix_paths: fixPaths }),
  };
}
