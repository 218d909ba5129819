import { expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { forgetTraces } from "../../src/trace/forget-traces.ts";
import { dayOf } from "../../src/trace/segments.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { PLAN } from "../planner/planner-scene.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { tracedAt } from "./traces-scene.ts";

/**
 * A plan, an apply, a chat and a failed plan as the last version left them that wrote a file for
 * each: `plan`, `preview`, `ask` and `plan` in a folder with one file, `a.txt`.
 */
const OLD = join(import.meta.dir, "../samples/traces");
const [PLANNED = "", APPLIED = "", CHATTED = "", FAILED = ""] = readdirSync(OLD)
  .toSorted()
  .map((name) => name.slice(0, -".json".length));

test("traces of before are listed, shown, reported and made goldens of beside new ones", async () => {
  using dir = tempDir();
  const model = startModelServer([{ kind: "text", text: JSON.stringify(PLAN) }]);
  const config = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "tiny"\n[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n`;
  writeTree(join(dir.path, "notes"), { "a.txt": "one\n" });
  cpSync(OLD, join(dir.path, "notes/.papa-yu/traces"), { recursive: true });
  const sandbox = createSandbox(dir.path, config);
  const { report: planned } = await sandbox.json("plan", "change a.txt");
  await model.stop();
  const { report: listed } = await sandbox.json("trace", "list");
  expect(listed as unknown).toMatchObject({
    traces: [
      { trace_id: planned["trace_id"] },
      { trace_id: FAILED, error_code: "ERR_SCHEMA_VALIDATION" },
      { trace_id: CHATTED, mode: "chat" },
      { trace_id: APPLIED, mode: "apply" },
      { trace_id: PLANNED, mode: "plan" },
    ],
    skipped_count: 0,
  });
  for (const id of [PLANNED, APPLIED, CHATTED, FAILED]) {
    const { report: shown } = await sandbox.json("trace", "show", id);
    const kept = JSON.parse(readFileSync(join(OLD, `${id}.json`), "utf8"));
    expect(shown as unknown).toEqual({ ...kept, ok: true });
  }
  expect((await sandbox.json("report")).report as unknown).toMatchObject({ apply_count: 1 });
  for (const id of [PLANNED, APPLIED]) {
    const { report: golden } = await sandbox.json("trace", "golden", id);
    expect(golden as unknown).toMatchObject({ ok: true, left_out: [] });
  }
});

test("they go by their ids, and segments by whole days", async () => {
  using dir = tempDir();
  const folder = join(dir.path, ".papa-yu/traces");
  cpSync(OLD, folder, { recursive: true });
  const day = dayOf(PLANNED);
  const before = new Date(Date.parse(day) - 1).toISOString().slice(0, 10);
  const segments = [day, before].map((it) => `${it}-0a1b2c3d.jsonl`);
  writeTree(folder, { ...Object.fromEntries(segments.map((name) => [name, "\n"])), mine: "x" });
  const forget = async (at: number) => {
    for await (const { removed } of forgetTraces(tracedAt(dir.path), at)) expect(removed).toBe(0);
  };
  await forget(Date.parse(day) - 1);
  await forget(0);
  let gone = 0;
  for await (const { removed, kept } of forgetTraces(tracedAt(dir.path), Date.parse(day))) {
    gone += removed;
    expect(kept).toHaveLength(5);
  }
  expect(gone).toBe(1);
  for await (const { removed } of forgetTraces(tracedAt(dir.path), Date.parse(day) + 86_400_000)) {
    gone += removed;
  }
  expect(gone).toBe(6);
  expect(readdirSync(folder)).toEqual(["mine"]);
});
