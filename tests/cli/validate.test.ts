import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { validateAnswer } from "../../src/cli/changes/validate-answer.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";

const SHA = "a".repeat(64);
const CREATE = { kind: "CREATE_FILE", path: "a.txt", content: "x\n" };
const RANGE = {
  kind: "REPLACE_RANGE",
  path: "a.txt",
  base_sha256: SHA,
  start_line: 9,
  end_line: 2,
  content: "",
};
const EDIT = {
  kind: "EDIT_FILE",
  path: "a.txt",
  base_sha256: SHA,
  edits: [{ op: "replace", anchor: "x", before: "x", after: "y" }],
};

function answer(...actions: readonly object[]): string {
  return JSON.stringify({ summary: "Adds a file", actions });
}

describe("validateAnswer()", () => {
  test.each([
    ["v2 with actions is one to an apply", answer(CREATE), 2, "apply", 1],
    ["v2 without is a plan", answer(), 2, "plan", 0],
    ["v1 is a bare array", JSON.stringify([CREATE]), 1, "apply", 1],
    [
      "v1 has them in proposed_changes",
      JSON.stringify({ proposed_changes: { actions: [CREATE, { ...CREATE, path: "b" }] } }),
      1,
      "apply",
      2,
    ],
    ["v3 knows edits", answer(EDIT), 3, "apply", 1],
    [
      "fences and prose are no matter",
      `Here:\n\`\`\`json\n${answer(CREATE)}\n\`\`\``,
      2,
      "apply",
      1,
    ],
  ] as const)("takes a good answer: %s", (_, text, version, mode, count) => {
    expect(validateAnswer(text, version)).toEqual({
      ok: true,
      protocol: version,
      mode,
      schema_hash: expect.stringMatching(/^[a-f0-9]{64}$/),
      actions_count: count,
      errors: [],
      problems: [],
    });
  });

  test.each([
    ["prose", "I cannot", 2, undefined, "ERR_JSON_EXTRACT"],
    ["JSON that is cut off", '{"actions": [', 2, undefined, "ERR_JSON_PARSE"],
    ["a foreign key", '{"actions": [], "x": 1}', 2, undefined, "ERR_SCHEMA_VALIDATION"],
    ["an edit under v2", answer(EDIT), 2, undefined, "ERR_SCHEMA_VALIDATION"],
    ["actions in a plan", answer(CREATE), 2, "plan", "ERR_PLAN_HAS_ACTIONS"],
    ["no actions in an apply", answer(), 2, "apply", "ERR_APPLY_EMPTY_ACTIONS"],
    ["two actions on a path", answer(CREATE, CREATE), 2, undefined, "ERR_ACTION_CONFLICT"],
    ["null", "null", 2, undefined, "ERR_SCHEMA_VALIDATION"],
  ] as const)("refuses %s", (_, text, version, mode, code) => {
    const report = validateAnswer(text, version, mode);
    expect(report).toMatchObject({ ok: false, error_code: code });
    expect(report.errors.length).toBeGreaterThan(0);
  });

  test("names every fault of every action", () => {
    const report = validateAnswer(answer(CREATE, { ...CREATE, path: "../b" }, RANGE), 2);
    expect(report).toMatchObject({ actions_count: 3, error_code: "ERR_INVALID_PATH" });
    expect(report.problems.map((problem) => [problem.action_index, problem.error_code])).toEqual([
      [1, "ERR_INVALID_PATH"],
      [2, "ERR_RANGE_INVALID"],
      [2, "ERR_ACTION_CONFLICT"],
    ]);
    expect(report.problems[0]).toMatchObject({ path: "../b", message: expect.any(String) });
  });
});

function setUp(config = "") {
  const dir = tempDir();
  const sandbox = createSandbox(dir.path, config);
  writeFileSync(join(dir.path, "good.json"), answer(CREATE));
  return { ...sandbox, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

describe("papayu validate", () => {
  test("reads a file or stdin, under the protocol in force or another", async () => {
    using sandbox = setUp("[protocol]\nversion = 3\n");
    expect(await sandbox.json("validate", "good.json")).toMatchObject({
      exitCode: 0,
      report: { ok: true, protocol: 3 },
    });
    const piped = await sandbox.pipe(answer(CREATE), "validate", "-", "--protocol", "1");
    expect(piped).toEqual({
      exitCode: 0,
      stdout: "ok: protocol v1, apply, 1 action\n",
      stderr: "",
    });
  });

  test("ends with 1 and tells the faults", async () => {
    using sandbox = setUp();
    const ran = await sandbox.pipe(answer({ ...CREATE, path: "/\u202e" }), "validate", "-");
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toStartWith("ERR_INVALID_PATH: protocol v2, apply, 1 action\n  Cannot use ");
    expect(ran.stdout).not.toContain("\u202e");
  });

  test.each([
    [["good.json", "--protocol", "4"], 2, "ERR_USAGE"],
    [["good.json", "--mode", "chat"], 2, "ERR_USAGE"],
    [[], 2, "ERR_USAGE"],
    [["gone.json"], 1, "ERR_NOT_FOUND"],
    [["."], 1, "ERR_IO"],
    [["latin1.json"], 1, "ERR_NON_UTF8_FILE"],
    [["huge.json"], 1, "too_large"],
  ])("refuses %j with exit code %p and %s", async (args, exitCode, error_code) => {
    using sandbox = setUp();
    writeFileSync(join(sandbox.dir, "latin1.json"), new Uint8Array([0x22, 0xe9, 0x22]));
    if (args[0] === "huge.json")
      writeFileSync(join(sandbox.dir, "huge.json"), new Uint8Array(16 * 1024 * 1024 + 1));
    expect(await sandbox.json("validate", ...args)).toMatchObject({
      exitCode,
      report: { ok: false, error_code, errors: [], problems: [] },
    });
  });

  test("ends with a signal while it waits for stdin", async () => {
    using sandbox = setUp('[telegram]\nbot_token = "1:literal"\n');
    await using terminal = sandbox.terminal("validate", "-");
    await terminal.waitFor(/warning/); // the last it says before it reads
    terminal.kill("SIGINT");
    await terminal.waitFor(/ERR_CANCELLED/);
    expect(await terminal.exited).toBe(1);
  });
});
