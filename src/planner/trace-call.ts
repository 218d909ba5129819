import { schemaHash } from "../protocol/schema-hash.ts";
import type { ModelResponse } from "../protocol/schema-v2.ts";
import type { Trace } from "../trace/trace.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CallRecord, Verdict } from "./answer.ts";
import type { Author } from "./author.ts";
import { type CacheStats, NO_LOOKUPS } from "./context-cache.ts";
import { type ContextStats, NO_CONTEXT } from "./fit-context.ts";
import { PROMPT_VERSION } from "./prompts.ts";

/** What a planner call knows of itself when it ends. */
export interface CallFacts {
  readonly traceId: string;
  readonly mode: "plan" | "apply";
  readonly startedAt: number;
  readonly record: CallRecord;
  readonly verdict: Verdict<ModelResponse>;
  /** Of a plan; an apply goes on with the plan's context. */
  readonly contextStats?: ContextStats;
  readonly cacheStats?: CacheStats;
}

/** Writes the trace of one planner call; never fails the work. */
export type TracePlanner = (workspace: Workspace, facts: CallFacts) => void;

/** Prices per million tokens; undefined: tokens only. */
export interface Prices {
  readonly inputPerMtok: number;
  readonly outputPerMtok: number;
}

/** A tracer that turns facts into traces and hands them to `write`. */
export function createTracePlanner(options: {
  readonly author: Author;
  readonly configSnapshot: Readonly<Record<string, unknown>>;
  readonly prices: Prices | undefined;
  readonly now: () => number;
  readonly write: (workspace: Workspace, trace: Trace) => void;
}): TracePlanner {
  return (workspace, facts) => {
    const { author, configSnapshot, now, prices } = options;
    const { record, verdict, mode, contextStats = NO_CONTEXT, cacheStats = NO_LOOKUPS } = facts;
    options.write(workspace, {
      trace_id: facts.traceId,
      event: toEvent(facts),
      mode,
      started_at: new Date(facts.startedAt).toISOString(),
      duration_ms: now() - facts.startedAt,
      model: author.model,
      provider: author.name,
      schema_version: 2,
      schema_hash: schemaHash(2),
      config_snapshot: { ...configSnapshot, prompt_version: PROMPT_VERSION },
      context_stats: { ...contextStats },
      cache_stats: cacheStats,
      ...(verdict.ok && { validated_json: verdict.value }),
      actions_count: verdict.ok ? verdict.value.actions.length : 0,
      ...(!verdict.ok && { error: verdict.message, error_code: verdict.code }),
      protocol_default: 2,
      protocol_attempts: ["v2"],
      protocol_repair_attempt: record.repairs > 0 ? 1 : 0,
      protocol_fallback_attempted: false,
      repair_injected_sha256: record.injectedPaths.length > 0,
      repair_injected_paths: record.injectedPaths,
      tokens: { input: record.inputTokens, output: record.outputTokens },
      ...(prices && { cost: toCost(record, prices) }),
      raw_content: record.lastText,
    });
  };
}

function toEvent({ mode, verdict }: CallFacts): string {
  if (verdict.ok) return mode === "plan" ? "LLM_PLAN_OK" : "LLM_APPLY_OK";
  const { code } = verdict;
  const isAnswered = !code.startsWith("LLM_") && code !== "ERR_CANCELLED";
  return isAnswered ? "VALIDATION_FAILED" : code;
}

function toCost(record: CallRecord, prices: Prices): number {
  const { inputTokens, outputTokens } = record;
  return (inputTokens * prices.inputPerMtok + outputTokens * prices.outputPerMtok) / 1_000_000;
}
