import type { ErrorCode } from "../../core/error-codes.ts";

/** The kinds of fault that a report tells apart. */
export type CodeGroup = (typeof GROUPS)[number];

const GROUPS = ["EDIT", "LLM_FORMAT", "PATCH", "SAFETY", "ENCODING", "V2_UPDATE", "OTHER"] as const;

/** The group of every code that has one; the rest are OTHER. */
const GROUP_OF: Partial<Readonly<Record<ErrorCode, CodeGroup>>> = {
  ERR_EDIT_NO_EDITS: "EDIT",
  ERR_EDIT_ANCHOR_NOT_FOUND: "EDIT",
  ERR_EDIT_BEFORE_NOT_FOUND: "EDIT",
  ERR_EDIT_AMBIGUOUS: "EDIT",
  ERR_EDIT_APPLY_FAILED: "EDIT",
  ERR_EDIT_BASE_MISMATCH: "EDIT",
  LLM_ANSWER_CUT: "LLM_FORMAT",
  ERR_JSON_EXTRACT: "LLM_FORMAT",
  ERR_JSON_PARSE: "LLM_FORMAT",
  ERR_SCHEMA_VALIDATION: "LLM_FORMAT",
  ERR_PLAN_HAS_ACTIONS: "LLM_FORMAT",
  ERR_APPLY_EMPTY_ACTIONS: "LLM_FORMAT",
  ERR_CONTENT_REQUIRED: "LLM_FORMAT",
  ERR_PATCH_REQUIRED: "PATCH",
  ERR_PATCH_NOT_UNIFIED: "PATCH",
  ERR_PATCH_PATH_MISMATCH: "PATCH",
  ERR_PATCH_APPLY_FAILED: "PATCH",
  ERR_PATCH_AMBIGUOUS: "PATCH",
  ERR_BASE_SHA256_INVALID: "PATCH",
  ERR_BASE_MISMATCH: "PATCH",
  ERR_RANGE_INVALID: "PATCH",
  ERR_RANGE_OUT_OF_BOUNDS: "PATCH",
  ERR_INVALID_PATH: "SAFETY",
  ERR_PATH_TOO_LONG: "SAFETY",
  ERR_PROTECTED_PATH: "SAFETY",
  ERR_UPDATE_WITHOUT_BASE: "SAFETY",
  ERR_ACTION_CONFLICT: "SAFETY",
  ERR_CREATE_EXISTS: "SAFETY",
  ERR_NOT_EMPTY: "SAFETY",
  ERR_TOO_MANY_ACTIONS: "SAFETY",
  ERR_CONTENT_TOO_LARGE: "SAFETY",
  ERR_NON_UTF8_FILE: "ENCODING",
  ERR_PSEUDO_BINARY: "ENCODING",
  ERR_V2_UPDATE_EXISTING_FORBIDDEN: "V2_UPDATE",
};

const BY_CODE: ReadonlyMap<string, CodeGroup> = new Map(Object.entries(GROUP_OF));

/** The group of a code, also of one that this version does not know. */
export function groupOf(code: string): CodeGroup {
  return BY_CODE.get(code) ?? "OTHER";
}

/** Counts of codes summed up by group; a group without any is listed with 0. */
export function countGroups(
  codes: ReadonlyMap<string, number>,
): Readonly<Record<CodeGroup, number>> {
  const sums = { EDIT: 0, LLM_FORMAT: 0, PATCH: 0, SAFETY: 0, ENCODING: 0, V2_UPDATE: 0, OTHER: 0 };
  for (const [code, count] of codes) sums[groupOf(code)] += count;
  return sums;
}
