import type { ErrorCode } from "../core/error-codes.ts";

/**
 * The observational record of one piece of work with a model, as it is in a line of a segment in
 * `.papa-yu/traces/`; nothing reads it back to decide anything.
 */
export type Trace = PlannerTrace | ChatTrace;

/** What every trace has. */
interface TraceBase {
  readonly trace_id: string;
  /** The event the work ended with: LLM_PLAN_OK, LLM_APPLY_OK, VALIDATION_FAILED … */
  readonly event: string;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly model: string;
  readonly provider: string;
  readonly error?: string;
  readonly error_code?: ErrorCode;
  readonly tokens: { readonly input: number; readonly output: number };
  /** In the currency of the configured prices; absent without prices. */
  readonly cost?: number;
  /** What the model wrote; the recorder keeps it, or its first 200 characters as raw_preview. */
  readonly raw_content?: string;
}

/** A file as a plan was shown it. */
export interface ContextFile {
  readonly path: string;
  readonly sha256: string;
  readonly whole: boolean;
}

/** The trace of one planner call. */
export interface PlannerTrace extends TraceBase {
  readonly mode: "plan" | "apply";
  readonly schema_version: number;
  readonly schema_hash: string;
  readonly config_snapshot: Readonly<Record<string, unknown>>;
  readonly context_stats: Readonly<Record<string, number>>;
  /** Files that the plan's context showed; `whole`: from the first line to the last. */
  readonly context_files?: readonly ContextFile[];
  readonly cache_stats: Readonly<Record<string, number>>;
  /** Whether structured output was asked for. */
  readonly strict_json: boolean;
  /** Longest answer in tokens; 0: the model's own limit. */
  readonly token_budget: number;
  /** Characters of the last request. */
  readonly input_chars: number;
  /** The requests in their order; absent in traces of versions before. */
  readonly calls?: readonly TracedCall[];
  readonly validated_json?: unknown;
  readonly actions_count: number;
  readonly protocol_default: number;
  /** Versions in the order they were tried: `["v2", "v1"]`. */
  readonly protocol_attempts: readonly string[];
  readonly protocol_repair_attempt: 0 | 1;
  /** What the first repair was asked for. */
  readonly repair_code?: ErrorCode;
  readonly protocol_fallback_attempted: boolean;
  readonly protocol_fallback_reason?: ErrorCode;
  readonly protocol_fallback_stage?: "schema" | "validate" | "preview" | "apply";
  readonly repair_injected_sha256?: boolean;
  readonly repair_injected_paths?: readonly string[];
  /** Of a correction of a change set whose checks failed in a view. */
  readonly fix?: CorrectionTrace;
  readonly online_context_injected?: boolean;
  readonly online_context_chars?: number;
  readonly online_context_sources_count?: number;
  readonly online_context_truncated?: boolean;
  /** There was no room for it. */
  readonly online_context_dropped?: boolean;
  /** Origin and path only. */
  readonly online_sources?: readonly string[];
  /** The plan failed before for want of facts, and research was tried. */
  readonly online_fallback_attempted?: boolean;
  /** It was planned again unasked. */
  readonly online_fallback_executed?: boolean;
  readonly online_fallback_reason?: ErrorCode;
}

/** One request to a model. */
export interface TracedCall {
  /** The first under its version, the same sent back, or the first under a lower version. */
  readonly kind: "ask" | "repair" | "fallback";
  readonly version: string;
  /** Since the work began. */
  readonly at_ms: number;
  readonly duration_ms: number;
  readonly input_chars: number;
  readonly output_chars: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** At the prices of the provider that answered the last one; where it has none there is none. */
  readonly cost?: number;
  /** Why its answer was not used. */
  readonly error_code?: ErrorCode;
}

/** One round of corrections. */
export interface CorrectionTrace {
  /** From 1. */
  readonly round: number;
  readonly most_rounds: number;
  /** Requests of this round, and how many it may have. */
  readonly requests: number;
  readonly most_requests: number;
  /** Which check failed with the change set that is corrected, and how. */
  readonly failed_check: string;
  readonly failed_change_set_id: string;
  /** With the correction; absent where it was not taken. */
  readonly change_set_id?: string;
  /** Why it was not: judges, nothing, unfit, same, none, failed. */
  readonly not_taken?: string;
}

/** The trace of one chat turn. */
export interface ChatTrace extends TraceBase {
  readonly mode: "chat";
  readonly model_calls: number;
  readonly tool_calls: readonly { readonly name: string; readonly ok: boolean }[];
}
