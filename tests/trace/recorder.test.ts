import { describe, expect, test } from "bun:test";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { LogValue } from "../../src/core/log.ts";
import { writeTrace } from "../../src/trace/recorder.ts";
import type { Trace } from "../../src/trace/trace.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";

const TRACE: Trace = {
  trace_id: "trace_1",
  event: "LLM_PLAN_OK",
  mode: "plan",
  started_at: "2026-11-21T08:00:00.000Z",
  duration_ms: 12,
  model: "tiny",
  provider: "local",
  schema_version: 2,
  schema_hash: "ab",
  config_snapshot: { provider: "local" },
  context_stats: { context_files_count: 1 },
  cache_stats: { env_hits: 0 },
  strict_json: false,
  token_budget: 0,
  input_chars: 100,
  validated_json: { actions: [], summary: "Nothing" },
  actions_count: 0,
  protocol_default: 2,
  protocol_attempts: ["v2"],
  protocol_repair_attempt: 0,
  protocol_fallback_attempted: false,
  tokens: { input: 10, output: 5 },
};

function setUp() {
  const dir = tempDir();
  const workspace: Workspace = {
    name: "sample",
    root: dir.path,
    check: "none",
    checkTimeoutMs: 1000,
    maxActions: 0,
    protectedPaths: [],
  };
  const events: (readonly [string, Readonly<Record<string, LogValue>> | undefined])[] = [];
  const traces = join(dir.path, ".papa-yu", "traces");
  return {
    root: dir.path,
    traces,
    events,
    write(trace: Trace, raw = false) {
      writeTrace(workspace, trace, {
        redact: (text) => text.replaceAll("hunter2", "[secret]"),
        log: (name, fields) => events.push([name, fields]),
        raw,
      });
    },
    read: (): Record<string, unknown> =>
      JSON.parse(readFileSync(join(traces, "trace_1.json"), "utf8")),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

describe("writeTrace()", () => {
  test("writes one object, for its owner alone, and nothing else", () => {
    using room = setUp();
    room.write(TRACE);
    expect(room.read()).toEqual({ ...TRACE });
    expect(statSync(join(room.traces, "trace_1.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(room.traces)).toEqual(["trace_1.json"]);
    expect(room.events).toEqual([]);
  });

  test("masks secrets in every string and key", () => {
    using room = setUp();
    const validated_json = { actions: [{ content: "x = hunter2" }], hunter2: 1 };
    room.write({ ...TRACE, validated_json, error: "key hunter2 refused", raw_content: "hunter2" });
    const text = readFileSync(join(room.traces, "trace_1.json"), "utf8");
    expect(text).not.toContain("hunter2");
    expect(room.read()["validated_json"]).toEqual({
      actions: [{ content: "x = [secret]" }],
      "[secret]": 1,
    });
  });

  test("keeps a preview of what the model wrote, masked before it is cut", () => {
    using room = setUp();
    room.write({ ...TRACE, raw_content: `${"x".repeat(196)}hunter2${"y".repeat(99)}` });
    expect(room.read()["raw_preview"]).toBe(`${"x".repeat(196)}[sec…`);
    expect(room.read()).not.toHaveProperty("raw_content");
  });

  test("keeps all of it, masked, where raw is asked for", () => {
    using room = setUp();
    room.write({ ...TRACE, raw_content: `${"x".repeat(300)}hunter2` }, true);
    expect(room.read()["raw_content"]).toBe(`${"x".repeat(300)}[secret]`);
    expect(room.read()).not.toHaveProperty("raw_preview");
  });

  test("replaces a trace of the same id as a whole", () => {
    using room = setUp();
    room.write(TRACE);
    room.write({ ...TRACE, event: "VALIDATION_FAILED" });
    expect(room.read()["event"]).toBe("VALIDATION_FAILED");
    expect(readdirSync(room.traces)).toEqual(["trace_1.json"]);
  });

  test("follows no link out of the workspace; one log line says so", () => {
    using room = setUp();
    using outside = tempDir();
    mkdirSync(join(room.root, ".papa-yu"));
    symlinkSync(outside.path, room.traces);
    room.write(TRACE);
    expect(readdirSync(outside.path)).toEqual([]);
    expect(room.events).toEqual([
      ["TRACE_NOT_WRITTEN", { trace_id: "trace_1", reason: expect.any(String) }],
    ]);
  });

  test.each<[string, (root: string) => void, Trace]>([
    ["a file is in the way", (root) => writeFileSync(join(root, ".papa-yu"), ""), TRACE],
    ["it cannot be JSON", () => {}, { ...TRACE, validated_json: { n: 1n } }],
  ])("never throws: when %s, one log line", (_, spoil, trace) => {
    using room = setUp();
    spoil(room.root);
    room.write(trace);
    expect(room.events.map(([name]) => name)).toEqual(["TRACE_NOT_WRITTEN"]);
  });
});
