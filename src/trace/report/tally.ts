import type { StoredTrace } from "../stored-trace.ts";
import { type CodeGroup, countGroups } from "./code-groups.ts";

/** A file that no patch can change: its fallback says nothing of the protocol. */
export const NON_UTF8 = "ERR_NON_UTF8_FILE";

/** Paths that a report names. */
const TOP_PATHS = 10;

/** What a number of applies add up to; rates are parts of 1, and 0 of nothing. */
export interface Metrics {
  /** Start of the oldest and of the newest apply. */
  readonly from: string | null;
  readonly to: string | null;
  readonly apply_count: number;
  readonly failed_count: number;
  readonly fallback_count: number;
  readonly fallback_rate: number;
  /** Fallbacks for other reasons than the file's encoding, of all applies. */
  readonly fallback_rate_excluding_non_utf8: number;
  readonly fallback_by_reason: Readonly<Record<string, number>>;
  readonly fallback_by_group: Readonly<Record<CodeGroup, number>>;
  /** How failed applies ended. */
  readonly error_by_code: Readonly<Record<string, number>>;
  readonly error_by_group: Readonly<Record<CodeGroup, number>>;
  readonly repair_attempt_rate: number;
  /** Of the repairs: a good answer without a fallback. */
  readonly repair_success_rate: number;
  /** Of the repairs. */
  readonly repair_to_fallback_rate: number;
  /** Applies whose repair was given a right sha256. */
  readonly sha_injection_rate: number;
  readonly top_repair_injected_paths: readonly { readonly path: string; readonly count: number }[];
  readonly tokens: { readonly input: number; readonly output: number };
  /** Null when no apply has a price. */
  readonly cost: number | null;
}

/** Applies added up one by one, so that their number does not matter. */
export interface Tally {
  applies: number;
  failed: number;
  fallbacks: number;
  repairs: number;
  repaired: number;
  repairFallbacks: number;
  injections: number;
  readonly reasons: Map<string, number>;
  readonly errors: Map<string, number>;
  readonly paths: Map<string, number>;
  readonly tokens: { input: number; output: number };
  cost: number | null;
  from: string | null;
  to: string | null;
}

/** A tally of nothing yet. */
export function createTally(): Tally {
  return {
    applies: 0,
    failed: 0,
    fallbacks: 0,
    repairs: 0,
    repaired: 0,
    repairFallbacks: 0,
    injections: 0,
    reasons: new Map(),
    errors: new Map(),
    paths: new Map(),
    tokens: { input: 0, output: 0 },
    cost: null,
    from: null,
    to: null,
  };
}

/** Adds the trace of one apply. */
export function addApply(tally: Tally, trace: StoredTrace): void {
  const { started_at: at, error_code: code, cost } = trace;
  const isFallback = trace.protocol_fallback_attempted === true;
  tally.applies += 1;
  if (!succeeded(trace)) tally.failed += 1;
  if (code !== undefined) increase(tally.errors, code);
  if (isFallback) {
    tally.fallbacks += 1;
    increase(tally.reasons, trace.protocol_fallback_reason ?? "unknown");
  }
  if (trace.protocol_repair_attempt === 1) {
    tally.repairs += 1;
    if (isFallback) tally.repairFallbacks += 1;
    else if (succeeded(trace)) tally.repaired += 1;
  }
  if (trace.repair_injected_sha256) tally.injections += 1;
  for (const path of new Set(trace.repair_injected_paths)) increase(tally.paths, path);
  tally.tokens.input += trace.tokens?.input ?? 0;
  tally.tokens.output += trace.tokens?.output ?? 0;
  if (cost !== undefined) tally.cost = (tally.cost ?? 0) + cost;
  if (tally.from === null || at < tally.from) tally.from = at;
  if (tally.to === null || at > tally.to) tally.to = at;
}

/** Whether the apply ended with actions that could be shown. */
export function succeeded({ event }: StoredTrace): boolean {
  return event === "LLM_APPLY_OK";
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The sums as rates and tables. */
export function toMetrics(tally: Tally): Metrics {
  const { applies, fallbacks, repairs, reasons, errors } = tally;
  return {
    from: tally.from,
    to: tally.to,
    apply_count: applies,
    failed_count: tally.failed,
    fallback_count: fallbacks,
    fallback_rate: rate(fallbacks, applies),
    fallback_rate_excluding_non_utf8: rate(fallbacks - (reasons.get(NON_UTF8) ?? 0), applies),
    fallback_by_reason: toTable(reasons),
    fallback_by_group: countGroups(reasons),
    error_by_code: toTable(errors),
    error_by_group: countGroups(errors),
    repair_attempt_rate: rate(repairs, applies),
    repair_success_rate: rate(tally.repaired, repairs),
    repair_to_fallback_rate: rate(tally.repairFallbacks, repairs),
    sha_injection_rate: rate(tally.injections, applies),
    top_repair_injected_paths: byCount(tally.paths)
      .slice(0, TOP_PATHS)
      .map(([path, count]) => ({ path, count })),
    tokens: { ...tally.tokens },
    cost: tally.cost,
  };
}

function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function toTable(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries(byCount(counts));
}

/** The most frequent first; of the same count in the order of the alphabet. */
function byCount(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
