import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { parseCommand } from "../parse.ts";
import { print, printFailure } from "../print.ts";
import { toPreviewReport } from "../reports.ts";
import { openActivity } from "../screen/activity.ts";
import { showPreview } from "../screen/show-preview.ts";
import { tellPlanAgain } from "./plan-again.ts";
import { WANTED_OPTIONS, wantedIn } from "./wanted-options.ts";

/** `papayu preview PLAN_ID`: a plan's change set and diff. */
export async function preview(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: WANTED_OPTIONS, positionals: [1, 1] });
  using app = await openApp(parsed, context);
  const [planId = ""] = parsed.positionals;
  const texts = app.current.texts();
  using activity = openActivity(context, texts);
  activity.begin(texts.terminal.doing.change);
  const { operations } = app.current.agent.plans;
  const { signal } = context;
  const outcome = await operations.preview(
    planId,
    signal,
    activity.step,
    wantedIn(parsed, context),
  );
  activity.rest();
  const report = toPreviewReport(outcome);
  if (!outcome.ok) {
    printFailure(context, report, outcome, texts);
    tellPlanAgain(context, outcome.rejected, texts);
    return EXIT.failed;
  }
  if (!context.command.json)
    await showPreview(outcome.preview, app.current, context.stdout, context);
  if (context.command.json) print(context, report, "");
  else if (!context.command.quiet && outcome.preview.changes.length > 0)
    print(context, report, texts.terminal.next(`papayu apply ${planId}`));
  return EXIT.done;
}
