import type { ModelResponse } from "../protocol/response.ts";
import { schemaHash } from "../protocol/schemas.ts";
import { versionName } from "../protocol/version.ts";
import { type Prices, toCost } from "../providers/prices.ts";
import type { PlannerTrace, Trace } from "../trace/trace.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CallRecord, Verdict } from "./answer.ts";
import type { Author } from "./author.ts";
import {
  type Block,
  type CacheStats,
  filesSeen,
  filesSeenWhole,
  NO_CONTEXT,
  NO_LOOKUPS,
  renderBlocks,
} from "./context/context.ts";
import type { ApplyContext } from "./evaluate.ts";
import type { OnlineContext } from "./online-context.ts";
import { PROMPT_VERSIONS } from "./prompts/prompts.ts";

/** What a planner call knows of itself when it ends. */
export interface CallFacts {
  readonly traceId: string;
  readonly mode: "plan" | "apply";
  readonly startedAt: number;
  readonly record: CallRecord;
  readonly verdict: Verdict<ModelResponse>;
  /** Of the plan; an apply goes on with it. */
  readonly contextStats?: Readonly<Record<string, number>>;
  /** Of a plan; an apply looks nothing up. */
  readonly cacheStats?: CacheStats;
  /** The files that the plan of an apply was shown. */
  readonly shown?: Pick<ApplyContext, "seen" | "whole">;
  /** What a plan was shown, and what of it came from the web. */
  readonly blocks?: readonly Block[];
  readonly online?: OnlineContext;
}

/** Writes the trace of one planner call; never fails the work. */
export type TracePlanner = (workspace: Workspace, facts: CallFacts) => void;

/** A tracer that turns facts into traces and hands them to `write`. */
export function createTracePlanner(options: {
  readonly author: Author;
  readonly configSnapshot: Readonly<Record<string, unknown>>;
  /** Of a provider by its name; undefined: tokens only. */
  readonly pricesOf: (provider: string) => Prices | undefined;
  readonly now: () => number;
  readonly write: (workspace: Workspace, trace: Trace) => void;
}): TracePlanner {
  return (workspace, facts) => {
    const { author, configSnapshot, now } = options;
    const { record, verdict, mode, contextStats = NO_CONTEXT, cacheStats = NO_LOOKUPS } = facts;
    const [first = 2] = record.attempts;
    const version = record.attempts.at(-1) ?? first;
    const { provider, model } = record.servedBy ?? { provider: author.name, model: author.model };
    const prices = options.pricesOf(provider);
    const response = verdict.ok ? verdict.value : verdict.response;
    options.write(workspace, {
      trace_id: facts.traceId,
      event: toEvent(facts),
      mode,
      started_at: new Date(facts.startedAt).toISOString(),
      duration_ms: now() - facts.startedAt,
      model,
      provider,
      schema_version: version,
      schema_hash: schemaHash(version),
      config_snapshot: { ...configSnapshot, prompt_version: PROMPT_VERSIONS[version] },
      context_stats: { ...contextStats },
      ...toContextFiles(facts),
      cache_stats: cacheStats,
      strict_json: author.strictJson,
      token_budget: author.tokenBudget,
      input_chars: record.inputChars,
      ...(response && { validated_json: response }),
      actions_count: response?.actions.length ?? 0,
      ...(!verdict.ok && { error: verdict.message, error_code: verdict.code }),
      protocol_default: first,
      protocol_attempts: record.attempts.map(versionName),
      protocol_repair_attempt: record.repairCode ? 1 : 0,
      ...(record.repairCode && { repair_code: record.repairCode }),
      ...toFallbackFields(record),
      repair_injected_sha256: record.injectedPaths.length > 0,
      repair_injected_paths: record.injectedPaths,
      ...(facts.online && toOnlineFields(facts.online, facts.blocks ?? [])),
      tokens: { input: record.inputTokens, output: record.outputTokens },
      ...(prices && { cost: toCost(record, prices) }),
      raw_content: record.lastText,
    });
  };
}

type Fields = Partial<PlannerTrace>;

function toContextFiles({ shown, blocks }: CallFacts): Fields {
  if (!shown && !blocks) return {};
  const seen = shown?.seen ?? filesSeen(blocks ?? []);
  const whole = shown ? shown.whole : filesSeenWhole(blocks ?? []);
  const files = Object.entries(seen);
  return {
    context_files: files.map(([path, sha256]) => ({ path, sha256, whole: whole.includes(path) })),
  };
}

function toFallbackFields({ fallback }: CallRecord) {
  if (!fallback) return { protocol_fallback_attempted: false };
  return {
    protocol_fallback_attempted: true,
    protocol_fallback_reason: fallback.reason,
    protocol_fallback_stage: fallback.stage,
  };
}

function toOnlineFields(online: OnlineContext, blocks: readonly Block[]): Fields {
  const shown = blocks.find(({ kind }) => kind === "online");
  return {
    online_context_injected: shown !== undefined,
    online_context_chars: shown ? renderBlocks([shown]).length : 0,
    online_context_sources_count: online.sources.length,
    online_context_truncated:
      online.truncated || (shown ?? online.block).body !== online.block.body,
    online_context_dropped: shown === undefined,
    online_sources: online.sources,
    online_fallback_attempted: true,
    online_fallback_executed: online.reason !== undefined,
    ...(online.reason && { online_fallback_reason: online.reason }),
  };
}

function toEvent({ mode, verdict }: CallFacts): string {
  if (verdict.ok) return mode === "plan" ? "LLM_PLAN_OK" : "LLM_APPLY_OK";
  const { code } = verdict;
  const isAnswered = code.startsWith("ERR_") && code !== "ERR_CANCELLED";
  return isAnswered ? "VALIDATION_FAILED" : code;
}
