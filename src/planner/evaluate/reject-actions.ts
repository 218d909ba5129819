import type { ErrorCode } from "../../core/error-codes.ts";
import { firstOf } from "../../core/few.ts";
import type { Problem } from "../../protocol/problem.ts";
import type { Action } from "../../protocol/response.ts";
import type { Rejection } from "../answer.ts";

/** Faults that a second answer of the same form cannot fix, the final ones first. */
const NOT_REPAIRABLE: readonly ErrorCode[] = [
  "ERR_BASE_MISMATCH",
  "ERR_EDIT_BASE_MISMATCH",
  "ERR_IO",
  "ERR_NON_UTF8_FILE",
];
/** More faults than one repair would fix, or a person would read. */
const MOST_REPORTED = 20;

/**
 * Actions with at least one problem as a failure: named after one that no repair can fix, else
 * after the first, with the instruction of a repair that could fix them all.
 */
export function rejectActions(actions: readonly Action[], problems: readonly Problem[]): Rejection {
  const hopeless = NOT_REPAIRABLE.flatMap((code) => problems.filter((it) => it.code === code))[0];
  const blamed = hopeless ?? problems[0];
  if (!blamed) throw new Error("actions are rejected for at least one problem");
  const all = firstOf([blamed, ...problems.filter((each) => each !== blamed)], MOST_REPORTED);
  const more = (left: number) => `and ${left} more`;
  const message = all.lines((problem) => problem.message, more).join("; ");
  const failure = { ok: false, code: blamed.code, message, problems } as const;
  if (hopeless) return failure;
  return {
    ...failure,
    instruction: all.lines((problem) => renderProblem(actions, problem), more).join("\n"),
    injectedPaths: all
      .take(() => {}) // said above
      .filter(({ code, hint }) => code === "ERR_BASE_SHA256_INVALID" && hint !== undefined)
      .map(({ path }) => path),
  };
}

function renderProblem(actions: readonly Action[], problem: Problem): string {
  const { actionIndex, path, code, message, hint } = problem;
  const action = actions[actionIndex];
  const kind = action ? `${action.kind} ` : "";
  const place = actionIndex === -1 ? "answer" : `actions[${actionIndex}] ${kind}${path}`;
  return `- ${place}: ${code}: ${message}${hint ? `\n${hint}` : ""}`;
}
