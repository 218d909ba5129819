import type { ErrorCode } from "../core/error-codes.ts";
import { normalisePath } from "../core/relative-path.ts";
import { checkActions } from "../protocol/check-actions.ts";
import { extractJson } from "../protocol/extract-json.ts";
import type { Problem } from "../protocol/problem.ts";
import type { Action, ModelResponse } from "../protocol/schema-v2.ts";
import type { ChangeSet } from "../transaction/change.ts";
import { computeChangeSet } from "../transaction/compute.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Verdict } from "./answer.ts";

/** Faults that a second answer cannot mend: the disk is not what the plan saw. */
const NOT_REPAIRABLE: ReadonlySet<ErrorCode> = new Set([
  "ERR_BASE_MISMATCH",
  "ERR_NON_UTF8_FILE",
  "ERR_IO",
]);

/** An answer as a valid plan: JSON, schema, no actions. */
export function judgePlan(text: string): Promise<Verdict<ModelResponse>> {
  return readResponse(text, "plan");
}

/** An answer as a change set: JSON, schema, static rules, then every gate that reads the disk. */
export async function judgeApply(
  text: string,
  workspace: Workspace,
  seen: Readonly<Record<string, string>>,
  maxActions: number,
): Promise<Verdict<{ readonly response: ModelResponse; readonly changeSet: ChangeSet }>> {
  const read = await readResponse(text, "apply");
  if (!read.ok) return read;
  const { value: response } = read;
  const faults = checkActions(response.actions, { maxActions });
  if (faults.length > 0) return rejectActions(response.actions, faults);
  const unseen = findUnseen(response.actions, seen);
  const computed = computeChangeSet(workspace, response.actions);
  if (computed.ok && unseen.length === 0) {
    return { ok: true, value: { response, changeSet: computed.changeSet } };
  }
  const gates = computed.ok ? [] : computed.problems.map((problem) => blameBase(problem, seen));
  return rejectActions(response.actions, [...unseen, ...gates.filter(isNew(unseen))]);
}

async function readResponse(text: string, mode: "plan" | "apply"): Promise<Verdict<ModelResponse>> {
  const extracted = extractJson(text);
  if (!extracted.ok) {
    const { code, message } = extracted;
    return { ok: false, code, message, instruction: `${code}: ${message}` };
  }
  // Loaded with the first answer: a chat that never plans does not pay for the validator.
  const { validateResponse } = await import("../protocol/validate-response.ts");
  const valid = validateResponse(extracted.value, { version: 2, mode });
  if (valid.ok) return { ok: true, value: valid.response };
  const message = valid.errors.join("; ");
  return { ok: false, code: valid.code, message, instruction: `${valid.code}: ${message}` };
}

/** ERR_UPDATE_WITHOUT_BASE: an existing file may change only when the plan's context showed it. */
function findUnseen(
  actions: readonly Action[],
  seen: Readonly<Record<string, string>>,
): readonly Problem[] {
  return actions.flatMap((action, actionIndex) => {
    if (!("base_sha256" in action) || shaSeen(seen, action.path) !== undefined) return [];
    return {
      code: "ERR_UPDATE_WITHOUT_BASE" as const,
      actionIndex,
      path: action.path,
      message: `"${action.path}" was not shown to you, so it must not be changed; leave it out`,
    };
  });
}

/** A base that differs although the file is what the plan saw is a copying error: repairable. */
function blameBase(problem: Problem, seen: Readonly<Record<string, string>>): Problem {
  if (problem.code !== "ERR_BASE_MISMATCH" || problem.hint === undefined) return problem;
  if (shaSeen(seen, problem.path) !== problem.hint) return problem;
  return {
    ...problem,
    code: "ERR_BASE_SHA256_INVALID",
    message: `base_sha256 of "${problem.path}" is not the one of its FILE[...] line; use ${problem.hint}`,
  };
}

/** Models write `./src/a.ts` for what was shown as `src/a.ts`. */
function shaSeen(seen: Readonly<Record<string, string>>, path: string): string | undefined {
  const normal = normalisePath(path);
  return seen[normal.ok ? normal.path : path];
}

function isNew(known: readonly Problem[]): (problem: Problem) => boolean {
  return (problem) => !known.some((other) => other.actionIndex === problem.actionIndex);
}

function rejectActions(
  actions: readonly Action[],
  problems: readonly Problem[],
): Extract<Verdict<never>, { ok: false }> {
  const hopeless = problems.find((problem) => NOT_REPAIRABLE.has(problem.code));
  const blamed = hopeless ?? problems[0];
  if (!blamed) throw new Error("an answer is rejected for at least one problem");
  const failure = {
    ok: false as const,
    code: blamed.code,
    message: problems.map((problem) => problem.message).join("; "),
    problems,
  };
  if (hopeless) return failure;
  const injected = problems.filter((problem) => problem.code === "ERR_BASE_SHA256_INVALID");
  return {
    ...failure,
    instruction: problems.map((problem) => renderProblem(actions, problem)).join("\n"),
    injectedPaths: injected.map((problem) => problem.path),
  };
}

function renderProblem(actions: readonly Action[], problem: Problem): string {
  const kind = actions[problem.actionIndex]?.kind;
  const place = kind ? `actions[${problem.actionIndex}] ${kind} ${problem.path}` : "answer";
  const hint = problem.hint ? `\n${problem.hint}` : "";
  return `- ${place}: ${problem.code}: ${problem.message}${hint}`;
}
