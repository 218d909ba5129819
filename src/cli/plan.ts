import { type CliContext, EXIT } from "./context.ts";
import { openApp, pickWorkspace, print } from "./open-app.ts";
import { JSON_OPTION, parseCommand, WORKSPACE_OPTION } from "./parse.ts";
import { toPlanReport } from "./reports.ts";

/** `papayu plan GOAL`: makes and stores a plan. */
export async function plan(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, "plan GOAL [-w WS] [--json]", {
    options: { ...WORKSPACE_OPTION, ...JSON_OPTION },
    positionals: [1, 1],
  });
  using app = await openApp(parsed, context);
  const workspace = pickWorkspace(app, parsed, context);
  const [goal = ""] = parsed.positionals;
  const made = await app.operations.plan(workspace, goal, context.signal);
  const text = made.ok
    ? `${made.summary}\n\nplan ${made.planId}\nnext: papayu preview ${made.planId}`
    : `${made.code}: ${made.message}`;
  print(context, parsed.flag("json"), toPlanReport(made), text);
  return made.ok ? EXIT.done : EXIT.failed;
}
