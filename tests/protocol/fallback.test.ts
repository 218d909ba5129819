import { describe, expect, test } from "bun:test";
import { ERROR_CODES, type ErrorCode } from "../../src/core/error-codes.ts";
import { fallbackVersion, MOST_APPLY_REQUESTS, mayRepair } from "../../src/protocol/fallback.ts";
import type { ProtocolVersion } from "../../src/protocol/version.ts";

/** Code, and for v3 and v2: whether a repair comes first, and the version after it. */
const LADDER: readonly (readonly [ErrorCode, boolean, 1 | 2, 1 | undefined])[] = [
  ["ERR_PATCH_APPLY_FAILED", true, 1, 1],
  ["ERR_PATCH_AMBIGUOUS", true, 1, 1],
  ["ERR_V2_UPDATE_EXISTING_FORBIDDEN", true, 1, 1],
  ["ERR_NON_UTF8_FILE", false, 1, 1],
  ["ERR_EDIT_ANCHOR_NOT_FOUND", true, 2, undefined],
  ["ERR_EDIT_BEFORE_NOT_FOUND", true, 2, undefined],
  ["ERR_EDIT_AMBIGUOUS", true, 2, undefined],
  ["ERR_EDIT_APPLY_FAILED", false, 2, undefined],
];
const CODES: ReadonlySet<ErrorCode> = new Set(LADDER.map(([code]) => code));

function isErrorCode(key: string): key is ErrorCode {
  return Object.hasOwn(ERROR_CODES, key);
}

describe("fallbackVersion()", () => {
  test.each(LADDER)("of %s is the next rung, and none below v1", (code, _, fromV3, fromV2) => {
    expect(fallbackVersion(code, 3)).toBe(fromV3);
    expect(fallbackVersion(code, 2)).toBe(fromV2);
    expect(fallbackVersion(code, 1)).toBeUndefined();
  });

  test("of every other fault is none", () => {
    for (const code of Object.keys(ERROR_CODES).filter(isErrorCode)) {
      if (CODES.has(code)) continue;
      for (const version of [1, 2, 3] as const) {
        expect([code, fallbackVersion(code, version)]).toEqual([code, undefined]);
      }
    }
  });
});

describe("mayRepair()", () => {
  test.each(LADDER)("repairs %s first: %p", (code, repairFirst, fromV3) => {
    const version = fromV3 === 2 ? 3 : 2;
    expect(mayRepair(code, { version, requests: 1, fallback: true })).toBe(repairFirst);
    expect(mayRepair(code, { version, requests: 1, fallback: false })).toBe(true);
  });

  test.each([...LADDER.map(([code]) => code), "ERR_SCHEMA_VALIDATION"] as const)(
    "repairs %s with the last request, and with none beyond it",
    (code) => {
      const may = (requests: number) => mayRepair(code, { version: 3, requests, fallback: false });
      expect([may(MOST_APPLY_REQUESTS - 1), may(MOST_APPLY_REQUESTS)]).toEqual([true, false]);
    },
  );

  test("lets an apply that fails at every turn have four requests, and reach v1", () => {
    const climbs: readonly (readonly [ErrorCode, ProtocolVersion, readonly string[]])[] = [
      ["ERR_PATCH_APPLY_FAILED", 2, ["v2", "repair", "v1", "repair"]],
      ["ERR_NON_UTF8_FILE", 2, ["v2", "v1", "repair"]],
      ["ERR_EDIT_AMBIGUOUS", 3, ["v3", "repair", "v2", "v1"]],
      ["ERR_EDIT_APPLY_FAILED", 3, ["v3", "v2", "repair", "v1"]],
      ["ERR_SCHEMA_VALIDATION", 3, ["v3", "repair"]],
    ];
    for (const [code, version, expected] of climbs) {
      expect([code, climb(code, version)]).toEqual([code, expected]);
    }
  });
});

/** What is asked when v3 fails with `first` and every version below with a patch that does not fit. */
function climb(first: ErrorCode, start: ProtocolVersion): readonly string[] {
  const asked: string[] = [`v${start}`];
  let version = start;
  let repaired = false;
  for (;;) {
    const code = version === start ? first : "ERR_PATCH_APPLY_FAILED";
    const state = { version, requests: asked.length, fallback: true };
    if (!repaired && mayRepair(code, state)) {
      asked.push("repair");
      repaired = true;
      continue;
    }
    const next = fallbackVersion(code, version);
    if (next === undefined || asked.length >= MOST_APPLY_REQUESTS) return asked;
    asked.push(`v${next}`);
    version = next;
    repaired = false;
  }
}
