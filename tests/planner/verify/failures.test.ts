import { describe, expect, test } from "bun:test";
import { compareFailures } from "../../../src/planner/verify/failures.ts";
import type { CheckResult, CheckStage } from "../../../src/transaction/change.ts";
import { measureEffort } from "../../support/effort.ts";

function failed(output: string, stage: Partial<CheckStage> = {}): CheckResult {
  const common = { name: "test", command: ["t"], exitCode: 1, durationMs: 1, timedOut: false };
  return { ok: false, sandbox: "bwrap", stages: [{ ...common, output, ...stage }] };
}

const PASSED: CheckResult = {
  ok: true,
  sandbox: "bwrap",
  stages: [
    { name: "test", command: ["t"], exitCode: 0, durationMs: 1, timedOut: false, output: "" },
  ],
};

const RUNNERS: readonly (readonly [runner: string, line: (name: string, ms: number) => string])[] =
  [
    ["bun", (name, ms) => `(fail) ${name} [${ms}.25ms]`],
    ["TAP", (name) => `not ok 3 - ${name}`],
    ["node", (name, ms) => `✖ ${name} (${ms}.7ms)`],
    ["pytest", (name) => `FAILED tests/test_a.py::${name.replaceAll(" ", "_")} - assert 1 == 2`],
    ["cargo", (name) => `test tests::${name.replaceAll(" ", "_")} ... FAILED`],
    ["go", (name, ms) => `    --- FAIL: Test${name.replaceAll(" ", "")} (${ms}.00s)`],
    ["jest", (name) => `  ● ${name}`],
    ["vitest", (name, ms) => ` × ${name} ${ms}ms`],
  ];

describe.each(RUNNERS)("compareFailures() of %s", (_, line) => {
  test("says the same for the same tests, however long they took", () => {
    const [now, then] = [`${line("adds up", 1)}\n`, `${line("adds up", 9)}\n`];
    const compared = compareFailures(failed(now), failed(then));
    expect(compared.isSame).toBe(true);
    expect(compared.before).toHaveLength(1);
    expect(compared.added).toEqual([]);
  });

  test("calls one test more a new failure, and names it", () => {
    const now = `${line("adds up", 1)}\n${line("divides", 2)}\n`;
    const compared = compareFailures(failed(now), failed(`${line("adds up", 1)}\n`));
    expect(compared.isSame).toBe(false);
    expect(compared.added).toHaveLength(1);
    expect(compared.added[0]?.toLowerCase()).toContain("divides");
  });
});

describe("compareFailures()", () => {
  test("takes time in proportion to the output, whatever it is filled with", () => {
    const blanks = failed(`(fail) a${" ".repeat(128 * 1024)}b`);
    const effort = measureEffort();
    expect(compareFailures(blanks, blanks).isSame).toBe(true);
    expect(effort()).toBeLessThan(300);
  });

  test("holds for new what passes without the change", () => {
    expect(compareFailures(failed("x"), PASSED).isSame).toBe(false);
  });

  test("holds for new another way to end: out of time, out of memory, another exit code", () => {
    const then = failed("error: no");
    expect(compareFailures(failed("error: no"), then).isSame).toBe(true);
    for (const end of [
      { exitCode: 2 },
      { exitCode: null, timedOut: true },
      { exitCode: null, excess: { kind: "memory", limit: 1 } as const },
    ]) {
      expect(compareFailures(failed("error: no", end), then).isSame).toBe(false);
      expect(compareFailures(failed("error: no", end), failed("error: no", end)).isSame).toBe(true);
    }
  });

  test("holds for new a failure of another check", () => {
    expect(compareFailures(failed("x"), failed("x", { name: "build" })).isSame).toBe(false);
  });

  test("tells one error of a compiler more, and not that lines moved or how many there are", () => {
    const then = "src/a.ts(3,5): error TS2345: no\nFound 1 error.\n";
    const moved = "src/a.ts(13,9): error TS2345: no\nFound 1 error.\n";
    expect(compareFailures(failed(moved), failed(then)).isSame).toBe(true);
    const more = `${moved}src/b.ts(1,1): error TS2304: gone\n`;
    expect(compareFailures(failed(more), failed(then)).isSame).toBe(false);
  });

  test("excuses nothing when only one of the two outputs names tests", () => {
    const [named, crashed] = ["(fail) adds [1.00ms]\n", "SyntaxError: Unexpected token\n"];
    expect(compareFailures(failed(crashed), failed(named)).isSame).toBe(false);
    expect(compareFailures(failed(named), failed(crashed)).isSame).toBe(false);
  });
});
