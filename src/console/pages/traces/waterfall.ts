import type { TracedCall } from "./wire.ts";

/** A stretch of time in which one thing was done. */
export interface Bar {
  readonly kind: "context" | "ask" | "repair" | "fallback" | "validate" | "whole" | "check";
  /** Milliseconds since the work began. */
  readonly from: number;
  readonly to: number;
  readonly call?: TracedCall;
  /** The command of a check. */
  readonly command?: string;
  readonly isOk?: boolean;
}

/** A check that ran afterwards; how long a person took in between is left out. */
interface Check {
  readonly command: string;
  readonly ok: boolean;
  readonly took_ms: number | undefined;
}

/**
 * What was done when, in the order of time and without gaps: before the first request the context
 * is gathered, after each its answer is checked. Without the times of requests it is one bar.
 */
export function toBars(
  calls: readonly TracedCall[],
  durationMs: number,
  checks: readonly Check[] = [],
): readonly Bar[] {
  const bars: Bar[] = [];
  let at = 0;
  for (const call of calls) {
    const from = Math.max(at, call.at_ms);
    if (from > at)
      bars.push({ kind: bars.length === 0 ? "context" : "validate", from: at, to: from });
    const to = Math.max(from, call.at_ms + call.duration_ms);
    bars.push({ kind: kindOf(call.kind), from, to, call });
    at = to;
  }
  if (durationMs > at) {
    bars.push({ kind: calls.length === 0 ? "whole" : "validate", from: at, to: durationMs });
    at = durationMs;
  }
  for (const { command, ok, took_ms: took = 0 } of checks) {
    bars.push({ kind: "check", from: at, to: at + took, command, isOk: ok });
    at += took;
  }
  return bars;
}

function kindOf(kind: string): Bar["kind"] {
  return kind === "repair" || kind === "fallback" ? kind : "ask";
}

/** So many days in UTC from the first one, each with its own or with nothing. */
export function fillDays<Day extends { readonly day: string }>(
  since: string,
  count: number,
  days: readonly Day[],
): readonly { readonly day: string; readonly of: Day | undefined }[] {
  const byDay = new Map(days.map((each) => [each.day, each]));
  const start = Date.parse(since);
  return Array.from({ length: count }, (_, n) => {
    const day = new Date(start + n * DAY_MS).toISOString().slice(0, 10);
    return { day, of: byDay.get(day) };
  });
}

const DAY_MS = 86_400_000;
