import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { newId } from "../../src/core/ids.ts";
import type { LogValue } from "../../src/core/log.ts";
import { writeTrace } from "../../src/trace/recorder.ts";
import { FULL_SEGMENT_BYTES, MAX_TRACE_BYTES, MOST_PARTS } from "../../src/trace/segments.ts";
import type { Trace } from "../../src/trace/trace.ts";
import { tempDir } from "../support/temp.ts";
import { tracesIn } from "../support/traces.ts";
import { HOME, NOW, TRACE, tracedAt } from "./traces-scene.ts";

const SEGMENT = `2026-11-21-${HOME}.jsonl`;

function setUp() {
  const dir = tempDir();
  const events: (readonly [string, Readonly<Record<string, LogValue>> | undefined])[] = [];
  const traces = join(dir.path, ".papa-yu", "traces");
  return {
    root: dir.path,
    traces,
    events,
    write(trace: Trace, raw = false) {
      writeTrace(tracedAt(dir.path), trace, {
        home: () => HOME,
        redact: (text) => text.replaceAll("hunter2", "[secret]"),
        log: (name, fields) => events.push([name, fields]),
        raw,
      });
    },
    read: (): Record<string, unknown> => tracesIn(dir.path).at(-1) ?? {},
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** Puts something in the place of the segment. */
function plant(root: string, put: (path: string) => void): void {
  mkdirSync(join(root, ".papa-yu/traces"), { recursive: true });
  put(join(root, ".papa-yu/traces", SEGMENT));
}

/** System calls of this process that wrote. */
function countWrites(): number {
  return Number(/syscw: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

describe("writeTrace()", () => {
  test("adds a line to the segment of the day in its id, for its owner alone", () => {
    using room = setUp();
    const next = { ...TRACE, trace_id: newId("trace", NOW + 1) };
    const tomorrow = { ...TRACE, trace_id: newId("trace", NOW + 86_400_000) };
    for (const trace of [tomorrow, TRACE, next]) room.write(trace);
    expect(tracesIn(room.root)).toMatchObject([{ ...TRACE }, { ...next }, { ...tomorrow }]);
    expect(readdirSync(room.traces).toSorted()).toEqual([SEGMENT, `2026-11-22-${HOME}.jsonl`]);
    expect(statSync(join(room.traces, SEGMENT)).mode & 0o777).toBe(0o600);
    expect(room.events).toEqual([]);
  });

  test("goes on in the next part where one is full, and in no file with a second name", () => {
    using room = setUp();
    using outside = tempDir();
    room.write(TRACE);
    truncateSync(join(room.traces, SEGMENT), FULL_SEGMENT_BYTES);
    writeFileSync(join(outside.path, "precious"), "precious");
    linkSync(join(outside.path, "precious"), join(room.traces, `2026-11-21-${HOME}-2.jsonl`));
    room.write(TRACE);
    room.write(TRACE);
    const third = readFileSync(join(room.traces, `2026-11-21-${HOME}-3.jsonl`), "utf8");
    expect(third.split("\n").filter((line) => line !== "")).toHaveLength(2);
    expect(readFileSync(join(outside.path, "precious"), "utf8")).toBe("precious");
    for (let part = 3; part <= MOST_PARTS; part++) {
      const path = join(room.traces, `2026-11-21-${HOME}-${part}.jsonl`);
      writeFileSync(path, "");
      truncateSync(path, FULL_SEGMENT_BYTES);
    }
    room.write(TRACE);
    expect(room.events).toMatchObject([
      ["TRACE_NOT_WRITTEN", { reason: "there are 16 full segments of 2026-11-21" }],
    ]);
  });

  test("writes a line in one piece, however long it is, between those of other processes", () => {
    using room = setUp();
    room.write(TRACE);
    const before = countWrites();
    room.write({ ...TRACE, error: "x".repeat(1_000_000) });
    expect(countWrites() - before).toBe(1);
  });

  test("takes from others what a copy of the folder gave them", () => {
    using room = setUp();
    room.write(TRACE);
    chmodSync(join(room.traces, SEGMENT), 0o644);
    room.write(TRACE);
    expect(statSync(join(room.traces, SEGMENT)).mode & 0o777).toBe(0o600);
  });

  test("masks secrets in every string and key", () => {
    using room = setUp();
    const validated_json = { actions: [{ content: "x = hunter2" }], hunter2: 1 };
    room.write({ ...TRACE, validated_json, error: "key hunter2 refused", raw_content: "hunter2" });
    const text = readFileSync(join(room.traces, SEGMENT), "utf8");
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

  test("follows no link out of the workspace; one log line says so", () => {
    using room = setUp();
    using outside = tempDir();
    mkdirSync(join(room.root, ".papa-yu"));
    symlinkSync(outside.path, room.traces);
    room.write(TRACE);
    expect(readdirSync(outside.path)).toEqual([]);
    expect(room.events).toEqual([
      ["TRACE_NOT_WRITTEN", { trace_id: TRACE.trace_id, reason: expect.any(String) }],
    ]);
  });

  test.each<[string, (root: string) => void, Trace]>([
    ["a file is in the way", (root) => writeFileSync(join(root, ".papa-yu"), ""), TRACE],
    ["it cannot be JSON", () => {}, { ...TRACE, validated_json: { n: 1n } }],
    ["it is too long", () => {}, { ...TRACE, error: "x".repeat(MAX_TRACE_BYTES) }],
    ["its id is no own one", () => {}, { ...TRACE, trace_id: "../trace_1" }],
    ["its segment is a link", (root) => plant(root, (at) => symlinkSync("/dev/null", at)), TRACE],
    ["its segment is a pipe", (root) => plant(root, (at) => Bun.spawnSync(["mkfifo", at])), TRACE],
  ])("never throws: when %s, one log line", (_, spoil, trace) => {
    using room = setUp();
    spoil(room.root);
    room.write(trace);
    expect(room.events.map(([name]) => name)).toEqual(["TRACE_NOT_WRITTEN"]);
  });
});
