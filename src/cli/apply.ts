import type { App } from "../app.ts";
import { renderOutcome, renderPreview } from "../channels/socket/render-text.ts";
import { AppError } from "../core/app-error.ts";
import type { ApplyOutcome } from "../planner/operations.ts";
import { askYesNo } from "./ask-yes-no.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp, pickWorkspace, print } from "./open-app.ts";
import { JSON_OPTION, type Parsed, parseCommand, WORKSPACE_OPTION } from "./parse.ts";
import { toApplyReport, toPlanReport } from "./reports.ts";

const USAGE = "apply PLAN_ID|--goal GOAL [-w WS] [--yes|--approve CHANGE_SET_ID] [--json]";

/** `papayu apply`: one plan's change set, after a yes on the terminal, `--yes` or `--approve`. */
export async function apply(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, USAGE, {
    options: {
      ...WORKSPACE_OPTION,
      ...JSON_OPTION,
      goal: { type: "string" },
      yes: { type: "boolean", short: "y" },
      approve: { type: "string" },
    },
    positionals: [0, 1],
  });
  const json = parsed.flag("json");
  using app = await openApp(parsed, context);
  const planned = await findPlan(app, parsed, context);
  if (!planned.ok) {
    print(context, json, planned.report, planned.text);
    return EXIT.failed;
  }
  const outcome = await applyWithConsent(app, planned.planId, parsed, context);
  print(context, json, toApplyReport(outcome), renderOutcome(outcome));
  if (outcome.errorCode === "CONFIRM_REQUIRED") return EXIT.approvalNeeded;
  return outcome.ok ? EXIT.done : EXIT.failed;
}

async function findPlan(
  app: App,
  parsed: Parsed,
  context: CliContext,
): Promise<
  | { readonly ok: true; readonly planId: string }
  | { readonly ok: false; readonly report: unknown; readonly text: string }
> {
  const [planId] = parsed.positionals;
  const goal = parsed.text("goal");
  if ((planId === undefined) === (goal === undefined)) {
    throw new AppError("ERR_USAGE", `Name either a PLAN_ID or --goal; usage: papayu ${USAGE}`);
  }
  if (planId !== undefined) return { ok: true, planId };
  const workspace = pickWorkspace(app, parsed, context);
  const plan = await app.operations.plan(workspace, goal ?? "", context.signal);
  if (plan.ok) return { ok: true, planId: plan.planId };
  const report = { ...toPlanReport(plan), status: "rejected", changes: [] };
  return { ok: false, report, text: `${plan.code}: ${plan.message}` };
}

/** Asks on a terminal; without one, and without `--yes`, the outcome is CONFIRM_REQUIRED. */
async function applyWithConsent(
  app: App,
  planId: string,
  parsed: Parsed,
  context: CliContext,
): Promise<ApplyOutcome> {
  const { signal, stderr } = context;
  const onProgress = (text: string) => void stderr.write(`${text}\n`);
  const named = parsed.text("approve");
  if (named !== undefined)
    return app.operations.apply(planId, { approved: named, signal, onProgress });
  const first = await app.operations.apply(planId, { signal, onProgress });
  if (!first.preview) return first;
  const approved = first.preview.changeSetId;
  if (parsed.flag("yes")) return app.operations.apply(planId, { approved, signal, onProgress });
  if (!context.stdin.isTTY) return first;
  stderr.write(`${renderPreview(first.preview, stderr.isTTY)}\n`);
  const yes = await askYesNo(`Apply these ${first.preview.changes.length} changes?`, context);
  if (yes) return app.operations.apply(planId, { approved, signal, onProgress });
  return { ...first, errorCode: "APPROVAL_REJECTED", error: "You said no; nothing was changed" };
}
