import { nearestKey } from "../../config/nearest-key.ts";
import { AppError } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import type { Command as Typed } from "../../protocol/command.ts";
import type { Texts } from "../../texts/texts.ts";
import { BUILT_IN_PROTECTED } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { CommandDeps, PlanDeps, RequestContext, SecurityRules } from "../deps.ts";
import { filterMarkdown } from "../filter-event.ts";
import { applyPlan, askApproval, planWithResearch, proposePlan } from "../plans/plans.ts";
import { selectedWorkspace, storedPlan, storedResearch } from "../session/session.ts";
import { chooseMode, chooseModel } from "./config-commands.ts";
import { lookAfterRoutines } from "./routines.ts";
import {
  chooseWorkspace,
  listHistory,
  reportApplies,
  showConsole,
  showMemory,
  showStatus,
} from "./status-commands.ts";
import { takeBack } from "./take-back.ts";

export { isOfCommand } from "./config-commands.ts";
export {
  askToDryRun,
  askToRun,
  openRoutines,
  setAsideRun,
  stopRoutine,
  turnRoutine,
} from "./routines.ts";
export { renderLeftAlone, useWorkspace } from "./status-commands.ts";
export { redoable, redoTransaction, undoable, undoTransaction } from "./take-back.ts";

/** A returned text is the answer. */
type Command = (
  request: RequestContext,
  deps: CommandDeps,
  argument: string,
) => Promise<string | void> | string;

/** Commands by name, the same that menus and /help show; /cancel is handled ahead of the queue. */
const COMMANDS: Readonly<Record<Exclude<keyof Texts["commands"], "cancel">, Command>> = {
  help: listCommands,
  ws: chooseWorkspace,
  plan: async (request, { plans }, goal) =>
    goal === "" ? request.texts.help.planWithoutGoal : proposePlan(request, plans, goal),
  apply: async (request, { core, plans }) =>
    void (await applyPlan(request, plans, storedPlan(request, core))),
  diff: showDiff,
  undo: (request, { plans }) => takeBack(request, plans, "undo"),
  redo: (request, { plans }) => takeBack(request, plans, "redo"),
  history: listHistory,
  status: showStatus,
  routines: lookAfterRoutines,
  memory: showMemory,
  model: chooseModel,
  mode: chooseMode,
  report: reportApplies,
  web: showConsole,
  rules: (request, { core }) =>
    renderRules(core.security, selectedWorkspace(request, core), request.texts),
  use: (request, { core, plans }) =>
    planWithResearch(request, plans, storedResearch(request, core)),
  autouse: (request, { plans }, argument) => switchAutoUse(request, plans, argument),
};

/** Runs a command; for an unknown one the nearest is named. */
export async function runCommand(
  request: RequestContext,
  deps: CommandDeps,
  { name, argument }: Typed,
): Promise<void> {
  const { texts } = request;
  const command = findCommand(name);
  const reply = !command
    ? unknownCommand(name, texts)
    : argument !== "" && takesNothing(name, texts)
      ? texts.help.nothingBehind(name)
      : await command(request, deps, argument);
  if (typeof reply !== "string") return;
  // It may quote what a model wrote long ago: the summary of a change, a note, a routine's result.
  const shown = filterMarkdown(reply, deps.core.security, `/${name} ${argument}`);
  await request.emit({ kind: "content", text: shown });
}

/** "/undo README.md" asks for less than an undo does. */
function takesNothing(name: string, { commands }: Texts): boolean {
  return new Map(Object.entries(commands)).get(name)?.usage === "";
}

function findCommand(name: string): Command | undefined {
  if (name === "" || name === "start") return COMMANDS.help;
  return new Map<string, Command>(Object.entries(COMMANDS)).get(name);
}

async function showDiff(
  request: RequestContext,
  { core, plans }: CommandDeps,
): Promise<string | void> {
  const read = await readAnothers(request, { core, plans });
  if (read !== undefined) return read;
  const shown = await plans.operations.preview(storedPlan(request, core), request.signal);
  if (!shown.ok) throw new AppError(shown.code, shown.message);
  await askApproval(request, plans, shown.preview);
}

/**
 * What the group was shown of somebody else's plan, to read: that asks nothing, runs nothing and costs
 * nothing. Undefined: the plan is one's own, or no change set of it was shown.
 */
async function readAnothers(
  { speaker: { sessionId, userId }, texts, signal }: RequestContext,
  { core, plans }: Pick<CommandDeps, "core" | "plans">,
): Promise<string | undefined> {
  const { planId, userId: owner } = core.sessions.state(sessionId);
  if (planId === undefined || owner === userId) return undefined;
  const asked = core.approvals.lastAbout(sessionId, planId);
  if (asked?.kind !== "change_set") return undefined;
  const shown = await plans.operations.showAgain(planId, asked.changeSetId, signal);
  if (!shown) return undefined;
  const { renderPreview } = await import("../../channels/render-text.ts");
  const text = renderPreview(shown.preview, texts, false);
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/gu), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${texts.refusals.notYourPlan}.\n\n${fence}diff\n${text}\n${fence}`;
}

function listCommands({ texts }: RequestContext): string {
  const { help, commands } = texts;
  const lines = Object.entries(commands).map(([name, { usage, about }]) =>
    usage === "" ? `/${name} — ${about}` : `/${name} ${usage} — ${about}`,
  );
  return [help.intro, help.words, ...lines].join("\n");
}

function unknownCommand(name: string, { help, commands }: Texts): string {
  const near = nearestKey(name, Object.keys(commands));
  const parts = [help.unknown(shorten(name, 40)), near && help.nearest(near), help.listed];
  return parts.filter(Boolean).join(" ");
}

/** `/rules`: what holds in this workspace, whatever is said in a chat. */
function renderRules(
  { autonomy, injectionCheck, allowedCommands }: SecurityRules,
  { name, protectedPaths }: Workspace,
  { rules, mode }: Texts,
): string {
  const commands = allowedCommands.map(toCode).join(" ");
  return [
    rules.head(name),
    `${rules.autonomy(autonomy)} ${mode[autonomy]}`,
    rules.outside,
    rules.protectedPaths([...BUILT_IN_PROTECTED, ...protectedPaths].map(toCode).join(" ")),
    commands === "" ? rules.noCommands : rules.commands(commands),
    rules.orders[injectionCheck],
  ].join("\n");
}

/** As code, or the stars of a pattern would be read as markup. */
function toCode(text: string): string {
  return `\`${text}\``;
}

/** `/autouse [on|off]`: shows or sets it for the selected workspace. */
async function switchAutoUse(
  request: RequestContext,
  { core, operations }: PlanDeps,
  argument: string,
): Promise<string> {
  const isOn = argument === "on" || argument === "off" ? argument === "on" : undefined;
  const state = await operations.autoUse(selectedWorkspace(request, core), isOn);
  return request.texts.autoUse[state];
}
