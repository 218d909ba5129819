import type { ErrorCode } from "../../core/error-codes.ts";
import { firstOf } from "../../core/few.ts";
import { checkActions } from "../../protocol/check-actions.ts";
import { extractJson } from "../../protocol/extract-json.ts";
import type { Problem } from "../../protocol/problem.ts";
import type { Action, ModelResponse } from "../../protocol/response.ts";
import type { ProtocolVersion } from "../../protocol/version.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { computeChangeSet } from "../../transaction/compute/compute.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Rejection, Verdict } from "../answer.ts";
import { checkBase, withRightBase } from "./check-base.ts";

/** What actions are evaluated against. */
export interface ApplyContext {
  readonly workspace: Workspace;
  /** Of the protocol that the actions follow. */
  readonly version: ProtocolVersion;
  /** Line ends of new content: as written, or always LF. */
  readonly normalizeEol: "keep" | "lf";
  /** sha256 by path of every file that the plan's context showed. */
  readonly seen: Readonly<Record<string, string>>;
  /** Those of them that were shown from their first line to their last. */
  readonly whole: readonly string[];
  readonly maxActions: number;
  /** A change set of which the files are taken to be the result; default: they are as on disk. */
  readonly on?: ChangeSet;
}

/** An answer as a valid plan: JSON, schema, no actions, and something said or asked for. */
export async function evaluatePlan(
  text: string,
  version: ProtocolVersion,
): Promise<Verdict<ModelResponse>> {
  const read = await readResponse(text, { version, mode: "plan", seen: {} });
  if (!read.ok || read.value.summary?.trim() || read.value.context_requests?.length) return read;
  return unusable("ERR_SCHEMA_VALIDATION", "summary must hold the plan");
}

/** An answer as a change set: JSON, schema, then its actions. */
export async function evaluateApply(
  text: string,
  context: ApplyContext,
): Promise<Verdict<{ readonly response: ModelResponse; readonly changeSet: ChangeSet }>> {
  const read = await readResponse(text, { ...context, mode: "apply" });
  if (!read.ok) return read;
  const { value: response } = read;
  const evaluated = evaluateActions(response.actions, context);
  return evaluated.ok
    ? { ok: true, value: { response, changeSet: evaluated.value } }
    : { ...evaluated, response };
}

/**
 * Actions as a change set on the files as they are now, or as the context takes them to be. Every
 * static rule and every gate is asked about every action, so that one repair can fix all of them.
 */
export function evaluateActions(
  actions: readonly Action[],
  context: ApplyContext,
): Verdict<ChangeSet> {
  const faults = checkActions(actions, context);
  const computed = computeChangeSet(context.workspace, actions, context, context.on);
  const found = computed.ok
    ? []
    : computed.problems.filter((problem) => !isReported(problem, faults));
  const gates = actions.flatMap((action, index) => {
    const isHere = (problem: Problem) => problem.actionIndex === index;
    if (faults.some(isHere)) return [];
    const problem = checkBase(action, index, found.find(isHere), context.seen);
    return problem ? [problem] : [];
  });
  const problems = [...faults, ...gates];
  if (computed.ok && problems.length === 0) return { ok: true, value: computed.changeSet };
  const rejected = rejectActions(actions, problems);
  const isStatic = faults.some(({ code }) => code === rejected.code);
  return { ...rejected, stage: isStatic ? "validate" : "preview" };
}

/** Of two actions in conflict the rules name one, and the disk may name the other. */
function isReported({ code }: Problem, faults: readonly Problem[]): boolean {
  return code === "ERR_ACTION_CONFLICT" && faults.some((fault) => fault.code === code);
}

async function readResponse(
  text: string,
  options: Pick<ApplyContext, "version" | "seen"> & { readonly mode: "plan" | "apply" },
): Promise<Verdict<ModelResponse>> {
  const extracted = extractJson(text);
  if (!extracted.ok) return unusable(extracted.code, extracted.message);
  // Loaded with the first answer: a chat that never plans does not pay for the validator.
  const { validateResponse } = await import("../../protocol/validate-response.ts");
  const valid = validateResponse(extracted.value, options);
  if (valid.ok) return { ok: true, value: valid.response };
  if (!valid.problems) return unusable(valid.code, valid.errors.join("; "));
  const problems = valid.problems.map((problem) => withRightBase(problem, options.seen));
  return { ...rejectActions([], problems), stage: "validate" };
}

/** The fault in the model's own words goes back to it; a person is shown who made it. */
function unusable(code: Rejection["code"], fault: string): Rejection {
  const message = `The model's answer cannot be used: ${fault}`;
  return { ok: false, code, message, stage: "schema", instruction: `${code}: ${fault}` };
}

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
function rejectActions(actions: readonly Action[], problems: readonly Problem[]): Rejection {
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
