import { hasFailed, needsLook } from "../../channels/event-buttons.ts";
import { renderOutcome, renderPreview, renderUnseen } from "../../channels/render-text.ts";
import type { App, Current } from "../../daemon/app/app.ts";
import type { ApplyOptions, ApplyOutcome } from "../../planner/operations.ts";
import type { Texts } from "../../texts/texts.ts";
import type { PreviewView } from "../../transaction/views.ts";
import { askYesNo } from "../ask-yes-no.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { type Parsed, parseCommand, usageError, WORKSPACE_OPTION } from "../parse.ts";
import { print, printFailure, wantsColor } from "../print.ts";
import { toApplyReport, toPlanReport } from "../reports.ts";
import { KEEP_OPTION, keptPaths } from "./keep-option.ts";
import { PROTOCOL_OPTION, planOptions } from "./protocol-option.ts";

/** `papayu apply`: one plan's change set, after a yes on the terminal, `--yes` or `--approve`. */
export async function apply(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: {
      ...WORKSPACE_OPTION,
      ...PROTOCOL_OPTION,
      ...KEEP_OPTION,
      goal: { type: "string" },
      yes: { type: "boolean", short: "y" },
      approve: { type: "string" },
    },
    positionals: [0, 1],
  });
  assertSensible(parsed, context);
  using app = await openApp(parsed, context);
  const planId = parsed.positionals[0] ?? (await planGoal(app, parsed, context));
  if (planId === undefined) return EXIT.failed;
  const outcome = await applyWithConsent(app.current, planId, parsed, context);
  print(context, toApplyReport(outcome, planId), renderOutcome(outcome, app.current.texts()));
  if (outcome.errorCode === "CONFIRM_REQUIRED") return EXIT.approvalNeeded;
  return outcome.ok ? EXIT.done : EXIT.failed;
}

function assertSensible(parsed: Parsed, context: CliContext): void {
  const named = [...parsed.positionals, parsed.text("goal")].filter((it) => it !== undefined);
  if (named.length !== 1) throw usageError("Name either a PLAN_ID or --goal", context);
  if (parsed.text("goal") === undefined && parsed.text("protocol") !== undefined) {
    throw usageError("Cannot change the protocol of a plan: --protocol goes with --goal", context);
  }
  const approved = parsed.text("approve");
  if (approved === undefined) return;
  if (parsed.flag("yes")) throw usageError("Give either --yes or --approve", context);
  if (parsed.texts("keep").length > 0) {
    const problem =
      "Give either --keep or --approve: papayu preview PLAN_ID --keep PATH shows the id";
    throw usageError(problem, context);
  }
  if (!/^[0-9a-f]{64}$/u.test(approved)) {
    const problem = `Cannot approve "${approved}": a change set id has 64 hexadecimal digits`;
    throw usageError(`${problem}; papayu preview PLAN_ID --json shows it`, context);
  }
}

/** The id of a fresh plan, or undefined when there is none and it was said why. */
async function planGoal(
  { current, state }: App,
  parsed: Parsed,
  context: CliContext,
): Promise<string | undefined> {
  const workspace = pickWorkspace(current.loaded, parsed, context, state.ledger);
  const goal = parsed.text("goal") ?? "";
  const plan = await current.agent.plans.operations.plan(
    workspace,
    goal,
    planOptions(parsed, context),
  );
  if (plan.ok) return plan.planId;
  const report = { ...toPlanReport(plan), status: "rejected", changes: [] };
  printFailure(context, report, plan);
  return undefined;
}

/** Asks on a terminal; without one, and without `--yes`, the outcome is CONFIRM_REQUIRED. */
async function applyWithConsent(
  { agent, texts }: Current,
  planId: string,
  parsed: Parsed,
  context: CliContext,
): Promise<ApplyOutcome> {
  const { signal, stderr } = context;
  const { checking } = texts().agent;
  const onProgress = (check: string) => void stderr.write(`${checking(check)}\n`);
  const keep = keptPaths(parsed, context);
  const run = (options: Pick<ApplyOptions, "approved"> = {}) =>
    agent.plans.operations.apply(planId, { ...options, keep, signal, onProgress });

  const named = parsed.text("approve");
  if (named !== undefined) return run({ approved: named });
  let outcome = await run();
  // What ran for the first time after a yes may have something new to ask: once more, then again.
  for (let asked = 0; outcome.preview && asked < MOST_QUESTIONS; asked++) {
    const answer = await answerFor(outcome.preview, texts(), parsed, context);
    if (answer === "nobody") return outcome;
    if (answer === "no") {
      const error = "You said no; nothing was changed";
      return { ...outcome, changes: [], errorCode: "APPROVAL_REJECTED", error };
    }
    outcome = await run({ approved: outcome.preview.changeSetId });
  }
  return outcome;
}

const MOST_QUESTIONS = 5;

/** What the person says to a change set: by `--yes`, or on a terminal; else there is nobody. */
async function answerFor(
  preview: PreviewView,
  texts: Texts,
  parsed: Parsed,
  context: CliContext,
): Promise<"yes" | "no" | "nobody"> {
  const { stdin, stderr } = context;
  // What failed or goes beyond the goal: nobody but a person who sees it says yes to that.
  if (parsed.flag("yes") && !needsLook(preview)) {
    // A yes in advance is one to checks as well: they are told before they run.
    if (preview.unseen) stderr.write(`${renderUnseen(preview, texts)}\n`);
    return "yes";
  }
  if (!stdin.isTTY || !stderr.isTTY) return "nobody";
  stderr.write(`${renderPreview(preview, texts, wantsColor(stderr, context))}\n`);
  const { applyAll, applyAnyway } = texts.terminal;
  const question = hasFailed(preview) ? applyAnyway : applyAll(preview.changes.length);
  return (await askYesNo(question, context)) ? "yes" : "no";
}
