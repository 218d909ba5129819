import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../src/core/ids.ts";
import { toLine } from "../../src/trace/segments.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";

function setUp() {
  const dir = tempDir();
  const folder = join(dir.path, "notes/.papa-yu/traces");
  mkdirSync(folder, { recursive: true });
  return {
    ...createSandbox(dir.path, '[[workspaces]]\nname = "notes"\npath = "./notes"\n'),
    plant: (name: string, content: object | string) =>
      writeFileSync(
        join(folder, name),
        typeof content === "string" ? content : JSON.stringify(content),
      ),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** The trace of an apply on a day of November. */
function applyOn(day: number, fields: object = {}) {
  const started_at = `2026-11-${String(day).padStart(2, "0")}T12:00:00.000Z`;
  return { event: "LLM_APPLY_OK", mode: "apply", started_at, ...fields };
}

describe("papayu trace list", () => {
  test("shows the newest first, N at most, and names what is no trace", async () => {
    using sandbox = setUp();
    for (let day = 1; day <= 25; day++) sandbox.plant(`day-${day}.json`, applyOn(day));
    sandbox.plant("bad.json", "{");
    const { exitCode, report } = await sandbox.json("trace", "list");
    expect(exitCode).toBe(0);
    expect(report["traces"]).toHaveLength(20);
    expect(report).toMatchObject({
      ok: true,
      traces: expect.arrayContaining([{ trace_id: "day-6", ...applyOn(6) }]),
      is_cut: true,
      total_count: 25,
      skipped_count: 1,
      skipped: [{ file: "bad.json", reason: expect.stringContaining("JSON") }],
    });
    const ids = [1, 2, 3].map((n) => newId("trace", Date.UTC(2026, 5, 1) + n));
    const lines = ids.map((id, n) => toLine(id, applyOn(n + 1)).toString());
    sandbox.plant("2026-06-01-0a1b2c3d.jsonl", lines.join(""));
    const { stdout } = await sandbox.run("trace", "list", "--last", "2");
    expect(stdout).toContain("… only the newest 2 of 28: --last N lists more");
    expect((await sandbox.json("trace", "list", "--last", "28")).report).toMatchObject({
      is_cut: false,
      total_count: 28,
    });
    expect(stdout.match(/day-\d+|skipped bad\.json/g)).toEqual([
      "day-25",
      "day-24",
      "skipped bad.json",
    ]);
  });

  test("writes one line for a trace, whatever is in it", async () => {
    using sandbox = setUp();
    const used = { tokens: { input: 12_000, output: 345 }, duration_ms: 4210, model: "a\nb" };
    const faults = { event: "VALIDATION_FAILED", error_code: "ERR_PATCH_AMBIGUOUS" };
    const protocol = { protocol_attempts: ["v2", "v1"], protocol_repair_attempt: 1 };
    sandbox.plant("x.json", applyOn(1, { ...used, ...faults, ...protocol }));
    sandbox.plant("a\nfaked line.json", "{}");
    const lines = (await sandbox.run("trace", "list")).stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toEndWith(
      "  x  apply    4.2 s  12,345 tokens  ERR_PATCH_AMBIGUOUS  v2 → v1  repaired",
    );
    expect(lines[1]).toBe("skipped a faked line.json: its name is no id");
  });

  test("says when there is none, and refuses a number that is none", async () => {
    using sandbox = setUp();
    expect((await sandbox.run("trace", "list")).stdout).toStartWith("No traces yet in notes (");
    for (const args of [["list", "--last", "0"], ["list", "x"], ["fly"], ["show"], []]) {
      expect((await sandbox.json("trace", ...args)).exitCode).toBe(2);
    }
  });
});

describe("papayu trace show", () => {
  test("prints the whole trace, and nothing that could command a terminal", async () => {
    using sandbox = setUp();
    const whole = applyOn(1, { validated_json: { summary: "\u202e\u009b31m" }, extra: [1] });
    sandbox.plant("x.json", whole);
    expect((await sandbox.json("trace", "show", "x")).report).toMatchObject({ ...whole, ok: true });
    const { stdout } = await sandbox.run("trace", "show", "x");
    expect(stdout).toContain('"summary": "\\u{202e}\\u{9b}31m"');
  });

  test.each([
    ["nothing", 1, "ERR_NOT_FOUND"],
    ["../../../config", 2, "ERR_USAGE"],
    ["/etc/passwd", 2, "ERR_USAGE"],
  ])("refuses %j with exit code %p and %s", async (id, code, error_code) => {
    using sandbox = setUp();
    expect(await sandbox.json("trace", "show", id)).toMatchObject({
      exitCode: code,
      report: { ok: false, error_code },
    });
  });
});
