import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, createApp } from "../app.ts";
import { renderOutcome, renderPreview } from "../channels/socket/render-text.ts";
import { loadConfig } from "../config/load.ts";
import type { Author } from "../planner/author.ts";
import type { ApplyOutcome } from "../planner/operations.ts";
import { type CliContext, EXIT } from "./context.ts";
import { parseCommand } from "./parse.ts";

const SAMPLE = join(import.meta.dir, "../../workspaces/sample");

/** `papayu demo`: the whole main job on a scratch copy that is gone afterwards. */
export async function demo(args: readonly string[], context: CliContext): Promise<number> {
  parseCommand(args, "demo", { positionals: [0, 0] });
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), "papayu-demo-"));
  try {
    cpSync(SAMPLE, join(scratch, "sample"), { recursive: true });
    return await tour(scratch, context);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function tour(scratch: string, context: CliContext): Promise<number> {
  const say = (text: string) => void context.stdout.write(`${text}\n`);
  say("papa-yu on a copy of workspaces/sample: a project with a bug and a failing test\n");

  using app = await openScratch(scratch, context);
  say("1. Plan: the built-in planner reads the project. No model, no network.\n");
  const planId = await planFor(app, "add what a newcomer would miss", context, say);
  const first = await app.operations.apply(planId, { signal: context.signal });
  if (!first.preview) return fail(first, say);
  say("2. Preview: one change set, one diff, one approval bound to its hash.\n");
  say(renderPreview(first.preview, context.stdout.isTTY));
  say("3. Apply: all or nothing, then the project's own checks.\n");
  const applied = await approve(app, planId, first, context);
  say(`${renderOutcome(applied)}\n`);
  if (applied.status !== "committed") return EXIT.failed;

  using careless = await openScratch(scratch, context, carelessAuthor);
  say("4. A change that breaks a test: the check fails, every file goes back by itself.\n");
  const badPlan = await planFor(careless, "add a test that cannot pass", context, say);
  const bad = await careless.operations.apply(badPlan, { signal: context.signal });
  const rolledBack = await approve(careless, badPlan, bad, context);
  say(`${renderOutcome(rolledBack)}\n`);
  if (rolledBack.status !== "rolled_back") return EXIT.failed;

  say("5. Undo: takes back what was written, and nothing else.\n");
  const undone = await app.operations.undo(app.agent.workspaces.get("sample"), context.signal);
  say(renderOutcome(undone));
  say("\nThat was all of it. papayu start chats with the real folder.");
  return undone.ok ? EXIT.done : EXIT.failed;
}

async function openScratch(scratch: string, context: CliContext, author?: Author): Promise<App> {
  const path = join(scratch, "config.toml");
  await Bun.write(path, '[[workspaces]]\nname = "sample"\npath = "./sample"\n');
  const env = { ...context.env, PAPAYU_HOME: join(scratch, "home"), PAPAYU_LLM_API_URL: undefined };
  const loaded = await loadConfig({ path, cwd: scratch, env, home: context.userHome });
  const environment = { env, cwd: scratch, writeLog: () => {}, ...(author && { author }) };
  return createApp(loaded, environment);
}

async function planFor(
  app: App,
  goal: string,
  { signal }: CliContext,
  say: (text: string) => void,
): Promise<string> {
  const plan = await app.operations.plan(app.agent.workspaces.get("sample"), goal, signal);
  if (!plan.ok) throw new Error(`the demo's plan failed: ${plan.code}: ${plan.message}`);
  say(`${plan.summary}\n`);
  return plan.planId;
}

function approve(
  app: App,
  planId: string,
  asked: ApplyOutcome,
  { signal }: CliContext,
): Promise<ApplyOutcome> {
  const approved = asked.preview?.changeSetId;
  return app.operations.apply(planId, { signal, ...(approved !== undefined && { approved }) });
}

function fail(outcome: ApplyOutcome, say: (text: string) => void): number {
  say(renderOutcome(outcome));
  return EXIT.failed;
}

/** Plays a model that adds a test which cannot pass. */
const carelessAuthor: Author = {
  name: "demo",
  model: "scripted",
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
