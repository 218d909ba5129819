import { toPlannedSeriesLines } from "../../channels/series-lines.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { App } from "../../daemon/app/app.ts";
import type { PlanOutcome } from "../../planner/plan.ts";
import { gradeOf, type Tries, toTriesNotes, toTryLines } from "../../planner/tries/tries.ts";
import { whyNothing } from "../../protocol/why-nothing.ts";
import type { StoredResearch } from "../../store/online/online.ts";
import { type Texts, textsIn } from "../../texts/texts.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { type Parsed, parseCommand, usageError, WORKSPACE_OPTION } from "../parse.ts";
import { printFailure, printLaid, tell } from "../print.ts";
import { toPlanReport } from "../reports.ts";
import { openActivity } from "../screen/activity.ts";
import { renderOnScreen } from "../screen/show-preview.ts";
import { PROTOCOL_OPTION, planOptions } from "./protocol-option.ts";
import { failureOf, readTries, TRIES_OPTION, toTriesReport } from "./tries.ts";

/** `papayu plan GOAL`: makes and stores a plan, or with `--tries` several, and shows the best. */
export async function plan(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: {
      ...WORKSPACE_OPTION,
      ...PROTOCOL_OPTION,
      ...TRIES_OPTION,
      research: { type: "boolean" },
    },
    positionals: [1, Infinity],
  });
  const count = readTries(parsed, context);
  using app = await openApp(parsed, context);
  if (count !== undefined && parsed.flag("research")) {
    throw usageError("Give either --tries or --research: findings are for one plan", context);
  }
  return count === undefined
    ? await planOnce(app, parsed, context)
    : await planWays(app, parsed, context, count);
}

async function planOnce({ current, state }: App, parsed: Parsed, context: CliContext) {
  const workspace = pickWorkspace(current.loaded, parsed, context, state.ledger);
  const goal = parsed.positionals.join(" ");
  const { operations } = current.agent.plans;
  const isResearched = parsed.flag("research");
  const options = { ...planOptions(parsed, context), isResearched };
  using activity = openActivity(context, current.texts());
  activity.begin(current.texts().terminal.doing.plan);
  const made = await operations.plan(workspace, goal, options);
  activity.rest();
  const report = toPlanReport(made);
  if (!made.ok) {
    printFailure(context, report, made, current.texts());
    tellResearch(context, made, current.texts());
    return EXIT.failed;
  }
  const { summary, planId, autoUsed, row } = made;
  const { next } = current.texts().terminal;
  const used = autoUsed ? `\n\n${renderUsed(autoUsed, isResearched)}` : "";
  const told = toPlannedSeriesLines(row, current.texts()).map((line) => `\n\n${line}`);
  const said = toVisibleText(`${summary}${used}${told.join("")}`);
  const shown = context.screen(context.stdout)?.markdown(said) ?? said;
  // Where nothing has to change there is nothing to look at.
  const isLast = context.command.quiet || whyNothing(summary) !== undefined;
  const more = isLast ? "" : `\n${next(`papayu preview ${planId}`)}`;
  printLaid(context, report, `${shown}\n\nplan ${planId}${more}`);
  return EXIT.done;
}

/** What was suggested and cannot be pressed here has a command. */
function tellResearch(
  context: CliContext,
  { onlineSuggested }: FailedPlan,
  { terminal }: Texts,
): void {
  if (onlineSuggested === undefined) return;
  tell(context, toVisibleText(terminal.nextResearch(onlineSuggested)));
}

type FailedPlan = Extract<PlanOutcome, { readonly ok: false }>;

function renderUsed({ query, findings }: StoredResearch, isWanted: boolean): string {
  const head = `${isWanted ? "Used" : "Auto-used ✓"} what the web says on: ${query}`;
  return isWanted ? [head, ...findings.sources.map(({ url }) => `- ${url}`)].join("\n") : head;
}

async function planWays(
  { current, state }: App,
  parsed: Parsed,
  context: CliContext,
  count: number,
): Promise<number> {
  const workspace = pickWorkspace(current.loaded, parsed, context, state.ledger);
  const goal = parsed.positionals.join(" ");
  const texts = current.texts();
  using activity = openActivity(context, texts);
  activity.begin(texts.terminal.doing.plan);
  const options = { ...planOptions(parsed, context), onProgress: activity.step };
  const tries = await current.agent.plans.operations.tryWays(workspace, goal, count, options);
  activity.rest();
  const report = toTriesReport(tries, toTriesNotes(tries, textsIn("en")));
  const text = await renderTries(tries, texts, context);
  const failure = failureOf(tries);
  if (!failure) {
    printLaid(context, report, text);
    return EXIT.done;
  }
  if (!context.command.json) context.stdout.write(`${text}\n`);
  printFailure(context, report, failure, texts);
  return EXIT.failed;
}

/** The one that comes first with its change set, and a line for each. */
async function renderTries(tries: Tries, texts: Texts, context: CliContext): Promise<string> {
  const end = tries.order[0]?.end;
  const screen = context.screen(context.stdout);
  const shown = [
    ...(end?.plan?.ok ? [toVisibleText(end.plan.summary)] : []),
    ...(end?.kind === "changes" ? [await renderOnScreen(end.preview, texts, screen)] : []),
  ];
  const lines = [...toTriesNotes(tries, texts), ...toTryLines(tries, texts)];
  const next =
    end?.kind === "changes" && gradeOf(end) !== "red"
      ? [`next: papayu apply ${end.plan.planId}, or papayu preview PLAN_ID for another`]
      : [];
  return [...shown, [...lines, ...next].join("\n")].join("\n\n");
}
