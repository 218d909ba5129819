import type { ErrorObject } from "ajv";
import { shorten } from "../core/cut-text.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { describeSchemaError } from "./describe-schema-error.ts";
import type { Problem } from "./problem.ts";

/**
 * Breaches of the schema that have a code of their own: keyword, place below an action, code.
 * In the order of the static rules, which is the order in which they are blamed.
 */
const OWN_CODES: readonly (readonly [keyword: string, place: string, code: ErrorCode])[] = [
  ["maxLength", "path", "ERR_PATH_TOO_LONG"],
  ["minLength", "path", "ERR_INVALID_PATH"],
  ["required", "content", "ERR_CONTENT_REQUIRED"],
  ["required", "patch", "ERR_PATCH_REQUIRED"],
  ["required", "base_sha256", "ERR_BASE_SHA256_INVALID"],
  ["type", "base_sha256", "ERR_BASE_SHA256_INVALID"],
  ["pattern", "base_sha256", "ERR_BASE_SHA256_INVALID"],
  ["required", "edits", "ERR_EDIT_NO_EDITS"],
  ["minItems", "edits", "ERR_EDIT_NO_EDITS"],
  ["maxItems", "edits", "ERR_EDIT_APPLY_FAILED"],
  ["minLength", "edit", "ERR_EDIT_APPLY_FAILED"],
  ["maxLength", "edit", "ERR_EDIT_APPLY_FAILED"],
  ["minimum", "edit", "ERR_EDIT_APPLY_FAILED"],
  ["maximum", "edit", "ERR_EDIT_APPLY_FAILED"],
  ["required", "start_line", "ERR_RANGE_INVALID"],
  ["required", "end_line", "ERR_RANGE_INVALID"],
  ["minimum", "start_line", "ERR_RANGE_INVALID"],
  ["minimum", "end_line", "ERR_RANGE_INVALID"],
];

/**
 * The breaches as problems of single actions when every one of them has a code of its own, so
 * that the repair can say more than where the schema was broken; otherwise undefined.
 */
export function toProblems(
  errors: readonly ErrorObject[],
  actions: unknown,
): readonly Problem[] | undefined {
  const found = errors.map((error) => {
    const [, index = "", key, inEdit] = IN_ACTION.exec(error.instancePath) ?? [];
    const place = inEdit ? "edit" : (key ?? String(error.params["missingProperty"]));
    const rank = OWN_CODES.findIndex(([keyword, at]) => keyword === error.keyword && at === place);
    return { error, rank, actionIndex: index === "" ? -1 : Number(index) };
  });
  if (found.some(({ rank, actionIndex }) => rank === -1 || actionIndex === -1)) return undefined;
  return found
    .toSorted((a, b) => a.rank - b.rank) // of one rank they come by action
    .flatMap(({ error, rank, actionIndex }) => {
      const code = OWN_CODES[rank]?.[2];
      const path = pathOf(actions, actionIndex);
      return code ? [{ code, actionIndex, path, message: describeSchemaError(error) }] : [];
    });
}

/** A key of an action, or of one of its edits; a bare array is all actions. */
const IN_ACTION = /^(?:\/actions)?\/(\d+)(?:\/(\w+)(\/\d+\/\w+)?)?$/;

/** The path as the model wrote it, shortened; it may be what is wrong. */
function pathOf(actions: unknown, index: number): string {
  const action: unknown = Array.isArray(actions) ? actions[index] : undefined;
  const path: unknown =
    typeof action === "object" && action !== null ? Reflect.get(action, "path") : undefined;
  return typeof path === "string" ? shorten(path, MOST_PATH_CHARS) : "";
}

const MOST_PATH_CHARS = 240;
