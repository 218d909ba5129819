import { basename } from "node:path";
import { hasFailed, needsLook } from "../../channels/event-buttons.ts";
import { renderOutcome, renderUnseen } from "../../channels/render-text.ts";
import { newId } from "../../core/ids.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { App, Current } from "../../daemon/app/app.ts";
import type { ApplyOptions, ApplyOutcome } from "../../planner/operations.ts";
import { isAnother, isYes } from "../../protocol/intent.ts";
import type { Texts } from "../../texts/texts.ts";
import type { PreviewView } from "../../transaction/views.ts";
import { canAsk } from "../ask-yes-no.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { type Parsed, parseCommand, usageError, WORKSPACE_OPTION } from "../parse.ts";
import { print, printFailure, tell } from "../print.ts";
import { toApplyReport, toPlanReport } from "../reports.ts";
import { openActivity } from "../screen/activity.ts";
import { askAbout } from "./ask-about.ts";
import { tellPlanAgain } from "./plan-again.ts";
import { PROTOCOL_OPTION, planOptions } from "./protocol-option.ts";
import { readInput } from "./read-input.ts";
import { WANTED_OPTIONS, wantedIn } from "./wanted-options.ts";

/**
 * `papayu apply`: one plan's change set, or a patch, after a yes on the terminal, `--yes` or
 * `--approve`.
 */
export async function apply(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: {
      ...WORKSPACE_OPTION,
      ...PROTOCOL_OPTION,
      ...WANTED_OPTIONS,
      goal: { type: "string" },
      patch: { type: "string" },
      yes: { type: "boolean", short: "y" },
      approve: { type: "string" },
    },
    positionals: [0, 1],
  });
  assertSensible(parsed, context);
  using app = await openApp(parsed, context);
  const ready = await readyPlan(app, parsed, context);
  if (ready === undefined) return EXIT.failed;
  const { planId, ...applied } = await applyWithConsent(app.current, ready, parsed, context);
  const outcome = withNotes(applied.outcome, ready.notes);
  const text = renderOutcome(outcome, app.current.texts(), !context.command.quiet);
  print(context, toApplyReport(outcome, planId), text);
  tellPlanAgain(context, outcome, app.current.texts());
  if (outcome.errorCode === "CONFIRM_REQUIRED") {
    tellHowToApprove(context, planId, outcome, app.current.texts());
    return EXIT.approvalNeeded;
  }
  return outcome.ok ? EXIT.done : EXIT.failed;
}

/** Nobody was there to ask: what a person or a script goes on with. */
function tellHowToApprove(
  context: CliContext,
  planId: string,
  { changeSetId }: ApplyOutcome,
  { terminal }: Texts,
): void {
  if (changeSetId === undefined) return;
  tell(context, terminal.next(`papayu preview ${planId}`));
  tell(context, terminal.next(`papayu apply ${planId} --approve ${changeSetId}`));
}

function assertSensible(parsed: Parsed, context: CliContext): void {
  const { positionals } = parsed;
  const named = [...positionals, parsed.text("goal"), parsed.text("patch")];
  if (named.filter((it) => it !== undefined).length !== 1) {
    throw usageError("Name one of PLAN_ID, --goal and --patch", context);
  }
  if (parsed.text("goal") === undefined && parsed.text("protocol") !== undefined) {
    throw usageError("Cannot change the protocol of a plan: --protocol goes with --goal", context);
  }
  const approved = parsed.text("approve");
  if (approved === undefined) return;
  if (parsed.flag("yes")) throw usageError("Give either --yes or --approve", context);
  for (const option of ["keep", "reach"]) {
    if (parsed.texts(option).length === 0) continue;
    const problem = `Give either --${option} or --approve: papayu preview PLAN_ID --${option} shows the id`;
    throw usageError(problem, context);
  }
  if (!/^[0-9a-f]{12,64}$/u.test(approved)) {
    const problem = `Cannot approve "${approved}": a change set id has 64 hexadecimal digits, and 12 at its beginning are enough`;
    throw usageError(`${problem}; papayu preview PLAN_ID --json shows it`, context);
  }
}

/** A plan to apply, and what else is to be said of it. */
interface ReadyPlan {
  readonly planId: string;
  readonly notes: readonly string[];
}

/** The plan that is named, or a fresh one; undefined when there is none and it was said why. */
async function readyPlan(
  app: App,
  parsed: Parsed,
  context: CliContext,
): Promise<ReadyPlan | undefined> {
  const patch = parsed.text("patch");
  if (patch !== undefined) return planPatch(app, patch, parsed, context);
  const planId = parsed.positionals[0] ?? (await planGoal(app, parsed, context));
  return planId === undefined ? undefined : { planId, notes: [] };
}

/** The id of a fresh plan, or undefined when there is none and it was said why. */
async function planGoal(
  { current, state }: App,
  parsed: Parsed,
  context: CliContext,
): Promise<string | undefined> {
  const workspace = pickWorkspace(current.loaded, parsed, context, state.ledger);
  const goal = parsed.text("goal") ?? "";
  using activity = openActivity(context, current.texts());
  activity.begin(current.texts().terminal.doing.plan);
  const { operations } = current.agent.plans;
  const plan = await operations.plan(workspace, goal, planOptions(parsed, context));
  activity.rest();
  if (plan.ok) return plan.planId;
  const report = { ...toPlanReport(plan), status: "rejected", changes: [] };
  printFailure(context, report, plan, current.texts());
  return undefined;
}

/** More than a change set may write, with what is around it. */
const PATCH = {
  verb: "apply the patch",
  mostBytes: 32 * 1024 * 1024,
  ifTooLarge: "split it",
} as const;

/** The plan that a patch makes, or undefined when it does not fit and it was said why. */
async function planPatch(
  { current, state }: App,
  name: string,
  parsed: Parsed,
  context: CliContext,
): Promise<ReadyPlan | undefined> {
  const workspace = pickWorkspace(current.loaded, parsed, context, state.ledger);
  const text = await readInput({ ...PATCH, name }, context);
  const shown = name === "-" ? name : basename(name);
  const plan = await current.agent.plans.operations.planPatch(workspace, { text, name: shown });
  if (plan.ok) {
    const { modeNotSet } = current.texts().terminal;
    return {
      planId: plan.planId,
      notes: plan.modes.map(({ path, mode }) => modeNotSet(path, mode)),
    };
  }
  const { code, message, problems } = plan;
  const blocked = problems.map((it) => ({
    path: it.path,
    error_code: it.code,
    message: it.message,
  }));
  const failed = { ok: false, status: "rejected", changes: [], blocked, touched: false };
  const report = { ...failed, error: message, error_code: code };
  printFailure(context, report, plan, current.texts());
  return undefined;
}

function withNotes(outcome: ApplyOutcome, more: readonly string[]): ApplyOutcome {
  return more.length === 0 ? outcome : { ...outcome, notes: [...(outcome.notes ?? []), ...more] };
}

/** Asks on a terminal; without one, and without `--yes`, the outcome is CONFIRM_REQUIRED. */
async function applyWithConsent(
  current: Current,
  { planId: first, notes }: ReadyPlan,
  parsed: Parsed,
  context: CliContext,
): Promise<{ readonly planId: string; readonly outcome: ApplyOutcome }> {
  const { agent, texts } = current;
  const { signal } = context;
  using activity = openActivity(context, texts());
  const wanted = wantedIn(parsed, context);
  let planId = first;
  const run = async (options: Pick<ApplyOptions, "approved" | "mustAsk"> = {}) => {
    activity.begin(texts().terminal.doing.change);
    const common = { wanted, signal, onProgress: activity.step };
    const ended = await agent.plans.operations.apply(planId, { ...options, ...common });
    activity.rest();
    return ended;
  };

  const named = parsed.text("approve");
  if (named !== undefined) return { planId, outcome: await run({ approved: named }) };
  let outcome = await run();
  // What ran for the first time after a yes may have something new to ask: once more, then again.
  for (let asked = 0; outcome.preview && asked < MOST_QUESTIONS; asked++) {
    const preview = { ...outcome.preview, notes: [...outcome.preview.notes, ...notes] };
    const answer = await answerFor(preview, current, parsed, context);
    if (answer === "nobody") break;
    if (answer === "no") {
      const error = "You said no; nothing was changed";
      const rejected = { ...outcome, changes: [], errorCode: "APPROVAL_REJECTED", error };
      return { planId, outcome: rejected };
    }
    if (answer === "another") planId = await tryAnother(current, planId, context);
    const { changeSetId } = outcome.preview;
    outcome = await run(answer === "another" ? { mustAsk: true } : { approved: changeSetId });
  }
  return { planId, outcome };
}

/** Those after a yes, and one for each way. */
const MOST_QUESTIONS = 9;

/** Plans the goal of a plan in another way, and tells of all; the plan to ask about. */
async function tryAnother(
  { agent, texts: current }: Current,
  planId: string,
  context: CliContext,
): Promise<string> {
  const { signal, stderr } = context;
  const texts = current();
  const say = (line: string) => void stderr.write(`${toVisibleText(line)}\n`);
  using activity = openActivity(context, texts);
  const { operations } = agent.plans;
  const another = await operations.tryAnother(planId, {
    signal,
    work: newId("work"),
    onBegin: ({ provider, model }) => say(texts.tries.begins(provider, model)),
    onProgress: activity.step,
  });
  activity.rest();
  if (!another.ok) {
    say(texts.refusals.noWay[another.why]);
    return planId;
  }
  const { bestOf, toAnotherLines } = await import("../../planner/tries/tries.ts");
  for (const line of toAnotherLines(another, texts)) say(line);
  return bestOf(another.tries) ?? planId;
}

/** What the person says to a change set: by `--yes`, or on a terminal; else there is nobody. */
async function answerFor(
  preview: PreviewView,
  current: Current,
  parsed: Parsed,
  context: CliContext,
): Promise<"yes" | "no" | "another" | "nobody"> {
  const { stderr } = context;
  const texts = current.texts();
  // What failed or goes beyond the goal: nobody but a person who sees it says yes to that.
  if (parsed.flag("yes") && !needsLook(preview)) {
    // A yes in advance is one to checks as well: they are told before they run.
    if (preview.unseen) stderr.write(`${renderUnseen(preview, texts)}\n`);
    return "yes";
  }
  const isReadUp = parsed.text("patch") === "-"; // to its end: there is nothing left to answer with
  if (isReadUp || !canAsk(context)) return "nobody";
  const { applyAll, applyAnyway, another } = texts.terminal;
  const question = hasFailed(preview) ? applyAnyway : applyAll(preview.changes.length);
  const mayTry = preview.triesLeft !== undefined;
  const answer = await askAbout(preview, question, mayTry ? [another] : [], current, context);
  if (isYes(answer)) return "yes";
  return mayTry && isAnother(answer) ? "another" : "no";
}
