import type { ModelResponse } from "../protocol/response.ts";
import { schemaHash } from "../protocol/schemas.ts";
import { type ProtocolVersion, versionName } from "../protocol/version.ts";
import { type Prices, toCost } from "../providers/prices.ts";
import type { PlannerTrace, Trace } from "../trace/trace.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AnsweredCall, CallRecord, Verdict } from "./answer.ts";
import type { Author } from "./author.ts";
import {
  type Block,
  type CacheStats,
  filesSeen,
  filesSeenWhole,
  NO_LOOKUPS,
} from "./context/context.ts";
import type { OnlineContext } from "./discuss.ts";
import type { ApplyContext } from "./evaluate/evaluate.ts";
import { PROMPT_VERSIONS } from "./prompts/prompts.ts";

/** What a planner call knows of itself when it ends. */
export interface CallFacts {
  readonly traceId: string;
  readonly startedAt: number;
  readonly record: CallRecord;
  readonly verdict: Verdict<ModelResponse>;
  /** Of the plan; an apply goes on with it. */
  readonly contextStats: Readonly<Record<string, number>>;
  readonly shown: ShownToPlan | ShownToApply;
}

/** What a plan was shown, what it looked up, and what came from the web. */
export interface ShownToPlan {
  readonly mode: "plan";
  readonly blocks: readonly Block[];
  readonly cacheStats: CacheStats;
  readonly online?: OnlineContext | undefined;
}

/** The files that the plan of an apply was shown; an apply looks nothing up. */
export interface ShownToApply extends Pick<ApplyContext, "seen" | "whole"> {
  readonly mode: "apply";
  /** Set for a correction of a change set whose checks failed. */
  readonly fix?: NonNullable<PlannerTrace["fix"]>;
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
    const { record, shown, contextStats } = facts;
    const { provider, model } = record.last.servedBy ?? {
      provider: author.name,
      model: author.model,
    };
    const prices = options.pricesOf(provider);
    const version = lastVersion(record);
    options.write(workspace, {
      trace_id: facts.traceId,
      event: toEvent(facts),
      mode: shown.mode,
      started_at: new Date(facts.startedAt).toISOString(),
      duration_ms: now() - facts.startedAt,
      model,
      provider,
      schema_version: version,
      schema_hash: schemaHash(version),
      config_snapshot: { ...configSnapshot, prompt_version: PROMPT_VERSIONS[version] },
      context_stats: { ...contextStats },
      ...(shown.mode === "plan" ? toPlanFields(shown) : toApplyFields(shown)),
      strict_json: author.strictJson,
      token_budget: author.tokenBudget,
      input_chars: record.inputChars,
      ...toAnswerFields(facts.verdict),
      ...toProtocolFields(record),
      calls: record.calls.map((call) => toCall(call, facts.startedAt, prices)),
      tokens: { input: record.usage.inputTokens, output: record.usage.outputTokens },
      ...(prices && { cost: toCost(record.usage, prices) }),
      raw_content: record.last.text,
    });
  };
}

function toCall(
  call: AnsweredCall,
  startedAt: number,
  prices: Prices | undefined,
): NonNullable<PlannerTrace["calls"]>[number] {
  return {
    kind: call.kind,
    version: versionName(call.version),
    at_ms: Math.max(0, call.at - startedAt),
    duration_ms: Math.max(0, call.tookMs), // whatever the clock did
    input_chars: call.inputChars,
    output_chars: call.outputChars,
    tokens: { input: call.inputTokens, output: call.outputTokens },
    ...(prices && { cost: toCost(call, prices) }),
    ...(call.code && { error_code: call.code }),
  };
}

function lastVersion({ attempts }: CallRecord): ProtocolVersion {
  return attempts.at(-1) ?? 2;
}

function toPlanFields({ blocks, cacheStats, online }: ShownToPlan) {
  return {
    context_files: toContextFiles(filesSeen(blocks), filesSeenWhole(blocks)),
    cache_stats: cacheStats,
    ...(online && toOnlineFields(online, blocks)),
  };
}

function toApplyFields({ seen, whole, fix }: ShownToApply) {
  const context_files = toContextFiles(seen, whole);
  return { context_files, cache_stats: NO_LOOKUPS, ...(fix && { fix }) };
}

function toContextFiles(seen: ApplyContext["seen"], whole: readonly string[]) {
  return Object.entries(seen).map(([path, sha256]) => {
    return { path, sha256, whole: whole.includes(path) };
  });
}

function toAnswerFields(verdict: Verdict<ModelResponse>) {
  const response = verdict.ok ? verdict.value : verdict.response;
  return {
    ...(response && { validated_json: response }),
    actions_count: response?.actions.length ?? 0,
    ...(!verdict.ok && { error: verdict.message, error_code: verdict.code }),
  };
}

function toProtocolFields({ attempts, repair, fallback }: CallRecord) {
  return {
    protocol_default: attempts[0] ?? 2,
    protocol_attempts: attempts.map(versionName),
    protocol_repair_attempt: repair.first ? (1 as const) : (0 as const),
    ...(repair.first && { repair_code: repair.first }),
    protocol_fallback_attempted: fallback !== undefined,
    ...(fallback && {
      protocol_fallback_reason: fallback.reason,
      protocol_fallback_stage: fallback.stage,
    }),
    repair_injected_sha256: repair.injectedPaths.length > 0,
    repair_injected_paths: repair.injectedPaths,
  };
}

function toOnlineFields(online: OnlineContext, blocks: readonly Block[]): Partial<PlannerTrace> {
  const shown = blocks.find(({ kind }) => kind === "online");
  return {
    online_context_injected: shown !== undefined,
    online_context_chars: shown ? shown.header.length + 1 + shown.body.length : 0,
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

function toEvent({ shown, verdict }: CallFacts): string {
  if (verdict.ok) return shown.mode === "plan" ? "LLM_PLAN_OK" : "LLM_APPLY_OK";
  const { code } = verdict;
  const isAnswered = code.startsWith("ERR_") && code !== "ERR_CANCELLED";
  return isAnswered ? "VALIDATION_FAILED" : code;
}
