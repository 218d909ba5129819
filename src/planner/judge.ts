import type { ErrorCode } from "../core/error-codes.ts";
import { checkActions } from "../protocol/check-actions.ts";
import { extractJson } from "../protocol/extract-json.ts";
import type { Problem } from "../protocol/problem.ts";
import type { Action, ModelResponse } from "../protocol/schema-v2.ts";
import type { ChangeSet } from "../transaction/change.ts";
import { computeChangeSet } from "../transaction/compute.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Verdict } from "./answer.ts";
import { judgeBase } from "./judge-base.ts";
import { rejectActions } from "./reject-actions.ts";

/** What actions are judged against. */
export interface Ground {
  readonly workspace: Workspace;
  /** sha256 by path of every file that the plan's context showed. */
  readonly seen: Readonly<Record<string, string>>;
  readonly maxActions: number;
}

/** An answer as a valid plan: JSON, schema, no actions. */
export function judgePlan(text: string): Promise<Verdict<ModelResponse>> {
  return readResponse(text, "plan");
}

/** An answer as a change set: JSON, schema, then its actions. */
export async function judgeApply(
  text: string,
  ground: Ground,
): Promise<Verdict<{ readonly response: ModelResponse; readonly changeSet: ChangeSet }>> {
  const read = await readResponse(text, "apply");
  if (!read.ok) return read;
  const { value: response } = read;
  const judged = judgeActions(response.actions, ground);
  return judged.ok ? { ok: true, value: { response, changeSet: judged.value } } : judged;
}

/**
 * Actions as a change set on the files as they are now. Every static rule and every gate is asked
 * about every action, so that one repair can mend all faults.
 */
export function judgeActions(actions: readonly Action[], ground: Ground): Verdict<ChangeSet> {
  const faults = checkActions(actions, ground);
  const computed = computeChangeSet(ground.workspace, actions);
  const found = computed.ok ? [] : computed.problems.filter((problem) => !isTold(problem, faults));
  const gates = actions.flatMap((action, index) => {
    const isHere = (problem: Problem) => problem.actionIndex === index;
    if (faults.some(isHere)) return [];
    const problem = judgeBase(action, index, found.find(isHere), ground.seen);
    return problem ? [problem] : [];
  });
  const problems = [...faults, ...gates];
  return computed.ok && problems.length === 0
    ? { ok: true, value: computed.changeSet }
    : rejectActions(actions, problems);
}

/** Of two actions in conflict the rules name one, and the disk may name the other. */
function isTold({ code }: Problem, faults: readonly Problem[]): boolean {
  return code === "ERR_ACTION_CONFLICT" && faults.some((fault) => fault.code === code);
}

async function readResponse(text: string, mode: "plan" | "apply"): Promise<Verdict<ModelResponse>> {
  const extracted = extractJson(text);
  if (!extracted.ok) {
    const { code, message } = extracted;
    return unusable(code, message);
  }
  // Loaded with the first answer: a chat that never plans does not pay for the validator.
  const { validateResponse } = await import("../protocol/validate-response.ts");
  const valid = validateResponse(extracted.value, { version: 2, mode });
  if (valid.ok) return { ok: true, value: valid.response };
  return unusable(valid.code, valid.errors.join("; "));
}

/** The fault in the model's own words goes back to it; a person hears whose fault it is. */
function unusable(code: ErrorCode, fault: string): Extract<Verdict<never>, { ok: false }> {
  const message = `The model's answer cannot be used: ${fault}`;
  return { ok: false, code, message, instruction: `${code}: ${fault}` };
}
