import { renderPreview } from "../channels/socket/render-text.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp, print } from "./open-app.ts";
import { JSON_OPTION, parseCommand } from "./parse.ts";
import { toPreviewReport } from "./reports.ts";

/** `papayu preview PLAN_ID`: a plan's change set and diff. */
export async function preview(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, "preview PLAN_ID [--json]", {
    options: JSON_OPTION,
    positionals: [1, 1],
  });
  using app = await openApp(parsed, context);
  const [planId = ""] = parsed.positionals;
  const outcome = await app.operations.preview(planId, context.signal);
  const text = outcome.ok
    ? `${renderPreview(outcome.preview, context.stdout.isTTY)}\nnext: papayu apply ${planId}`
    : `${outcome.code}: ${outcome.message}`;
  print(context, parsed.flag("json"), toPreviewReport(outcome), text);
  return outcome.ok ? EXIT.done : EXIT.failed;
}
