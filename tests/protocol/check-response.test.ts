import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { validateAnswer } from "../../src/cli/changes/validate-answer.ts";
import { utf8Length } from "../../src/core/decode-utf8.ts";
import { validateResponse } from "../../src/index.ts";
import { RESPONSE_SCHEMAS } from "../../src/protocol/schemas.ts";
import type { ProtocolVersion } from "../../src/protocol/version.ts";
import { fromSchema } from "../support/from-schema.ts";
import { runs } from "../support/long.ts";

const VERSIONS: readonly ProtocolVersion[] = [1, 2, 3];
const MODES = ["plan", "apply"] as const;
const SHA = "a".repeat(64);
const FILE = { kind: "CREATE_FILE", path: "a.txt", content: "x\n" };
const PATCH = { kind: "PATCH_FILE", path: "b.txt", base_sha256: SHA };
const RANGE = { kind: "REPLACE_RANGE", path: "c.txt", base_sha256: SHA, content: "" };

interface Verdict {
  readonly ok: boolean;
  readonly code?: string | undefined;
  readonly errors?: readonly string[];
}

/** What the command says of an answer, in the words of the library. */
function commandOn(answer: unknown, version: ProtocolVersion, mode: "plan" | "apply"): Verdict {
  const { ok, error_code, errors } = validateAnswer(JSON.stringify(answer), version, mode);
  return ok ? { ok } : { ok, code: error_code, errors };
}

/** What the library says. */
function libraryOn(answer: unknown, version: ProtocolVersion, mode: "plan" | "apply"): Verdict {
  const verdict = validateResponse(answer, { version, mode });
  return verdict.ok ? { ok: true } : { ok: false, code: verdict.code, errors: verdict.errors };
}

describe("validateResponse() of the library judges what the command judges", () => {
  test.each([
    ["a good answer", [FILE], undefined],
    ["a path that leaves the folder", [{ ...FILE, path: "../a" }], "ERR_INVALID_PATH"],
    ["a path too long", [{ ...FILE, path: "я".repeat(121) }], "ERR_PATH_TOO_LONG"],
    ["content that is none", [{ ...FILE, content: "\0" }], "ERR_PSEUDO_BINARY"],
    ["an empty patch", [{ ...PATCH, patch: " " }], "ERR_PATCH_REQUIRED"],
    ["a patch that is none", [{ ...PATCH, patch: "x" }], "ERR_PATCH_NOT_UNIFIED"],
    [
      "a patch of another file",
      [{ ...PATCH, patch: "--- a/z.txt\n+++ b/z.txt\n@@ -1 +1 @@\n-a\n+b\n" }],
      "ERR_PATCH_PATH_MISMATCH",
    ],
    ["a range that is none", [{ ...RANGE, start_line: 9, end_line: 2 }], "ERR_RANGE_INVALID"],
    ["two actions on one path", [FILE, { ...FILE, path: "./a.txt" }], "ERR_ACTION_CONFLICT"],
    [
      "an action below what another deletes",
      [
        { kind: "DELETE_DIR", path: "d" },
        { ...FILE, path: "d/a.txt" },
      ],
      "ERR_ACTION_CONFLICT",
    ],
    ["no content", [{ kind: "CREATE_FILE", path: "a" }], "ERR_CONTENT_REQUIRED"],
  ])("%s", (_what, actions, code) => {
    const answer = { actions, summary: "s" };
    const verdict = libraryOn(answer, 2, "apply");
    expect(verdict.code).toBe(code);
    expect(verdict).toEqual(commandOn(answer, 2, "apply"));
  });

  test("and says of each action what is wrong with it", () => {
    const actions = [FILE, { ...FILE, path: "../b" }, { ...RANGE, start_line: 9, end_line: 2 }];
    const verdict = validateResponse({ actions, summary: "s" }, { version: 2, mode: "apply" });
    if (verdict.ok) throw new Error("nothing was wrong with it");
    const problems = verdict.problems?.map(({ code, actionIndex, path }) => [
      code,
      actionIndex,
      path,
    ]);
    expect(problems).toEqual([
      ["ERR_INVALID_PATH", 1, "../b"],
      ["ERR_RANGE_INVALID", 2, "c.txt"],
    ]);
    expect(verdict.problems?.map(({ message }) => message)).toEqual([...verdict.errors]);
  });

  test.each(VERSIONS)("random answers under v%d", (version) => {
    const answers = fromSchema(RESPONSE_SCHEMAS[version]);
    fc.assert(
      fc.property(answers, fc.constantFrom(...MODES), (answer, mode) => {
        expect(libraryOn(answer, version, mode)).toEqual(commandOn(answer, version, mode));
      }),
      { numRuns: runs(60, 600) },
    );
  });
});

test("utf8Length() counts what an encoder writes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (a, b) => {
      const half = b.slice(1); // may begin with half a pair
      for (const text of [a, b, half, a + half]) {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      }
    }),
  );
});
