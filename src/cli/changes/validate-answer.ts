import type { ErrorCode } from "../../core/error-codes.ts";
import { checkResponse } from "../../protocol/check-response.ts";
import { extractJson } from "../../protocol/extract-json.ts";
import type { Problem } from "../../protocol/problem.ts";
import { schemaHash } from "../../protocol/schemas.ts";
import type { ProtocolVersion } from "../../protocol/version.ts";

/** What is said of an answer; field names are the interface's. */
export interface AnswerReport {
  readonly ok: boolean;
  readonly protocol: ProtocolVersion;
  readonly mode: "plan" | "apply";
  readonly schema_hash: string;
  readonly actions_count: number;
  readonly error_code?: ErrorCode;
  readonly errors: readonly string[];
  readonly problems: readonly {
    /** -1: a fault of the whole answer. */
    readonly action_index: number;
    readonly path: string;
    readonly error_code: ErrorCode;
    readonly message: string;
  }[];
}

/**
 * Checks a model's answer as the planner does before it looks at files: its JSON, its schema, the
 * rules of its mode, the static rules of its actions. Without a mode, an answer that has actions
 * is one to an apply.
 */
export function validateAnswer(
  text: string,
  version: ProtocolVersion,
  wantedMode?: "plan" | "apply",
): AnswerReport {
  const extracted = extractJson(text);
  const count = extracted.ok ? countActions(extracted.value) : 0;
  const mode = wantedMode ?? (count > 0 ? "apply" : "plan");
  const fault = extracted.ok
    ? findFault(extracted.value, version, mode)
    : { code: extracted.code, errors: [extracted.message], problems: [] };
  return {
    ok: fault === undefined,
    protocol: version,
    mode,
    schema_hash: schemaHash(version),
    actions_count: count,
    ...(fault && { error_code: fault.code }),
    errors: fault?.errors ?? [],
    problems: (fault?.problems ?? []).map(({ actionIndex, path, code, message }) => {
      return { action_index: actionIndex, path, error_code: code, message };
    }),
  };
}

/** Actions as they are in an answer of any version, valid or not. */
function countActions(value: unknown): number {
  const { proposed_changes: proposed, actions } = toObject(value);
  const found = [value, toObject(proposed)["actions"], actions].find(Array.isArray);
  return found?.length ?? 0;
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

interface Fault {
  readonly code: ErrorCode;
  readonly errors: readonly string[];
  readonly problems: readonly Problem[];
}

function findFault(
  value: unknown,
  version: ProtocolVersion,
  mode: "plan" | "apply",
): Fault | undefined {
  const valid = checkResponse(value, { version, mode });
  return valid.ok ? undefined : { problems: [], ...valid };
}
