import { toVisibleText } from "../../core/visible-text.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "../parse.ts";
import { print, printFailure } from "../print.ts";
import { toPlanReport } from "../reports.ts";
import { PROTOCOL_OPTION, planOptions } from "./protocol-option.ts";

/** `papayu plan GOAL`: makes and stores a plan. */
export async function plan(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: { ...WORKSPACE_OPTION, ...PROTOCOL_OPTION },
    positionals: [1, Infinity],
  });
  using app = await openApp(parsed, context);
  const workspace = pickWorkspace(app.current.loaded, parsed, context, app.state.ledger);
  const goal = parsed.positionals.join(" ");
  const made = await app.current.agent.plans.operations.plan(
    workspace,
    goal,
    planOptions(parsed, context),
  );
  const report = toPlanReport(made);
  if (!made.ok) {
    printFailure(context, report, made);
    return EXIT.failed;
  }
  const { summary, planId, autoUsed } = made;
  const used = autoUsed ? `\n\nAuto-used ✓ what the web says on: ${autoUsed.query}` : "";
  const shown = toVisibleText(`${summary}${used}`);
  print(context, report, `${shown}\n\nplan ${planId}\nnext: papayu preview ${planId}`);
  return EXIT.done;
}
