import { readTraces } from "../../trace/read-traces.ts";
import { renderReport } from "../../trace/report/render-report.ts";
import { buildReport, type ReportWindow } from "../../trace/report/report.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openConfig, pickWorkspace } from "../open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "../parse.ts";
import { print } from "../print.ts";
import { parseWindow, WINDOW_OPTIONS } from "./report-window.ts";

const OPTIONS = { ...WORKSPACE_OPTION, ...WINDOW_OPTIONS } as const;

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

/** The day since when traces are kept, where a period begins before it. */
function keptSince(window: ReportWindow, tracesDays: number, now: number): string | undefined {
  const keptFrom = now - tracesDays * DAY_MS;
  if (window.kind !== "period" || tracesDays === 0 || window.from >= keptFrom) return undefined;
  return new Date(keptFrom).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;
