import { renderPreview } from "../../channels/render-text.ts";
import { renderStep } from "../../channels/row-lines.ts";
import type { Step } from "../../transaction/views.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { parseCommand } from "../parse.ts";
import { printFailure, printLaid } from "../print.ts";
import { toPreviewReport } from "../reports.ts";
import { tellPlanAgain } from "./plan-again.ts";
import { WANTED_OPTIONS, wantedIn } from "./wanted-options.ts";

/** `papayu preview PLAN_ID`: a plan's change set and diff. */
export async function preview(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: WANTED_OPTIONS, positionals: [1, 1] });
  using app = await openApp(parsed, context);
  const [planId = ""] = parsed.positionals;
  const texts = app.current.texts();
  const onProgress = (step: Step) => void context.stderr.write(`${renderStep(step, texts)}\n`);
  const { operations } = app.current.agent.plans;
  const { signal } = context;
  const outcome = await operations.preview(planId, signal, onProgress, wantedIn(parsed, context));
  const report = toPreviewReport(outcome);
  if (!outcome.ok) {
    printFailure(context, report, outcome, texts);
    tellPlanAgain(context, outcome.rejected, texts);
    return EXIT.failed;
  }
  const shown = renderPreview(
    outcome.preview,
    app.current.texts(),
    context.screen(context.stdout)?.color === true,
  );
  printLaid(context, report, `${shown}\n${texts.terminal.next(`papayu apply ${planId}`)}`);
  return EXIT.done;
}
