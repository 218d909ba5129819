import type { ErrorObject, ValidateFunction } from "ajv";
import { validateV1, validateV2, validateV3 } from "../../schemas/llm_response.validators.js";
import type { ErrorCode } from "../core/error-codes.ts";
import { firstOf } from "../core/few.ts";
import { describeSchemaError } from "./describe-schema-error.ts";
import { dropNulls } from "./extract-json.ts";
import type { Problem } from "./problem.ts";
import { type ActionV1, actionsOfV1, fromV1, fromV3, type ModelResponse } from "./response.ts";
import { toProblems } from "./schema-faults.ts";
import type { ProtocolVersion } from "./version.ts";

/** What an answer has to satisfy besides its schema. */
export interface ValidationOptions {
  readonly version: ProtocolVersion;
  readonly mode: "plan" | "apply";
}

/** A valid answer, or what is wrong with it in words that a model can act on. */
export type Validation =
  | { readonly ok: true; readonly response: ModelResponse }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly errors: readonly string[];
      /** The same by action, where every fault is one of a single action. */
      readonly problems?: readonly Problem[];
    };

/** More faults than one repair would fix at once. */
const MOST_ERRORS = 20;

/** What an answer is by its form alone. */
type Read =
  | { readonly ok: true; readonly response: ModelResponse }
  | { readonly ok: false; readonly errors: readonly ErrorObject[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const READERS: Readonly<Record<ProtocolVersion, (answer: unknown) => Read>> = {
  1: createReader(validateV1, (answer) => {
    const problems = findMissingContent(actionsOfV1(answer));
    return problems.length > 0 ? { ok: false, problems } : { ok: true, response: fromV1(answer) };
  }),
  2: createReader(validateV2, (response) => ({ ok: true, response })),
  3: createReader(validateV3, (answer) => ({ ok: true, response: fromV3(answer) })),
};

/**
 * Checks a parsed answer against the full schema of its version, then against the rules of its
 * mode. Null means "left out", as strict structured output writes it.
 *
 * The validators are large: import this module when an answer is there, not at the start.
 */
export function validateResponse(value: unknown, options: ValidationOptions): Validation {
  const excess = findExcess(value);
  if (excess) return refuse(excess.code, [excess.error]);
  const answer = dropNulls(value);
  const read = READERS[options.version](answer);
  if (read.ok) return checkMode(read.response, options.mode);
  return "errors" in read ? refuseBySchema(read.errors, answer) : refuseProblems(read.problems);
}

function createReader<A>(
  validate: ValidateFunction<A>,
  toRead: (answer: A) => Read,
): (answer: unknown) => Read {
  return (answer) =>
    validate(answer) ? toRead(answer) : { ok: false, errors: validate.errors ?? [] };
}

function refuseBySchema(errors: readonly ErrorObject[], answer: unknown): Validation {
  const actions: unknown =
    typeof answer === "object" && answer !== null && "actions" in answer ? answer.actions : answer;
  const problems = toProblems(errors, actions);
  if (problems) return refuseProblems(problems);
  return refuse("ERR_SCHEMA_VALIDATION", errors.map(describeSchemaError));
}

/** Schema v1 lets a file come without its content; all versions know an empty one. */
function findMissingContent(actions: readonly ActionV1[]): readonly Problem[] {
  return actions.flatMap(({ kind, path, content }, actionIndex) => {
    const writes = kind === "CREATE_FILE" || kind === "UPDATE_FILE";
    if (!writes || content !== undefined) return [];
    const message = `actions[${actionIndex}] must have "content"`;
    return [{ code: "ERR_CONTENT_REQUIRED" as const, actionIndex, path, message }];
  });
}

function checkMode(response: ModelResponse, mode: "plan" | "apply"): Validation {
  const { actions, summary = "" } = response;
  if (mode === "plan" && actions.length > 0) {
    const error = `actions must be [] in a plan, found ${actions.length}; describe the changes in summary`;
    return refuse("ERR_PLAN_HAS_ACTIONS", [error]);
  }
  const empty = actions.length === 0 && !summary.trim().startsWith("NO_CHANGES:");
  if (mode === "apply" && empty) {
    const error =
      'actions must not be empty in an apply; if nothing is to change, begin summary with "NO_CHANGES:" and say why';
    return refuse("ERR_APPLY_EMPTY_ACTIONS", [error]);
  }
  return { ok: true, response };
}

/** Problems, the one to blame first. */
function refuseProblems(problems: readonly Problem[]): Validation {
  const code = problems[0]?.code ?? "ERR_SCHEMA_VALIDATION";
  const reported = firstOf(problems, MOST_ERRORS);
  const errors = reported.lines(({ message }) => message, tellMore);
  return { ok: false, code, errors, problems: reported.take(() => {}) };
}

function refuse(code: ErrorCode, errors: readonly string[]): Validation {
  return {
    ok: false,
    code,
    errors: firstOf([...new Set(errors)], MOST_ERRORS).lines(String, tellMore),
  };
}

function tellMore(left: number): string {
  return `and ${left} more`;
}

const MOST_ACTIONS = 200;
/** A full answer of 200 actions with 50 edits each has fewer. */
const MOST_VALUES = 100_000;

/** An answer too large to be looked at closely. */
interface Excess {
  readonly code: ErrorCode;
  readonly error: string;
}

/**
 * What is too much about an answer before its schema is asked: a validator that names every fault
 * would be busy with a million of them for minutes.
 */
function findExcess(answer: unknown): Excess | undefined {
  const lists: readonly (readonly [string, unknown])[] = [
    ["the answer", answer],
    ["actions", readKey(answer, "actions")],
    ["proposed_changes.actions", readKey(readKey(answer, "proposed_changes"), "actions")],
  ];
  for (const [name, list] of lists) {
    if (Array.isArray(list) && list.length > MOST_ACTIONS) {
      const error = `${name} must have at most ${MOST_ACTIONS} items, found ${list.length}`;
      return { code: "ERR_TOO_MANY_ACTIONS", error };
    }
  }
  if (!hasMoreValues(answer)) return undefined;
  const error = `the answer must have at most ${MOST_VALUES} values; leave out what was not asked for`;
  return { code: "ERR_SCHEMA_VALIDATION", error };
}

function readKey(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** Without recursion: an answer may be nested as deep as it likes. */
function hasMoreValues(answer: unknown): boolean {
  const open: unknown[] = [answer];
  for (let seen = 0; open.length > 0; seen++) {
    if (seen + open.length > MOST_VALUES) return true;
    const value = open.pop();
    if (Array.isArray(value)) {
      for (const item of value) open.push(item);
    } else if (typeof value === "object" && value !== null) {
      for (const key in value) open.push(Reflect.get(value, key));
    }
  }
  return false;
}
