import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../src/core/log.ts";
import type { CheckResult } from "../../src/transaction/change.ts";
import { keepLastCheck, readLastCheck } from "../../src/transaction/last-check.ts";
import { toWorkspace } from "../planner/planner-scene.ts";
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
