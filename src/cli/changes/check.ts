import { renderCheckList, renderFolderCheck } from "../../channels/render-text.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "../parse.ts";
import { print, printFailure, tell } from "../print.ts";
import { toCheckReport } from "../reports.ts";
import { openActivity } from "../screen/activity.ts";

/** `papayu check`: the checks of a workspace on the folder as it is, in a view of it. */
export async function check(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: WORKSPACE_OPTION, positionals: [0, 0] });
  using app = await openApp(parsed, context, "no model");
  const workspace = pickWorkspace(app.current.loaded, parsed, context, app.state.ledger);
  const texts = app.current.texts();
  // What runs is seen first; on a terminal it counts as seen by its owner from then on.
  const isShown = context.stdin.isTTY && context.stderr.isTTY && !context.command.quiet;
  const { operations } = app.current.agent.plans;
  const checks = await operations.listChecks(workspace, isShown);
  tell(context, renderCheckList(checks, texts));
  const lastMs = (step: string) =>
    checks.find(({ command }) => step === command || step.endsWith(`: ${command}`))?.tookMs;
  using activity = openActivity(context, texts, lastMs);
  const found = await operations.check(workspace, context.signal, activity.step);
  activity.rest();
  if (found.kind === "none") {
    const message = `Cannot check "${workspace.name}" without writing to it: ${found.reason}`;
    const failure = { code: "ERR_SANDBOX", message } as const;
    const report = { ok: false, view: "none", error: message, error_code: failure.code };
    printFailure(context, report, failure, texts);
    return EXIT.failed;
  }
  const { ok } = found.check;
  const report = { ok, workspace: workspace.name, view: found.kind };
  const text = renderFolderCheck(found.check, texts);
  print(context, { ...report, check: toCheckReport(found.check) }, text);
  return ok ? EXIT.done : EXIT.failed;
}
