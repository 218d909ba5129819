import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import goldenSchema from "../../schemas/golden_schema.json" with { type: "json" };
import traceSchema from "../../schemas/trace_schema.json" with { type: "json" };
import { createSandbox } from "../e2e/papayu.ts";
import { CREATE, PLAN } from "../planner/planner-scene.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { tracesIn } from "../support/traces.ts";
import { readTree, writeTree } from "../support/tree.ts";

const isTrace = new Ajv({ allErrors: true }).compile(traceSchema);
const isGolden = new Ajv({ allErrors: true }).compile(goldenSchema);

/** A folder, and a model that answers once with each of `documents`. */
function setUp(...documents: readonly object[]) {
  const dir = tempDir();
  const model = startModelServer(
    documents.map((document) => ({ kind: "text", text: JSON.stringify(document) })),
  );
  const config = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "tiny"\n[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n`;
  writeTree(join(dir.path, "notes"), { "a.txt": "one\n" });
  const folder = join(dir.path, "notes/.papa-yu/traces");
  return {
    ...createSandbox(dir.path, config),
    read: (path: string): unknown => JSON.parse(readFileSync(join(dir.path, path), "utf8")),
    traces: () => tracesIn(join(dir.path, "notes")),
    /** Leaves nothing of a trace but its id. */
    spoil(id: string): void {
      for (const name of readdirSync(folder)) {
        writeFileSync(join(folder, name), JSON.stringify({ trace_id: id }));
      }
    },
    async [Symbol.asyncDispose]() {
      await model.stop();
      dir[Symbol.dispose]();
    },
  };
}

test("papayu trace golden writes a golden below the current folder, of an apply as of a plan", async () => {
  await using sandbox = setUp(PLAN, CREATE);
  const { report: planned } = await sandbox.json("plan", "change a.txt");
  const { report: shown } = await sandbox.json("preview", planned["plan_id"] ?? "");
  const made = await sandbox.json("trace", "golden", shown["trace_id"] ?? "");
  const path = join(sandbox.dir, "tests/golden/v2/001_apply.json");
  const report = { ok: true, trace_id: shown["trace_id"], path, kept: [], left_out: [] };
  expect(made as unknown).toEqual({ exitCode: 0, report });
  const args = ["trace", "golden", planned["trace_id"] ?? "", "-w", "notes", "--name", "my-plan"];
  const { stdout } = await sandbox.run(...args);
  expect(stdout).toBe(`${join(sandbox.dir, "tests/golden/v2/002_my-plan.json")}\n`);
  for (const name of ["001_apply", "002_my-plan"]) {
    isGolden(sandbox.read(`tests/golden/v2/${name}.json`));
    expect(isGolden.errors).toBe(null);
  }
});

test("papayu trace golden refuses what is no plan and no apply, and names that are none", async () => {
  await using sandbox = setUp(PLAN);
  const { report } = await sandbox.json("plan", "change a.txt");
  const id = report["trace_id"] ?? "";
  for (const args of [["golden"], ["golden", "../x"], ["golden", id, "--name", "../../x"]]) {
    expect(await sandbox.json("trace", ...args)).toMatchObject({
      exitCode: 2,
      report: { error_code: "ERR_USAGE" },
    });
  }
  sandbox.spoil(id);
  expect((await sandbox.json("trace", "golden", id)).exitCode).toBe(2);
  expect(Object.keys(readTree(sandbox.dir))).not.toContain("tests/");
});

test("every trace follows schemas/trace_schema.json: of plans, applies and chats, good and bad", async () => {
  const bad = { actions: [{ kind: "CREATE_FILE", path: ".env", content: "" }], summary: "s" };
  await using sandbox = setUp(PLAN, bad, CREATE, { text: "hello" }, { broken: true });
  const { report } = await sandbox.json("plan", "change a.txt");
  await sandbox.run("preview", report["plan_id"] ?? "");
  await sandbox.run("ask", "hi");
  await sandbox.run("plan", "another one");
  const traces = sandbox.traces();
  expect(traces).toMatchObject([
    { event: "LLM_PLAN_OK", context_files: [{ path: "a.txt", whole: true }] },
    { event: "LLM_APPLY_OK", protocol_repair_attempt: 1 },
    { event: "LLM_CHAT_OK" },
    { event: "VALIDATION_FAILED", error_code: "ERR_SCHEMA_VALIDATION" },
  ]);
  for (const trace of traces) {
    isTrace(trace);
    expect(isTrace.errors).toBe(null);
  }
});
