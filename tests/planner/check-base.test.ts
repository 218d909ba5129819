import { describe, expect, test } from "bun:test";
import type { ErrorCode } from "../../src/core/error-codes.ts";
import { checkBase, withRightBase } from "../../src/planner/evaluate/check-base.ts";
import type { Problem } from "../../src/protocol/problem.ts";
import type { Action } from "../../src/protocol/response.ts";

const SHOWN = "1".repeat(64);
const NOW = "2".repeat(64);

const patch: Action = { kind: "PATCH_FILE", path: "a.txt", base_sha256: NOW, patch: "" };
const edit: Action = { kind: "EDIT_FILE", path: "a.txt", base_sha256: NOW, edits: [] };

function problem(code: ErrorCode, hint?: string): Problem {
  return { code, actionIndex: 0, path: "a.txt", message: "found", ...(hint && { hint }) };
}

const ABOUT_CONTENT = [
  "ERR_BASE_MISMATCH",
  "ERR_EDIT_BASE_MISMATCH",
  "ERR_V2_UPDATE_EXISTING_FORBIDDEN",
  "ERR_PATCH_APPLY_FAILED",
  "ERR_PATCH_AMBIGUOUS",
  "ERR_EDIT_ANCHOR_NOT_FOUND",
  "ERR_EDIT_BEFORE_NOT_FOUND",
  "ERR_EDIT_AMBIGUOUS",
  "ERR_EDIT_APPLY_FAILED",
  "ERR_RANGE_OUT_OF_BOUNDS",
] as const;

describe("checkBase()", () => {
  test.each(ABOUT_CONTENT)("tells nothing of the content of an unseen file: %s", (code) => {
    const found = checkBase(patch, 0, problem(code), {});
    expect(found).toMatchObject({ code: "ERR_UPDATE_WITHOUT_BASE" });
    expect(found?.message).not.toContain("found");
  });

  test.each(["ERR_NOT_FOUND", "ERR_PROTECTED_PATH", "ERR_NON_UTF8_FILE"] as const)(
    "lets %s stand, shown or not",
    (code) => {
      for (const seen of [{}, { "a.txt": SHOWN }]) {
        expect(checkBase(patch, 0, problem(code), seen)).toEqual(problem(code));
      }
    },
  );

  test("calls any other fault of a file that changed since a change, by the kind of action", () => {
    const seen = { "a.txt": SHOWN };
    const misfit = problem("ERR_PATCH_APPLY_FAILED", "nearest lines");
    expect(checkBase(patch, 3, misfit, seen)).toMatchObject({
      code: "ERR_BASE_MISMATCH",
      actionIndex: 3,
    });
    expect(checkBase(edit, 3, undefined, seen)).toMatchObject({ code: "ERR_EDIT_BASE_MISMATCH" });
  });

  test("takes a base that is not the shown one for a copying error while the file is as shown", () => {
    const seen = { "a.txt": SHOWN };
    expect(checkBase(patch, 0, problem("ERR_BASE_MISMATCH", SHOWN), seen)).toMatchObject({
      code: "ERR_BASE_SHA256_INVALID",
      hint: `use base_sha256 ${SHOWN}`,
    });
    const changed = problem("ERR_EDIT_BASE_MISMATCH", NOW);
    expect(checkBase(edit, 0, changed, seen)).toEqual(changed);
  });
});

test("withRightBase() hints at the base of a shown file, for that fault alone", () => {
  const invalid = problem("ERR_BASE_SHA256_INVALID");
  const seen = { "a.txt": SHOWN };
  expect(withRightBase(invalid, seen)).toEqual({ ...invalid, hint: `use base_sha256 ${SHOWN}` });
  expect(withRightBase(invalid, {})).toEqual(invalid);
  const other = problem("ERR_PATCH_REQUIRED");
  expect(withRightBase(other, seen)).toEqual(other);
});
