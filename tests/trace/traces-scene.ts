import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../src/core/ids.ts";
import { writeTrace } from "../../src/trace/recorder.ts";
import type { PlannerTrace } from "../../src/trace/trace.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";

/** When the newest trace of a scene began. */
export const NOW = Date.UTC(2026, 10, 21, 8);

/** The digits of a home in the names of its segments. */
export const HOME = "0a1b2c3d";

/** The trace of a plan. */
export const TRACE: PlannerTrace = {
  trace_id: newId("trace", NOW),
  event: "LLM_PLAN_OK",
  mode: "plan",
  started_at: new Date(NOW).toISOString(),
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

/** A workspace at a folder, of which only the name and the place count. */
export function tracedAt(root: string): Workspace {
  const rules = { check: "none", checkTimeoutMs: 1000, maxActions: 0, protectedPaths: [] } as const;
  return { name: "notes", root, ...rules };
}

/** A workspace with a folder of traces. */
export function createTraces() {
  const dir = tempDir();
  const folder = join(dir.path, ".papa-yu/traces");
  mkdirSync(folder, { recursive: true });
  const workspace = tracedAt(dir.path);
  return {
    workspace,
    folder,
    /** Writes any text under a name, and gives the name back. */
    plant(name: string, text: string): string {
      writeFileSync(join(folder, name), text);
      return name;
    },
    /** Adds a trace of `ageMs` ago to a segment as papa-yu does, and gives its id. */
    append(ageMs: number, fields: Partial<PlannerTrace> = {}): string {
      const started_at = new Date(NOW - ageMs).toISOString();
      const trace = { ...TRACE, trace_id: newId("trace", NOW - ageMs), started_at, ...fields };
      const log = (_: string, { reason }: { reason?: unknown } = {}) => {
        throw new Error(`not written: ${String(reason)}`);
      };
      writeTrace(workspace, trace, { home: () => HOME, redact: (text) => text, log, raw: false });
      return trace.trace_id;
    },
    /** Writes the trace of an apply `ageMs` ago as a file of its own, and gives its id. */
    write(ageMs: number, fields: object = {}, id = newId("trace", NOW - ageMs)): string {
      writeFileSync(join(folder, `${id}.json`), JSON.stringify(applyTrace(ageMs, fields, id)));
      return id;
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** A trace of an apply that went well, `ageMs` ago. */
export function applyTrace(ageMs: number, fields: object = {}, id = "trace_1") {
  return {
    trace_id: id,
    event: "LLM_APPLY_OK",
    mode: "apply" as const,
    started_at: new Date(NOW - ageMs).toISOString(),
    ...fields,
  };
}
