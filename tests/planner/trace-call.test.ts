import { describe, expect, test } from "bun:test";
import { createCallRecord } from "../../src/planner/answer.ts";
import { NO_LOOKUPS } from "../../src/planner/context/context-cache.ts";
import { PROMPT_VERSIONS } from "../../src/planner/prompts/prompts.ts";
import { type CallFacts, createTracePlanner } from "../../src/planner/trace-call.ts";
import { schemaHash } from "../../src/protocol/schemas.ts";
import type { Prices } from "../../src/providers/prices.ts";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { writeTrace } from "../../src/trace/recorder.ts";
import { tempDir } from "../support/temp.ts";
import { tracesIn } from "../support/traces.ts";
import { scriptedAuthor, toWorkspace } from "./planner-scene.ts";

const CODE = "ERR_BASE_SHA256_INVALID" as const;
const SECRET = "tops3cret-value";

const ID = "trace_1m847npnr9ng1trb";

/** The line that a call leaves, as parsed JSON. */
function traceOf(facts: Partial<CallFacts>, prices?: Prices): unknown {
  using dir = tempDir();
  const redactor = createRedactor();
  redactor.add(SECRET);
  const trace = createTracePlanner({
    author: scriptedAuthor(),
    configSnapshot: { context: { max_files: 8 } },
    pricesOf: () => prices,
    now: () => 5000,
    write: (workspace, record) =>
      writeTrace(workspace, record, {
        home: () => "0a1b2c3d",
        redact: redactor.redact,
        log: () => {},
        raw: false,
      }),
  });
  trace(toWorkspace(dir.path), {
    traceId: ID,
    startedAt: 2000,
    record: createCallRecord(2),
    verdict: { ok: true, value: { actions: [] } },
    contextStats: { context_files_count: 1 },
    shown: { mode: "plan", blocks: [], cacheStats: NO_LOOKUPS },
    ...facts,
  });
  return tracesIn(dir.path)[0];
}

describe("createTracePlanner()", () => {
  test("writes every field of a good call", () => {
    const record = {
      ...createCallRecord(2),
      repair: { now: undefined, first: CODE, paths: [], injectedPaths: ["a.txt"] },
      calls: [
        {
          kind: "repair" as const,
          version: 2 as const,
          at: 2500,
          tookMs: 400,
          inputChars: 4321,
          outputChars: 14,
          inputTokens: 7,
          outputTokens: 3,
          code: CODE,
        },
      ],
      inputChars: 4321,
      usage: { inputTokens: 2_000_000, outputTokens: 500_000 },
      last: { text: '{"actions":[]}' },
    };
    const value = { actions: [{ kind: "CREATE_DIR" as const, path: "d" }], summary: "s" };
    const shown = { mode: "apply" as const, seen: { "a.txt": "0a" }, whole: ["a.txt"] };
    const facts = { shown, record, verdict: { ok: true as const, value } };
    expect(traceOf(facts, { inputPerMtok: 0.15, outputPerMtok: 0.6 })).toEqual({
      trace_id: ID,
      event: "LLM_APPLY_OK",
      mode: "apply",
      started_at: "1970-01-01T00:00:02.000Z",
      duration_ms: 3000,
      model: "script-1",
      provider: "scripted",
      schema_version: 2,
      schema_hash: schemaHash(2),
      config_snapshot: { context: { max_files: 8 }, prompt_version: PROMPT_VERSIONS[2] },
      context_stats: { context_files_count: 1 },
      context_files: [{ path: "a.txt", sha256: "0a", whole: true }],
      cache_stats: { ...NO_LOOKUPS },
      strict_json: false,
      token_budget: 0,
      input_chars: 4321,
      validated_json: value,
      actions_count: 1,
      protocol_default: 2,
      protocol_attempts: ["v2"],
      protocol_repair_attempt: 1,
      repair_code: CODE,
      protocol_fallback_attempted: false,
      repair_injected_sha256: true,
      repair_injected_paths: ["a.txt"],
      calls: [
        {
          kind: "repair",
          version: "v2",
          at_ms: 500,
          duration_ms: 400,
          input_chars: 4321,
          output_chars: 14,
          tokens: { input: 7, output: 3 },
          cost: 0.000_002_85,
          error_code: CODE,
        },
      ],
      tokens: { input: 2_000_000, output: 500_000 },
      cost: 0.6,
      raw_preview: '{"actions":[]}',
    });
  });

  test("names a call after how it ended", () => {
    const ended = (code: "LLM_REQUEST_TIMEOUT" | "ERR_CANCELLED" | "ERR_JSON_PARSE") =>
      traceOf({ verdict: { ok: false, code, message: "why" } });
    expect(traceOf({})).toMatchObject({ event: "LLM_PLAN_OK" });
    expect(ended("LLM_REQUEST_TIMEOUT")).toMatchObject({ event: "LLM_REQUEST_TIMEOUT" });
    expect(ended("ERR_CANCELLED")).toMatchObject({ event: "ERR_CANCELLED" });
    const failed = ended("ERR_JSON_PARSE");
    expect(failed).toMatchObject({
      event: "VALIDATION_FAILED",
      error: "why",
      error_code: "ERR_JSON_PARSE",
      actions_count: 0,
    });
    expect(failed).not.toHaveProperty("validated_json");
    expect(failed).not.toHaveProperty("cost");
  });

  test("names who answered last, where a chain of providers was asked", () => {
    const servedBy = { provider: "second", model: "m-2" };
    const record = { ...createCallRecord(2), last: { text: "", servedBy } };
    expect(traceOf({ record })).toMatchObject(servedBy);
  });

  test("masks secrets wherever they stand", () => {
    const value = { actions: [], summary: `the key is ${SECRET}` };
    const record = { ...createCallRecord(2), last: { text: `raw ${SECRET}` } };
    const good = JSON.stringify(traceOf({ record, verdict: { ok: true, value } }));
    const message = `refused: ${SECRET}`;
    const verdict = { ok: false as const, code: "LLM_REQUEST" as const, message };
    const bad = JSON.stringify(traceOf({ verdict }));
    expect(good + bad).not.toContain(SECRET);
  });

  test("carries the stats of context and cache", () => {
    const contextStats = { context_files_count: 3 };
    const cacheStats = { ...NO_LOOKUPS, read_misses: 2 };
    const shown = { mode: "plan" as const, blocks: [], cacheStats };
    expect(traceOf({ contextStats, shown })).toMatchObject({
      context_stats: { context_files_count: 3 },
      cache_stats: { read_misses: 2, hit_rate: 0 },
    });
  });
});
