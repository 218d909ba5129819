import { toVisibleText } from "../../core/visible-text.ts";
import { readTrace } from "../../trace/read-trace.ts";
import { countTraces, readTraces, type Unreadable } from "../../trace/read-traces.ts";
import { renderSkipped, tokensOf } from "../../trace/report/render-report.ts";
import type { StoredTrace } from "../../trace/stored-trace.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openConfig, pickWorkspace } from "../open-config.ts";
import { type Parsed, parseCommand, parseCount, usageError, WORKSPACE_OPTION } from "../parse.ts";
import { print } from "../print.ts";
import { createConfiguredRedactor, traceGolden } from "./trace-golden.ts";

const OPTIONS = {
  ...WORKSPACE_OPTION,
  last: { type: "string" },
  name: { type: "string" },
} as const;

/** How many traces a list shows. */
const LISTED = 20;

/** `papayu trace`: lists the traces of a workspace, shows one, or makes a golden of it. */
export async function trace(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: OPTIONS, positionals: [1, 2] });
  const [verb = "", traceId] = parsed.positionals;
  const loaded = await openConfig(parsed, context);
  const workspace = pickWorkspace(loaded, parsed, context);
  switch (verb) {
    case "list":
      if (traceId !== undefined) throw usageError(`Cannot use "${traceId}" here`, context);
      await list(workspace, parsed, context);
      return EXIT.done;
    case "show":
      if (traceId === undefined) throw usageError("Name the trace", context);
      await show(workspace, traceId, context);
      return EXIT.done;
    case "golden":
      if (traceId === undefined) throw usageError("Name the trace", context);
      await traceGolden(workspace, traceId, {
        name: parsed.text("name"),
        redact: createConfiguredRedactor(loaded, context),
        context,
      });
      return EXIT.done;
    default:
      throw usageError(`Cannot do "${verb}"`, context);
  }
}

async function list(workspace: Workspace, parsed: Parsed, context: CliContext): Promise<void> {
  const most = parseCount(parsed, context) ?? LISTED;
  const traces: StoredTrace[] = [];
  const skipped: Unreadable[] = [];
  let isCut = false;
  for await (const reading of readTraces(workspace, { now: Date.now(), signal: context.signal })) {
    if (reading.kind === "unreadable") skipped.push(reading);
    else if (traces.length === most) {
      isCut = true;
      break;
    } else traces.push(reading.trace);
  }
  // Where none is left out they are counted already; a file that was skipped is none of them.
  const none = skipped.filter(({ file }) => file.endsWith(".json")).length;
  const all = isCut ? (await countTraces(workspace, context.signal)) - none : traces.length;
  const nothing = `No traces yet in ${workspace.name} (${workspace.root})`;
  const rows = traces.length === 0 ? [nothing] : traces.map(renderTrace);
  const more = isCut ? [`… only the newest ${most} of ${all}: --last N lists more`] : [];
  const text = [...rows, ...more, ...renderSkipped(skipped, skipped.length)].join("\n");
  const files = skipped.map(({ file, reason }) => ({ file, reason }));
  print(
    context,
    {
      ok: true,
      traces,
      is_cut: isCut,
      total_count: all,
      skipped_count: files.length,
      skipped: files,
    },
    text,
  );
}

async function show(workspace: Workspace, traceId: string, context: CliContext): Promise<void> {
  const found = await readTrace(workspace, traceId, context.signal);
  print(context, { ...found, ok: true }, toVisibleText(JSON.stringify(found, null, 2)));
}

function renderTrace(found: StoredTrace): string {
  const { trace_id, mode, event, error_code, protocol_attempts = [], duration_ms = 0 } = found;
  const cells = [
    new Date(found.started_at).toLocaleString("sv"), // 2026-11-21 08:00:00, in local time
    trace_id,
    mode.padEnd(5),
    `${(duration_ms / 1000).toFixed(1)} s`.padStart(7),
    `${tokensOf(found.tokens)} tokens`,
    error_code ?? event,
    protocol_attempts.join(" → "),
    found.protocol_repair_attempt === 1 ? "repaired" : "",
  ];
  return toVisibleText(cells.filter((cell) => cell !== "").join("  "));
}
