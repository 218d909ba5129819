import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../e2e/papayu.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

function setUp(config = "") {
  const dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
  return {
    ...createSandbox(dir.path, `${config}[[workspaces]]\nname = "notes"\npath = "./notes"\n`),
    /** Writes the trace of an apply for each day of November. */
    write(days: readonly number[], fields: object = {}) {
      const folder = join(dir.path, "notes/.papa-yu/traces");
      mkdirSync(folder, { recursive: true });
      for (const day of days) {
        const started_at = `2026-11-${String(day).padStart(2, "0")}T12:00:00.000Z`;
        const trace = { event: "LLM_APPLY_OK", mode: "apply", started_at, ...fields };
        writeFileSync(join(folder, `day-${day}.json`), JSON.stringify(trace));
      }
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const FALLBACK = {
  protocol_fallback_attempted: true,
  protocol_fallback_reason: "ERR_PATCH_APPLY_FAILED",
  repair_injected_paths: ["src/\u202ea.ts\nfaked"],
};

describe("papayu report", () => {
  test("is one document with the numbers, those before, and the verdict", async () => {
    using sandbox = setUp();
    sandbox.write([1, 2, 3]);
    sandbox.write([4], FALLBACK);
    const { exitCode, report } = await sandbox.json("report", "--last", "2");
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      ok: true,
      apply_count: 2,
      fallback_rate: 0.5,
      previous: { apply_count: 2, fallback_rate: 0 },
      graduation: { ready: false, apply_count: 4 },
      skipped: [],
    });
  });

  test.each([
    [["--from", "2026-11-02", "--to", "2026-11-03"], 2],
    [["--from", "2026-11-02", "--to", "2026-11-03T12:00:00Z"], 1],
    [["--from", "2026-11-02T14:00:00+02:00", "--to", "2026-11-02T12:00:01Z"], 1],
    [["--from", "2026-11-03"], 2],
  ])("takes days and instants: %j are %p applies", async (period, count) => {
    using sandbox = setUp();
    sandbox.write([1, 2, 3, 4]);
    expect((await sandbox.json("report", ...period)).report).toMatchObject({ apply_count: count });
  });

  test("says since when traces are kept where a period begins before it", async () => {
    using sandbox = setUp("[retention]\ntraces_days = 10\n");
    sandbox.write([1]);
    const { report } = await sandbox.json("report", "--from", "2026-01-01");
    const since = new Date(Date.now() - 864_000_000).toISOString().slice(0, 10);
    expect(report).toMatchObject({ apply_count: 1, kept_since: since });
    expect((await sandbox.run("report", "--from", "2026-01-01")).stdout).toContain(
      `Traces from before ${since} are not kept (retention.traces_days)`,
    );
    expect((await sandbox.json("report", "--last", "5")).report).not.toHaveProperty("kept_since");
  });

  test.each([
    [["--last", "0"]],
    [["--last", "many"]],
    [["--to", "2026-11-01"]],
    [["--from", "2026-02-31"]],
    [["--from", "yesterday"]],
    [["--from", "2026-11-01T08:00"]],
    [["--from", "2026-11-02", "--to", "2026-11-01"]],
    [["--from", "2026-11-02", "--last", "3"]],
    [["more"]],
  ])("refuses %j", async (args) => {
    using sandbox = setUp();
    expect(await sandbox.json("report", ...args)).toMatchObject({
      exitCode: 2,
      report: { error_code: "ERR_USAGE" },
    });
  });

  test("says it in a table for people, and obeys nothing that a trace says", async () => {
    using sandbox = setUp();
    sandbox.write([1, 2, 3]);
    sandbox.write([4], FALLBACK);
    const { stdout } = await sandbox.run("report");
    expect(stdout).toStartWith("4 applies in notes, 2026-11-01 to 2026-11-04\n");
    expect(stdout).toContain("    1  ERR_PATCH_APPLY_FAILED (PATCH)");
    expect(stdout).toContain("    1  src/\\u{202e}a.ts faked\n");
    expect(stdout).toEndWith("v2-only is not safe yet\n");
  });

  test("says when there are no applies", async () => {
    using sandbox = setUp();
    const { stdout } = await sandbox.run("report");
    expect(stdout).toStartWith("No applies in notes\n");
    expect(stdout).toContain("✗ 100 applies known: 0");
  });

  test("counts what real applies leave behind, and no plans", async () => {
    const create = { kind: "CREATE_FILE", path: "b.txt", content: "y\n" };
    const answers = [
      { summary: "Adds b.txt", actions: [] },
      { summary: "", actions: [] },
      { summary: "Adds b.txt", actions: [create] },
    ].map((answer) => ({ kind: "text" as const, text: JSON.stringify(answer) }));
    await using model = startModelServer(answers);
    using sandbox = setUp(
      `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n`,
    );
    const { report: plan } = await sandbox.json("plan", "add b.txt");
    expect((await sandbox.json("preview", plan["plan_id"] ?? "")).exitCode).toBe(0);
    expect((await sandbox.json("report")).report).toMatchObject({
      apply_count: 1,
      failed_count: 0,
      repair_attempt_rate: 1,
      repair_success_rate: 1,
      skipped_count: 0,
    });
  });
});
