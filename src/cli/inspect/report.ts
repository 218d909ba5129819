import { readTraces } from "../../trace/read-traces.ts";
import { renderReport } from "../../trace/render-report.ts";
import { buildReport } from "../../trace/report.ts";
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
  const workspace = pickWorkspace(await openConfig(parsed, context), parsed, context);
  const { signal } = context;
  const built = await buildReport(readTraces(workspace, { now, signal }), window);
  print(context, { ok: true, ...built }, renderReport(built, workspace.name));
  return EXIT.done;
}
