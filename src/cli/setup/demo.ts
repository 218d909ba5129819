import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { PlanDeps } from "../../agent/deps.ts";
import { renderOutcome } from "../../channels/render-text.ts";
import { loadConfig } from "../../config/load/load.ts";
import { AppError } from "../../core/app-error.ts";
import { type App, createApp } from "../../daemon/app/app.ts";
import type { Author } from "../../planner/author.ts";
import type { ApplyOutcome } from "../../planner/operations.ts";
import { copyShipped } from "../../system/own/files.ts";
import { layBun } from "../../system/own/lay-bun.ts";
import { makeScratch } from "../../system/processes/scratch.ts";
import { textsIn } from "../../texts/texts.ts";
import type { OutcomeView, PreviewView } from "../../transaction/views.ts";
import { type CliContext, EXIT } from "../context.ts";
import { parseCommand } from "../parse.ts";
import { toApplyReport, toPlanReport } from "../reports.ts";
import { renderOnScreen } from "../screen/show-preview.ts";

/** A tour needs no configuration, so it cannot know another language. */
const ENGLISH = textsIn("en");

/** `papayu demo`: the whole main job on a scratch copy that is gone afterwards. */
export async function demo(args: readonly string[], context: CliContext): Promise<number> {
  parseCommand(args, context, { positionals: [0, 0] });
  const {
    stdout,
    command: { json },
  } = context;
  const steps: object[] = [];
  const guide: Guide = {
    say: json ? () => {} : (text) => void stdout.write(`${text}\n`),
    note: (step, report) => void steps.push({ step, ...report }),
  };
  using folder = makeScratch("demo");
  const scratch = realpathSync(folder.path);
  copyShipped("workspaces/sample", join(scratch, "sample"));
  const ok = await tour(scratch, guide, context);
  if (json) stdout.write(`${JSON.stringify({ ok, steps })}\n`);
  return ok ? EXIT.done : EXIT.failed;
}

/** Tells people what happens, and keeps the report of every step for programs. */
interface Guide {
  say(text: string): void;
  note(step: string, report: Readonly<Record<string, unknown>>): void;
}

/** Five steps; false at the first that does not end as the tour says. */
async function tour(scratch: string, guide: Guide, context: CliContext): Promise<boolean> {
  const { signal, stdout } = context;
  guide.say("papa-yu on a copy of workspaces/sample: a project with a bug and a failing test\n");

  using app = await openScratch(scratch, context);
  const { plans } = app.current.agent;
  guide.say("1. Plan: the built-in planner reads the project. No model, no network.\n");
  const planId = await planFor(plans, "add what a newcomer would miss", guide, signal);

  guide.say("2. Preview: one change set, one diff, one approval bound to its hash.\n");
  const preview = await askApproval(plans, planId, signal);
  guide.note("preview", { ok: true, change_set_id: preview.changeSetId, changes: preview.changes });
  guide.say(await renderOnScreen(preview, ENGLISH, context.screen(stdout)));

  guide.say("3. Apply: the project's own checks, then all or nothing.\n");
  const applied = await approve(plans, preview, signal);
  if (!isAsExpected("apply", applied, "committed", guide)) return false;

  using other = await openScratch(scratch, context, carelessAuthor);
  const careless = other.current.agent.plans;
  guide.say("\n4. A change that breaks a test: the check fails, and every file is as it was.\n");
  const badPlan = await planFor(careless, "add a test that cannot pass", guide, signal);
  const bad = await approve(careless, await askApproval(careless, badPlan, signal), signal);
  if (!isAsExpected("failing apply", bad, "rolled_back", guide)) return false;

  guide.say("\n5. Undo: takes back what was written, and nothing else.\n");
  const undone = await plans.operations.undo(plans.core.workspaces.get("sample"), signal);
  if (!isAsExpected("undo", undone, "undone", guide)) return false;
  guide.say("\nThat was all of it. Next, in a folder of yours: papayu init.");
  return true;
}

async function openScratch(scratch: string, context: CliContext, author?: Author): Promise<App> {
  const path = join(scratch, "config.toml");
  await Bun.write(
    path,
    '[[workspaces]]\nname = "sample"\npath = "./sample"\ncheck = [["bun", "run", "test"]]\n',
  );
  const own = Object.entries(context.caller.env).filter(([name]) => !name.startsWith("PAPAYU_"));
  const env = {
    ...Object.fromEntries(own),
    PATH: [context.caller.env["PATH"], layBun(join(scratch, "tools"))].filter(Boolean).join(":"),
    PAPAYU_HOME: join(scratch, "home"),
  };
  const loaded = await loadConfig({ path, cwd: scratch, env, home: context.caller.userHome });
  const environment = { env, cwd: scratch, writeLog: () => {}, ...(author && { author }) };
  return createApp(loaded, environment);
}

async function planFor(
  { core, operations }: PlanDeps,
  goal: string,
  guide: Guide,
  signal: AbortSignal,
): Promise<string> {
  const plan = await operations.plan(core.workspaces.get("sample"), goal, { signal });
  if (!plan.ok) throw new AppError(plan.code, plan.message);
  guide.note("plan", toPlanReport(plan));
  guide.say(`${plan.summary}\n`);
  return plan.planId;
}

async function askApproval(
  { operations }: PlanDeps,
  planId: string,
  signal: AbortSignal,
): Promise<PreviewView> {
  const outcome = await operations.preview(planId, signal);
  if (!outcome.ok) throw new AppError(outcome.code, outcome.message);
  return outcome.preview;
}

function approve(
  { operations }: PlanDeps,
  { planId, changeSetId }: PreviewView,
  signal: AbortSignal,
): Promise<ApplyOutcome> {
  return operations.apply(planId, { approved: changeSetId, signal });
}

function isAsExpected(
  step: string,
  outcome: OutcomeView,
  expected: OutcomeView["status"],
  guide: Guide,
): boolean {
  guide.note(step, toApplyReport(outcome));
  guide.say(renderOutcome(outcome, ENGLISH));
  return outcome.status === expected;
}

/** Plays a model that adds a test which cannot pass. */
const carelessAuthor: Author = {
  name: "demo",
  model: "scripted",
  strictJson: false,
  tokenBudget: 0,
  async answer({ mode }) {
    const action = {
      kind: "CREATE_FILE",
      path: "tests/impossible.test.ts",
      content:
        'import { expect, test } from "bun:test";\n\ntest("two and two", () => {\n  expect(2 + 2).toBe(5);\n});\n',
    };
    const actions = mode === "apply" ? [action] : [];
    const answer = { actions, summary: "Add tests/impossible.test.ts" };
    return { ok: true, text: JSON.stringify(answer), usage: { inputTokens: 0, outputTokens: 0 } };
  },
};
