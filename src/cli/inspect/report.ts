import { readTraces } from "../../trace/read-traces.ts";
import { renderReport } from "../../trace/report/render-report.ts";
import { buildReport, type ReportWindow } from "../../trace/report/report.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openConfig, pickWorkspace } from "../open-config.ts";
import { type Parsed, parseCommand, parseCount, usageError, WORKSPACE_OPTION } from "../parse.ts";
import { print } from "../print.ts";

const OPTIONS = {
  ...WORKSPACE_OPTION,
  // Which applies are reported.
  last: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
} as const;

/** `papayu report`: how the applies of a workspace went, and whether they need the fallback. */
export async function report(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: OPTIONS, positionals: [0, 0] });
  const now = Date.now();
  const window = parseWindow(parsed, context, now);
  const loaded = await openConfig(parsed, context);
  const workspace = pickWorkspace(loaded, parsed, context);
  const { signal } = context;
  const built = await buildReport(readTraces(workspace, { now, signal }), window);
  const since = keptSince(window, loaded.config.retention.traces_days, now);
  const text = renderReport(built, workspace.name);
  print(
    context,
    { ok: true, ...built, ...(since !== undefined && { kept_since: since }) },
    since === undefined
      ? text
      : `${text}\n\nTraces from before ${since} are not kept (retention.traces_days)`,
  );
  return EXIT.done;
}

/** How many applies a report is of. */
const REPORTED = 100;

/**
 * The window of `--last N` or `--from D --to D`; D is a day or an instant in UTC, and a day counts
 * as a whole.
 *
 * @throws AppError ERR_USAGE
 */
function parseWindow(parsed: Parsed, context: CliContext, now: number): ReportWindow {
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

/** The day since when traces are kept, where a period begins before it. */
function keptSince(window: ReportWindow, tracesDays: number, now: number): string | undefined {
  const keptFrom = now - tracesDays * DAY_MS;
  if (window.kind !== "period" || tracesDays === 0 || window.from >= keptFrom) return undefined;
  return new Date(keptFrom).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;
