import type { ErrorCode } from "../core/error-codes.ts";
import type { Problem } from "../protocol/problem.ts";
import type { Action } from "../protocol/schema-v2.ts";
import type { Rejection } from "./answer.ts";

/** Faults that a second answer cannot mend: the disk is not what the plan saw. */
const NOT_REPAIRABLE: ReadonlySet<ErrorCode> = new Set([
  "ERR_BASE_MISMATCH",
  "ERR_NON_UTF8_FILE",
  "ERR_IO",
]);
/** More faults than one repair would mend, or a person would read. */
const MOST_TOLD = 20;

/**
 * Actions with at least one problem as a failure: named after one that no repair can mend, else
 * after the first, with the instruction of a repair that could mend them all.
 */
export function rejectActions(actions: readonly Action[], problems: readonly Problem[]): Rejection {
  const hopeless = problems.find((problem) => NOT_REPAIRABLE.has(problem.code));
  const blamed = hopeless ?? problems[0];
  if (!blamed) throw new Error("actions are rejected for at least one problem");
  const told = [blamed, ...problems.filter((problem) => problem !== blamed)].slice(0, MOST_TOLD);
  const message = told.map((problem) => problem.message).join("; ");
  const failure = { ok: false, code: blamed.code, message, problems } as const;
  if (hopeless) return failure;
  return {
    ...failure,
    instruction: told.map((problem) => renderProblem(actions, problem)).join("\n"),
    injectedPaths: told
      .filter(({ code }) => code === "ERR_BASE_SHA256_INVALID")
      .map(({ path }) => path),
  };
}

function renderProblem(actions: readonly Action[], problem: Problem): string {
  const kind = actions[problem.actionIndex]?.kind;
  const place = kind ? `actions[${problem.actionIndex}] ${kind} ${problem.path}` : "answer";
  const hint = problem.hint ? `\n${problem.hint}` : "";
  return `- ${place}: ${problem.code}: ${problem.message}${hint}`;
}
