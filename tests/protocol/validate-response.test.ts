import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { validateResponse } from "../../src/protocol/validate-response.ts";

const SHA = "a".repeat(64);
const PATCH = {
  kind: "PATCH_FILE",
  path: "a.ts",
  patch: "@@ -1 +1 @@\n-a\n+b\n",
  base_sha256: SHA,
};
const RANGE = {
  kind: "REPLACE_RANGE",
  path: "b.ts",
  base_sha256: SHA,
  start_line: 1,
  end_line: 0,
  content: "",
};
const VALID = {
  actions: [
    { kind: "CREATE_FILE", path: "n.ts", content: "" },
    { kind: "UPDATE_FILE", path: "u.ts", content: "x" },
    { kind: "CREATE_DIR", path: "d" },
    { kind: "DELETE_FILE", path: "x" },
    { kind: "DELETE_DIR", path: "y" },
    PATCH,
    RANGE,
  ],
  summary: "s",
  context_requests: [
    { type: "read_file", path: "a.ts", start_line: 1 },
    { type: "search", query: "q", glob: "**/*.ts" },
    { type: "logs", source: "daemon", last_n: 5000 },
    { type: "env" },
  ],
  memory_patch: { "user.ask_budget": "3", "project.src_roots": ["src"] },
};

function validate(value: unknown, mode: "plan" | "apply" = "apply") {
  return validateResponse(value, { version: 2, mode });
}

function errorsOf(value: unknown): readonly string[] {
  const result = validate(value);
  if (result.ok) throw new Error("was valid");
  expect(result.code).toBe("ERR_SCHEMA_VALIDATION");
  return result.errors;
}

describe("validateResponse()", () => {
  test("takes every kind of action and request", () => {
    expect(validate(VALID)).toMatchObject({ ok: true, response: VALID });
  });

  test("takes null for what is left out", () => {
    const nulls = {
      actions: [{ ...RANGE, patch: null }],
      summary: null,
      memory_patch: { "user.ask_budget": null },
    };
    expect(validate(nulls)).toMatchObject({ ok: true, response: { actions: [RANGE] } });
    expect(validate({ actions: [{ ...RANGE, content: null }] }).ok).toBe(false);
  });

  const faults: readonly (readonly [string, unknown, string])[] = [
    ["an array", [], "the answer must be of type object"],
    ["no actions", {}, 'the answer must have "actions"'],
    ["an unknown key", { actions: [], extra: 1 }, 'the answer must not have "extra"'],
    [
      "an unknown kind",
      { actions: [{ kind: "RUN", path: "a" }] },
      'actions[0] must have a "kind" that is one of CREATE_FILE, UPDATE_FILE, CREATE_DIR, DELETE_FILE, DELETE_DIR, PATCH_FILE, REPLACE_RANGE',
    ],
    [
      "a wrong hash",
      { actions: [{ ...PATCH, base_sha256: SHA.toUpperCase() }] },
      "actions[0].base_sha256 must be 64 lower-case hexadecimal digits",
    ],
    [
      "a patch without hash",
      { actions: [{ ...PATCH, base_sha256: undefined }] },
      'actions[0] must have "base_sha256"',
    ],
    [
      "a patch with content",
      { actions: [{ ...PATCH, content: "" }] },
      'actions[0] must not have "content"',
    ],
    [
      "line 0",
      { actions: [{ ...RANGE, start_line: 0 }] },
      "actions[0].start_line must be at least 1",
    ],
    [
      "no path",
      { actions: [{ ...PATCH, path: "" }] },
      "actions[0].path must have at least 1 characters",
    ],
    [
      "a long path",
      { actions: [{ ...PATCH, path: "a".repeat(241) }] },
      "actions[0].path must have at most 240 characters",
    ],
    [
      "201 actions",
      { actions: Array.from({ length: 201 }, () => PATCH) },
      "actions must have at most 200 items",
    ],
    [
      "a request without query",
      { actions: [], context_requests: [{ type: "search" }] },
      'context_requests[0] must have "query"',
    ],
    [
      "too many log lines",
      { actions: [], context_requests: [{ type: "logs", source: "daemon", last_n: 5001 }] },
      "context_requests[0].last_n must be at most 5000",
    ],
    [
      "a free memory key",
      { actions: [], memory_patch: { "user.name": "x" } },
      'memory_patch must not have "user.name"',
    ],
    [
      "a budget in words",
      { actions: [], memory_patch: { "user.ask_budget": "two" } },
      'memory_patch["user.ask_budget"] must be digits',
    ],
  ];
  for (const [name, value, error] of faults) {
    test(`names ${name}`, () => {
      expect(errorsOf(value)).toContain(error);
    });
  }

  test("names at most twenty faults", () => {
    expect(errorsOf({ actions: Array.from({ length: 100 }, () => ({})) })).toHaveLength(20);
  });

  test("holds the rules of a plan and of an apply", () => {
    expect(validate(VALID, "plan")).toMatchObject({ code: "ERR_PLAN_HAS_ACTIONS" });
    expect(validate({ actions: [], summary: "why" }, "plan").ok).toBe(true);
    expect(validate({ actions: [], summary: "done" })).toMatchObject({
      code: "ERR_APPLY_EMPTY_ACTIONS",
    });
    expect(validate({ actions: [] })).toMatchObject({ code: "ERR_APPLY_EMPTY_ACTIONS" });
    expect(validate({ actions: [], summary: "\n NO_CHANGES: it is right" }).ok).toBe(true);
  });

  test("never throws, and gives every mutation of a valid answer a code", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => void validate(value)),
      { numRuns: 500 },
    );
    // Valid nowhere in an answer.
    const junk = fc.constantFrom(true, 7.5, [[]]);
    fc.assert(
      fc.property(fc.constantFrom(...PATHS), junk, (path, value) => {
        const result = validate(mutate(VALID, path, value));
        expect(result).toMatchObject({ ok: false, code: "ERR_SCHEMA_VALIDATION" });
      }),
    );
  });
});

/** Places of the valid answer, as keys from the root. */
const PATHS: readonly (readonly string[])[] = [
  ["actions"],
  ["actions", "0"],
  ["actions", "5", "base_sha256"],
  ["actions", "5", "path"],
  ["actions", "6", "start_line"],
  ["summary"],
  ["context_requests"],
  ["context_requests", "0", "type"],
  ["memory_patch"],
  ["memory_patch", "user.ask_budget"],
  ["new"],
];

/** A copy with one place replaced. */
function mutate(value: unknown, [key, ...rest]: readonly string[], junk: unknown): unknown {
  if (key === undefined) return junk;
  if (Array.isArray(value)) {
    return value.map((item, i) => (String(i) === key ? mutate(item, rest, junk) : item));
  }
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const found = entries.find(([name]) => name === key)?.[1];
  return { ...Object.fromEntries(entries), [key]: mutate(found, rest, junk) };
}
