import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { ContextRequest } from "../../src/protocol/response.ts";
import { RESPONSE_SCHEMAS } from "../../src/protocol/schemas.ts";
import { validateResponse } from "../../src/protocol/validate-response.ts";
import type { ProtocolVersion } from "../../src/protocol/version.ts";
import { measureEffort } from "../support/effort.ts";
import { fromSchema } from "../support/from-schema.ts";
import { runs } from "../support/long.ts";

const VERSIONS: readonly ProtocolVersion[] = [1, 2, 3];
const SHA = "a".repeat(64);
const CREATE = { kind: "CREATE_FILE", path: "n.ts", content: "" };
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
const EDIT = { op: "replace", anchor: "a", before: "b", after: "" };
const EDIT_FILE = { kind: "EDIT_FILE", path: "e.ts", base_sha256: SHA, edits: [EDIT] };
const WHOLE = [
  CREATE,
  { kind: "UPDATE_FILE", path: "u.ts", content: "x" },
  { kind: "CREATE_DIR", path: "d" },
  { kind: "DELETE_FILE", path: "x" },
  { kind: "DELETE_DIR", path: "y" },
];
const VALID = {
  actions: [...WHOLE, PATCH, RANGE],
  summary: "s",
  context_requests: [
    { type: "read_file", path: "a.ts", start_line: 1 },
    { type: "search", query: "q", glob: "**/*.ts" },
    { type: "logs", source: "daemon", last_n: 5000 },
    { type: "env" },
  ],
  memory_patch: { "user.ask_budget": "3", "project.src_roots": ["src"] },
};

function validate(value: unknown, version: ProtocolVersion = 2, mode: "plan" | "apply" = "apply") {
  return validateResponse(value, { version, mode });
}

describe("validateResponse() on the form of an answer", () => {
  test("takes every kind of action and request of its version", () => {
    expect(validate(VALID)).toMatchObject({ ok: true, response: VALID });
    const v3 = { ...VALID, actions: [...VALID.actions, EDIT_FILE] };
    expect(validate(v3, 3)).toMatchObject({ ok: true, response: v3 });
    expect(validate({ ...VALID, actions: WHOLE }, 1).ok).toBe(true);
  });

  test.each([
    [1, PATCH],
    [1, RANGE],
    [1, EDIT_FILE],
    [2, EDIT_FILE],
  ] as const)("refuses under v%d the later %j", (version, action) => {
    expect(validate({ actions: [action] }, version)).toMatchObject({
      ok: false,
      code: "ERR_SCHEMA_VALIDATION",
    });
  });

  test.each([
    [1, true],
    [2, false],
    [3, true],
  ] as const)("takes under v%d nothing but an array of actions: %p", (version, isTaken) => {
    expect(validate([CREATE], version).ok).toBe(isTaken);
    if (isTaken)
      expect(validate([CREATE], version)).toMatchObject({ response: { actions: [CREATE] } });
  });

  test.each([
    [1, true],
    [2, false],
    [3, false],
  ] as const)("lets under v%d a key pass that it does not know: %p", (version, isTaken) => {
    expect(validate({ actions: [CREATE], extra: 1 }, version).ok).toBe(isTaken);
    const action = { ...CREATE, extra: 1 };
    expect(validate({ actions: [action] }, version).ok).toBe(isTaken);
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

  const forbidden: Readonly<Record<string, readonly string[]>> = {
    CREATE_FILE: ["patch", "base_sha256", "start_line", "end_line", "edits"],
    UPDATE_FILE: ["patch", "base_sha256", "start_line", "end_line", "edits"],
    CREATE_DIR: ["content", "patch", "base_sha256", "start_line", "end_line", "edits"],
    DELETE_FILE: ["content", "patch", "base_sha256", "start_line", "end_line", "edits"],
    DELETE_DIR: ["content", "patch", "base_sha256", "start_line", "end_line", "edits"],
    PATCH_FILE: ["content", "start_line", "end_line", "edits"],
    REPLACE_RANGE: ["patch", "edits"],
    EDIT_FILE: ["content", "patch"],
  };
  const values: Readonly<Record<string, unknown>> = {
    content: "",
    patch: "p",
    base_sha256: SHA,
    start_line: 1,
    end_line: 1,
    edits: [EDIT],
  };
  test.each([...WHOLE, PATCH, RANGE, EDIT_FILE])(
    "forbids in %j the fields of other kinds",
    (action) => {
      for (const key of forbidden[action.kind] ?? []) {
        for (const version of [2, 3] as const) {
          const answer = { actions: [{ ...action, [key]: values[key] }] };
          expect(validate(answer, version)).toMatchObject({ code: "ERR_SCHEMA_VALIDATION" });
        }
      }
    },
  );

  const faults: readonly (readonly [string, unknown, string, string])[] = [
    ["an array", [], "ERR_SCHEMA_VALIDATION", "the answer must be of type object"],
    ["no actions", {}, "ERR_SCHEMA_VALIDATION", 'the answer must have "actions"'],
    [
      "an unknown key",
      { actions: [], extra: 1 },
      "ERR_SCHEMA_VALIDATION",
      'the answer must not have "extra"',
    ],
    [
      "an unknown kind",
      { actions: [{ kind: "RUN", path: "a" }] },
      "ERR_SCHEMA_VALIDATION",
      'actions[0] must have a "kind" that is one of CREATE_FILE, UPDATE_FILE, CREATE_DIR, DELETE_FILE, DELETE_DIR, PATCH_FILE, REPLACE_RANGE',
    ],
    [
      "a wrong hash",
      { actions: [{ ...PATCH, base_sha256: SHA.toUpperCase() }] },
      "ERR_BASE_SHA256_INVALID",
      "actions[0].base_sha256 must be 64 lower-case hexadecimal digits",
    ],
    [
      "a patch without hash",
      { actions: [{ ...PATCH, base_sha256: undefined }] },
      "ERR_BASE_SHA256_INVALID",
      'actions[0] must have "base_sha256"',
    ],
    [
      "a patch without patch",
      { actions: [{ ...PATCH, patch: undefined }] },
      "ERR_PATCH_REQUIRED",
      'actions[0] must have "patch"',
    ],
    [
      "a file without content",
      { actions: [{ kind: "CREATE_FILE", path: "a" }] },
      "ERR_CONTENT_REQUIRED",
      'actions[0] must have "content"',
    ],
    [
      "a patch with content",
      { actions: [{ ...PATCH, content: "" }] },
      "ERR_SCHEMA_VALIDATION",
      'actions[0] must not have "content"',
    ],
    [
      "line 0",
      { actions: [{ ...RANGE, start_line: 0 }] },
      "ERR_RANGE_INVALID",
      "actions[0].start_line must be at least 1",
    ],
    [
      "no path",
      { actions: [{ ...PATCH, path: "" }] },
      "ERR_INVALID_PATH",
      "actions[0].path must have at least 1 characters",
    ],
    [
      "a long path",
      { actions: [{ ...PATCH, path: "a".repeat(241) }] },
      "ERR_PATH_TOO_LONG",
      "actions[0].path must have at most 240 characters",
    ],
    [
      "201 actions",
      { actions: Array.from({ length: 201 }, () => PATCH) },
      "ERR_TOO_MANY_ACTIONS",
      "actions must have at most 200 items, found 201",
    ],
    [
      "a request without query",
      { actions: [], context_requests: [{ type: "search" }] },
      "ERR_SCHEMA_VALIDATION",
      'context_requests[0] must have "query"',
    ],
    [
      "too many log lines",
      { actions: [], context_requests: [{ type: "logs", source: "daemon", last_n: 5001 }] },
      "ERR_SCHEMA_VALIDATION",
      "context_requests[0].last_n must be at most 5000",
    ],
    [
      "a free memory key",
      { actions: [], memory_patch: { "user.name": "x" } },
      "ERR_SCHEMA_VALIDATION",
      'memory_patch must not have "user.name"',
    ],
    [
      "a budget in words",
      { actions: [], memory_patch: { "user.ask_budget": "two" } },
      "ERR_SCHEMA_VALIDATION",
      'memory_patch["user.ask_budget"] must be digits',
    ],
  ];
  test.each(faults)("names %s", (_, value, code, error) => {
    const result = validate(value);
    expect(result).toMatchObject({ ok: false, code });
    expect(result.ok ? [] : result.errors).toContain(error);
  });

  const edits: readonly (readonly [object, string])[] = [
    [{ edits: undefined }, "ERR_EDIT_NO_EDITS"],
    [{ edits: [] }, "ERR_EDIT_NO_EDITS"],
    [{ edits: Array.from({ length: 51 }, () => EDIT) }, "ERR_EDIT_APPLY_FAILED"],
    [{ edits: [{ ...EDIT, anchor: "" }] }, "ERR_EDIT_APPLY_FAILED"],
    [{ edits: [{ ...EDIT, anchor: "x".repeat(257) }] }, "ERR_EDIT_APPLY_FAILED"],
    [{ edits: [{ ...EDIT, before: "" }] }, "ERR_EDIT_APPLY_FAILED"],
    [{ edits: [{ ...EDIT, before: "x".repeat(50_001) }] }, "ERR_EDIT_APPLY_FAILED"],
    [{ edits: [{ ...EDIT, occurrence: 0 }] }, "ERR_EDIT_APPLY_FAILED"],
    [{ edits: [{ ...EDIT, occurrence: 1001 }] }, "ERR_EDIT_APPLY_FAILED"],
    [{ edits: [{ ...EDIT, context_lines: 4 }] }, "ERR_EDIT_APPLY_FAILED"],
    [{ edits: [{ ...EDIT, op: "delete" }] }, "ERR_SCHEMA_VALIDATION"],
    [{ base_sha256: "x" }, "ERR_BASE_SHA256_INVALID"],
  ];
  test.each(edits)("refuses the edit %j with %s", (change, code) => {
    expect(validate({ actions: [{ ...EDIT_FILE, ...change }] }, 3)).toMatchObject({ code });
    expect(validate([{ ...EDIT_FILE, ...change }], 3)).toMatchObject({ code });
  });

  test("blames faults of single actions in the order of the static rules, by action", () => {
    const actions = [{ ...PATCH, base_sha256: "x" }, CREATE, { ...CREATE, content: undefined }];
    expect(validate({ actions })).toMatchObject({
      code: "ERR_CONTENT_REQUIRED",
      problems: [
        { code: "ERR_CONTENT_REQUIRED", actionIndex: 2, path: "n.ts" },
        { code: "ERR_BASE_SHA256_INVALID", actionIndex: 0, path: "a.ts" },
      ],
    });
    const mixed = validate({ actions, extra: 1 });
    expect(mixed).toMatchObject({ code: "ERR_SCHEMA_VALIDATION" });
    expect(mixed).not.toHaveProperty("problems");
  });

  test("blames the same fault of several actions in their order", () => {
    const wrong = { ...PATCH, base_sha256: "x" };
    const result = validate({ actions: [wrong, wrong, wrong] });
    const indexes = !result.ok && result.problems?.map(({ actionIndex }) => actionIndex);
    expect(indexes).toEqual([0, 1, 2]);
  });

  test("names at most twenty faults", () => {
    const result = validate({ actions: Array.from({ length: 100 }, () => ({})) });
    const errors = result.ok ? [] : result.errors;
    expect([errors.length, errors.at(-1)]).toEqual([21, "and 180 more"]);
  });
});

describe("validateResponse() on v1", () => {
  test("finds actions in proposed_changes, else in actions", () => {
    const other = { kind: "CREATE_DIR", path: "d" };
    const both = { actions: [other], proposed_changes: { actions: [CREATE] } };
    expect(validate(both, 1)).toMatchObject({ response: { actions: [CREATE] } });
    expect(validate({ actions: [other], proposed_changes: {} }, 1)).toMatchObject({
      response: { actions: [other] },
    });
  });

  test("wants content for a file, and takes an empty one", () => {
    expect(validate([CREATE], 1).ok).toBe(true);
    expect(validate([{ kind: "UPDATE_FILE", path: "a" }, CREATE], 1)).toMatchObject({
      code: "ERR_CONTENT_REQUIRED",
      problems: [{ actionIndex: 0, path: "a" }],
    });
  });

  test("takes the place that has actions where both are there", () => {
    const both = { actions: [CREATE], proposed_changes: { actions: [] } };
    expect(validate(both, 1)).toMatchObject({ response: { actions: [CREATE] } });
  });

  test("keeps of a memory_patch what could be remembered, however deep it goes", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 5000; i++) deep = [deep];
    const memory_patch = { "user.preferred_style": "short", "user.ask_budget": 2, deep };
    expect(validate({ actions: [CREATE], memory_patch }, 1)).toMatchObject({
      ok: true,
      response: { memory_patch: { "user.preferred_style": "short", "user.ask_budget": 2 } },
    });
  });

  test("keeps texts, numbers and lists of texts of a memory_patch, each by itself, and nothing else", () => {
    const kept = { text: "short", number: 2, list: ["a", "b"] };
    const left = { mixed: ["a", 1], numbers: [1], flag: true, nothing: null, object: {} };
    const result = validate({ actions: [CREATE], memory_patch: { ...kept, ...left } }, 1);
    expect(result.ok && Object.entries(result.response.memory_patch ?? {})).toEqual(
      Object.entries(kept),
    );
    const none = validate({ actions: [CREATE], memory_patch: left }, 1);
    expect(none.ok && none.response).not.toHaveProperty("memory_patch");
  });

  test("bounds the summary", () => {
    const result = validate({ summary: "x".repeat(20_000) }, 1, "plan");
    expect(result.ok && result.response.summary).toHaveLength(8000);
  });

  test("makes one summary of its pieces", () => {
    const plan = [
      { step: "Read", details: "all of it" },
      { step: 2, details: "Fix" },
    ];
    const answer = { summary: "S", plan, questions: ["Why?"], risks: ["none"] };
    expect(validate(answer, 1, "plan")).toMatchObject({
      response: {
        actions: [],
        summary: "S\n\n1. Read: all of it\n2. Fix\n\nWhy?\n\nRisks:\n- none",
      },
    });
  });

  test("drops a request that does not say what it wants", () => {
    const context_requests = [
      { type: "read_file" },
      { type: "search", glob: "*" },
      { type: "logs" },
      { type: "read_file", path: "a", start_line: 2, query: "x" },
      { type: "env", path: "a" },
    ];
    expect(validate({ context_requests }, 1, "plan")).toMatchObject({
      response: {
        context_requests: [{ type: "read_file", path: "a", start_line: 2 }, { type: "env" }],
      },
    });
  });

  test("hands on of a request all that its kind may say", () => {
    const context_requests: ContextRequest[] = [
      { type: "read_file", path: "a", start_line: 2, end_line: 3 },
      { type: "read_file", path: "b", end_line: 3 },
      { type: "search", query: "q", glob: "*.ts" },
      { type: "logs", source: "daemon", last_n: 7 },
    ];
    const result = validate({ context_requests }, 1, "plan");
    expect(result.ok && result.response.context_requests).toEqual(context_requests);
  });
});

describe("validateResponse() on answers beyond all bounds", () => {
  const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);

  test.each([
    ["actions", { actions: many(1_000_000, 1) }, "ERR_TOO_MANY_ACTIONS"],
    ["a bare array", many(1_000_000, 1), "ERR_TOO_MANY_ACTIONS"],
    ["proposed actions", { proposed_changes: { actions: many(201, {}) } }, "ERR_TOO_MANY_ACTIONS"],
    ["requests", { actions: [], context_requests: many(1_000_000, 1) }, "ERR_SCHEMA_VALIDATION"],
    ["keys", Object.fromEntries(many(200_000, 0).map((_, i) => [i, i])), "ERR_SCHEMA_VALIDATION"],
    ["edits", { actions: [{ edits: many(200_000, []) }] }, "ERR_SCHEMA_VALIDATION"],
  ])("refuses a million %s at once", (_, value, code) => {
    const effort = measureEffort();
    for (const version of VERSIONS) {
      expect(validate(value, version)).toMatchObject({ ok: false, code });
    }
    expect(effort()).toBeLessThan(2000);
  });

  test("counts a hundred thousand values, side by side or one in the other, and no more", () => {
    const nested = (depth: number) => {
      let value: unknown = [];
      for (let at = 1; at < depth; at++) value = [value];
      return value;
    };
    const errorsOf = (value: unknown) => {
      const read = validate(value, 2);
      return read.ok ? [] : read.errors.join("\n");
    };
    const refusal = "the answer must have at most 100000 values; leave out what was not asked for";
    // With the answer itself, its actions and the list.
    expect(errorsOf({ actions: [], more: many(99_998, 0) })).toBe(refusal);
    expect(errorsOf({ actions: [], more: many(99_997, 0) })).not.toContain("values");
    expect(errorsOf({ actions: [], more: nested(99_999) })).toBe(refusal);
  });
});

describe("validateResponse() on its bounds", () => {
  const chars = (count: number) => "x".repeat(count);
  const rows: readonly (readonly [string, object, object])[] = [
    [
      "content",
      { actions: [{ ...CREATE, content: chars(1_200_000) }] },
      { actions: [{ ...CREATE, content: chars(1_200_001) }] },
    ],
    [
      "patch",
      { actions: [{ ...PATCH, patch: chars(1_200_000) }] },
      { actions: [{ ...PATCH, patch: chars(1_200_001) }] },
    ],
    [
      "range",
      { actions: [{ ...RANGE, content: chars(1_200_000) }] },
      { actions: [{ ...RANGE, content: chars(1_200_001) }] },
    ],
    [
      "summary",
      { actions: [CREATE], summary: chars(8000) },
      { actions: [CREATE], summary: chars(8001) },
    ],
    [
      "query",
      toRequests({ type: "search", query: chars(2000) }),
      toRequests({ type: "search", query: chars(2001) }),
    ],
    [
      "glob",
      toRequests({ type: "search", query: "q", glob: chars(512) }),
      toRequests({ type: "search", query: "q", glob: chars(513) }),
    ],
    [
      "requests",
      toRequests(...Array.from({ length: 64 }, () => ({ type: "env" }))),
      toRequests(...Array.from({ length: 65 }, () => ({ type: "env" }))),
    ],
    [
      "lines of a log",
      toRequests({ type: "logs", source: "check", last_n: 1 }),
      toRequests({ type: "logs", source: "check", last_n: 0 }),
    ],
    [
      "start of a read",
      toRequests({ type: "read_file", path: "a", start_line: 1 }),
      toRequests({ type: "read_file", path: "a", start_line: 0 }),
    ],
    [
      "end of a read",
      toRequests({ type: "read_file", path: "a", end_line: 1 }),
      toRequests({ type: "read_file", path: "a", end_line: 0 }),
    ],
    [
      "budget",
      { actions: [CREATE], memory_patch: { "user.ask_budget": 0 } },
      { actions: [CREATE], memory_patch: { "user.ask_budget": -1 } },
    ],
    [
      "roots",
      { actions: [CREATE], memory_patch: { "project.src_roots": ["src"] } },
      { actions: [CREATE], memory_patch: { "project.src_roots": "src" } },
    ],
  ];
  test.each(rows)("takes under v2 and v3 the largest %s and no larger", (_, within, beyond) => {
    for (const version of [2, 3] as const) {
      expect(validate(within, version)).toMatchObject({ ok: true });
      expect(validate(beyond, version)).toMatchObject({ ok: false, code: "ERR_SCHEMA_VALIDATION" });
    }
  });

  test("takes under v3 the largest text of an edit and 200 bare actions, and no more", () => {
    const editOf = (after: string) => [{ ...EDIT_FILE, edits: [{ ...EDIT, after }] }];
    expect(validate(editOf(chars(50_000)), 3)).toMatchObject({ ok: true });
    expect(validate(editOf(chars(50_001)), 3)).toMatchObject({ code: "ERR_EDIT_APPLY_FAILED" });
    const bare = (count: number) => Array.from({ length: count }, () => CREATE);
    expect(validate(bare(200), 3)).toMatchObject({ ok: true });
    expect(validate(bare(201), 3)).toMatchObject({ code: "ERR_TOO_MANY_ACTIONS" });
  });

  test.each([
    { mode: "fix" },
    { context_requests: [{ type: "logs", source: "check", last_n: 5001 }] },
    { context_requests: [{ type: "shell" }] },
    { questions: "why" },
    { plan: [{ details: "no step" }] },
  ])("refuses under v1 %j", (value) => {
    expect(validate(value, 1, "plan")).toMatchObject({ code: "ERR_SCHEMA_VALIDATION" });
  });
});

function toRequests(...context_requests: readonly object[]) {
  return { actions: [CREATE], context_requests };
}

describe("validateResponse() on the mode", () => {
  test.each(VERSIONS)("holds under v%d the rules of a plan and of an apply", (version) => {
    expect(validate({ actions: [CREATE] }, version, "plan")).toMatchObject({
      code: "ERR_PLAN_HAS_ACTIONS",
    });
    expect(validate({ actions: [], summary: "why" }, version, "plan").ok).toBe(true);
    for (const summary of ["done", "say NO_CHANGES: here", "no_changes: x", null]) {
      expect(validate({ actions: [], summary }, version)).toMatchObject({
        code: "ERR_APPLY_EMPTY_ACTIONS",
      });
    }
    expect(validate({ actions: [], summary: "\n NO_CHANGES: it is right" }, version).ok).toBe(true);
  });
});

describe.each(VERSIONS)("validateResponse() under v%d on random answers", (version) => {
  const answers = fromSchema(RESPONSE_SCHEMAS[version]);

  test("takes what the schema makes, or says which rule outside of the schema it breaks", () => {
    const rules = ["ERR_APPLY_EMPTY_ACTIONS", ...(version === 1 ? ["ERR_CONTENT_REQUIRED"] : [])];
    fc.assert(
      fc.property(answers, (answer) => {
        const result = validate(answer, version);
        if (!result.ok) expect(rules).toContain(result.code);
      }),
      { numRuns: runs(40, 200) },
    );
  });

  test("gives a mutated one a code, and throws at none", () => {
    const known = version === 1 ? KNOWN_TO_V1 : Infinity;
    fc.assert(
      fc.property(answers, fc.nat(), fc.constantFrom(true, 7.5, [[]]), (answer, n, junk) => {
        const places = placesOf(answer).filter((place) => place.length < known);
        const place = places[n % places.length] ?? [];
        const result = validate(mutate(answer, place, junk), version);
        expect(result).toMatchObject({ ok: false, code: expect.stringMatching(/^ERR_/) });
      }),
      { numRuns: runs(40, 200) },
    );
  });

  test("throws at nothing", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => void validate(value, version)),
      { numRuns: runs(60, 300) },
    );
  });
});

/** v1 looks into no memory_patch; nothing else it knows lies in a place of one step. */
const KNOWN_TO_V1 = 2;

/** Every place of a value as keys from the root, the root first. */
function placesOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [[]];
  const below = Object.entries(value).flatMap(([key, item]) =>
    placesOf(item).map((place) => [key].concat(place)),
  );
  return [[], ...below];
}

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
