import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import schemaV2 from "../../schemas/llm_response_schema_v2.json" with { type: "json" };
import type { ErrorCode } from "../core/error-codes.ts";
import { describeSchemaError } from "./describe-schema-error.ts";
import { dropNulls } from "./drop-nulls.ts";
import type { ModelResponse } from "./schema-v2.ts";

/** What is asked of an answer beside its schema. */
export interface ValidationOptions {
  readonly version: 2;
  readonly mode: "plan" | "apply";
}

/** A valid answer, or what is wrong with it in words that a model can act on. */
export type Validation =
  | { readonly ok: true; readonly response: ModelResponse }
  | { readonly ok: false; readonly code: ErrorCode; readonly errors: readonly string[] };

/** More faults than one repair would mend at once. */
const MOST_ERRORS = 20;

const ajv = new Ajv({ allErrors: true, discriminator: true, strict: false, verbose: true });
const VALIDATORS: Readonly<Record<ValidationOptions["version"], ValidateFunction<ModelResponse>>> =
  {
    2: ajv.compile<ModelResponse>(schemaV2),
  };

/**
 * Checks a parsed answer against the full schema of its version, then against the rules of its
 * mode. Null stands for "left out", as strict structured output writes it.
 *
 * Loads ajv: import this module when an answer is there, not at the start.
 */
export function validateResponse(value: unknown, options: ValidationOptions): Validation {
  const response = dropNulls(value);
  const validate = VALIDATORS[options.version];
  if (!validate(response)) return refuse("ERR_SCHEMA_VALIDATION", toErrors(validate.errors ?? []));
  const { actions, summary = "" } = response;
  if (options.mode === "plan" && actions.length > 0) {
    const error = `actions must be [] in a plan, found ${actions.length}; describe the changes in summary`;
    return refuse("ERR_PLAN_HAS_ACTIONS", [error]);
  }
  const empty = actions.length === 0 && !summary.trim().startsWith("NO_CHANGES:");
  if (options.mode === "apply" && empty) {
    const error =
      'actions must not be empty in an apply; if nothing is to change, begin summary with "NO_CHANGES:" and say why';
    return refuse("ERR_APPLY_EMPTY_ACTIONS", [error]);
  }
  return { ok: true, response };
}

function refuse(code: ErrorCode, errors: readonly string[]): Validation {
  return { ok: false, code, errors };
}

function toErrors(found: readonly ErrorObject[]): readonly string[] {
  const errors = new Set<string>();
  for (const error of found) {
    errors.add(describeSchemaError(error));
    if (errors.size === MOST_ERRORS) break;
  }
  return [...errors];
}
