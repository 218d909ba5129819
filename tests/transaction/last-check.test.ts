import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "../../src/transaction/change.ts";
import {
  describeFailedCheck,
  keepLastCheck,
  readLastCheck,
} from "../../src/transaction/last-check.ts";
import { toWorkspace } from "../planner/planner-scene.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";

const stage = { name: "test", command: ["bun", "test"], durationMs: 5, timedOut: false };
const FAILED: CheckResult = {
  ok: false,
  stages: [
    { ...stage, name: "build", command: ["make"], exitCode: 0, output: "" },
    { ...stage, exitCode: 1, output: "1 fail\n\n" },
  ],
  sandbox: "none",
};

describe("keepLastCheck()", () => {
  test("keeps the newest result, readable for people", () => {
    using dir = tempDir();
    const workspace = toWorkspace(dir.path);
    expect(readLastCheck(workspace)).toEqual({ ok: true, text: undefined });
    keepLastCheck(workspace, FAILED, { now: 0, ref: "tx_1", log: silentLog });
    expect(readLastCheck(workspace)).toEqual({
      ok: true,
      text: "1970-01-01T00:00:00.000Z failed tx_1\n$ make (build): exit code 0\n\n$ bun test (test): exit code 1\n1 fail\n",
    });
    const late = { ...stage, exitCode: null, timedOut: true, limitMs: 120_000, output: "…" };
    keepLastCheck(
      workspace,
      { ...FAILED, ok: true, stages: [late] },
      { now: 0, ref: "tx_1", log: silentLog },
    );
    expect(readLastCheck(workspace)).toMatchObject({
      text: "1970-01-01T00:00:00.000Z passed tx_1\n$ bun test (test): timed out after 120 s\n…\n",
    });
  });

  test("is one log line when the disk refuses", () => {
    using dir = tempDir();
    writeFileSync(join(dir.path, ".papa-yu"), "");
    const events: string[] = [];
    keepLastCheck(toWorkspace(dir.path), FAILED, {
      now: 0,
      ref: "tx_1",
      log: (event) => events.push(event),
    });
    expect(events).toEqual(["CHECK_NOT_KEPT"]);
  });
});

describe("describeFailedCheck()", () => {
  const excess = { kind: "processes", limit: 7 } as const;
  const ENDS = [
    [{ exitCode: 3 }, "failed with exit code 3"],
    [{ exitCode: 0 }, "failed with exit code 0"],
    [{ exitCode: 3, excess }, "used more than 7 processes; [sandbox] max_processes"],
    [{ exitCode: 3, timedOut: true, excess }, "used more than 7 processes"],
    [
      { exitCode: 3, timedOut: true, limitMs: 9_000 },
      "timed out after 9 s; a first build may need",
    ],
    [{ exitCode: null }, "did not run to its end: no such program"],
  ] as const;

  test.each(ENDS)("says of the last of several how it ended: %o", (end, said) => {
    const last = { ...stage, output: "first\nno such program\n\n", ...end };
    const stages = [...FAILED.stages, { ...last, name: "lint" }];
    const found = describeFailedCheck({ ...FAILED, stages });
    expect(found).toStartWith(`Check "lint" ${said}`);
  });

  test("wants a stage, and the log says how each ended", () => {
    expect(() => describeFailedCheck({ ...FAILED, stages: [] })).toThrow("without a stage");
    using dir = tempDir();
    const stages = [
      { ...stage, exitCode: 1, excess, output: "a\n" },
      { ...stage, exitCode: null, output: "b" },
    ];
    const options = { now: 0, ref: "tx_1", log: silentLog };
    keepLastCheck(toWorkspace(dir.path), { ...FAILED, stages }, options);
    expect(readLastCheck(toWorkspace(dir.path))).toMatchObject({
      text: `1970-01-01T00:00:00.000Z failed tx_1
$ bun test (test): used more than 7 processes; [sandbox] max_processes
a
$ bun test (test): exit code none
b
`,
    });
  });
});
