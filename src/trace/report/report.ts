import type { Reading } from "../read-traces.ts";
import type { StoredTrace } from "../stored-trace.ts";
import { type Activity, createActivity } from "./activity.ts";
import { evaluateGraduation, GRADUATION_APPLIES, type Graduation } from "./graduation.ts";
import { addApply, createTally, type Metrics, toMetrics } from "./tally.ts";

/** Unreadable files that a report names; it counts them all. */
const MOST_NAMED = 100;

/**
 * The applies that are reported: the newest, or those of a period; before them are as many again.
 */
export type ReportWindow =
  | { readonly kind: "last"; readonly count: number }
  /** Milliseconds since 1970, `to` excluded. */
  | { readonly kind: "period"; readonly from: number; readonly to: number };

/** How applies went, next to those before them; field names are the interface's. */
export interface Report extends Metrics {
  readonly previous: Metrics;
  readonly graduation: Graduation;
  /** All that was traced in that time, by day and by model. */
  readonly activity: Activity;
  readonly skipped_count: number;
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

/**
 * Reduces traces, newest first, to a report, and reads no further than it needs to. Only applies
 * count, but for `activity`; what is no trace is named. `checksFailed` is the error code of good answers
 * of which nothing was kept since a check failed, where whoever reads the traces knows of those.
 */
export async function buildReport(
  readings: AsyncIterable<Reading> | Iterable<Reading>,
  window: ReportWindow,
  checksFailed?: string,
): Promise<Report> {
  const [current, previous] = [createTally(), createTally()];
  const activity = createActivity(checksFailed);
  const latest: StoredTrace[] = [];
  const skipped: { file: string; reason: string }[] = [];
  let skippedCount = 0;
  let count = 0;
  for await (const reading of readings) {
    if (reading.kind === "unreadable") {
      const { file, reason } = reading;
      if (skipped.length < MOST_NAMED) skipped.push({ file, reason });
      skippedCount += 1;
      continue;
    }
    const { trace } = reading;
    const place = placeOf(trace, count, window);
    if (place === "current") activity.add(trace);
    if (trace.mode !== "apply" || trace.fix) continue;
    if (place === "current") addApply(current, trace);
    if (place === "previous") addApply(previous, trace);
    if (latest.length < GRADUATION_APPLIES) latest.push(trace);
    else if (place === "older") break;
    count += 1;
  }
  return {
    ...toMetrics(current),
    previous: toMetrics(previous),
    graduation: evaluateGraduation(latest),
    activity: activity.sumUp(),
    skipped_count: skippedCount,
    skipped,
  };
}

/** The place of an apply that `newer` applies follow. */
function placeOf(
  { started_at }: StoredTrace,
  newer: number,
  window: ReportWindow,
): "newer" | "current" | "previous" | "older" {
  const isPeriod = window.kind === "period";
  const age = isPeriod ? window.to - Date.parse(started_at) : newer + 1;
  const span = isPeriod ? window.to - window.from : window.count;
  if (age <= 0) return "newer";
  if (age <= span) return "current";
  return age <= 2 * span ? "previous" : "older";
}
