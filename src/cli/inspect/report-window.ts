import type { ReportWindow } from "../../trace/report/report.ts";
import type { CliContext } from "../context.ts";
import { type Parsed, parseCount, usageError } from "../parse.ts";

/** Options that say which applies are reported. */
export const WINDOW_OPTIONS = {
  last: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
} as const;

/** How many applies a report is of. */
const REPORTED = 100;

/**
 * The window of `--last N` or `--from D --to D`; D is a day or an instant in UTC, and a day counts
 * as a whole.
 *
 * @throws AppError ERR_USAGE
 */
export function parseWindow(parsed: Parsed, context: CliContext, now: number): ReportWindow {
  const count = parseCount(parsed, context);
  const [from, to] = [parsed.text("from"), parsed.text("to")];
  if (from === undefined && to === undefined) return { kind: "last", count: count ?? REPORTED };
  if (count !== undefined)
    throw usageError("Cannot use --last together with --from and --to", context);
  if (from === undefined) throw usageError("--from is missing", context);
  const start = parseInstant(from, context);
  const end = to === undefined ? now : parseInstant(to, context) + (isDay(to) ? DAY_MS : 0);
  if (start < end) return { kind: "period", from: start, to: end };
  throw usageError(`Cannot report from "${from}" to "${to ?? "now"}": it ends first`, context);
}

const DAY_MS = 86_400_000;

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

function parseInstant(text: string, context: CliContext): number {
  const instant = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  const day = text.slice(0, 10);
  // A 31st of February would pass for a day in March.
  const isReal = !Number.isNaN(instant) && new Date(day).toISOString().startsWith(day);
  if (isReal) return instant;
  const problem = `Cannot read the date "${text}": write it as 2026-11-21 or 2026-11-21T08:00:00Z`;
  throw usageError(problem, context);
}

/** A day, or an instant with its zone: a time without one means something else on each machine. */
const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
